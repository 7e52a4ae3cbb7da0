//! The sources of the server's own kinds, as they stand under `api/`.

/// Makes a list of files with their content.
macro_rules! files {
    ($($path:literal)*) => {
        &[$(($path, include_str!(concat!("../../../../", $path)))),*]
    };
}

/// Path and content of every file. A test holds the list against the directory.
pub(super) const FILES: &[(&str, &str)] = files! {
    "api/admissionregistration/v1/doc.go"
    "api/admissionregistration/v1/types.go"
    "api/apiextensions/go.mod"
    "api/apiextensions/v1/doc.go"
    "api/apiextensions/v1/scalars.go"
    "api/apiextensions/v1/schema.go"
    "api/apiextensions/v1/types.go"
    "api/apps/v1/doc.go"
    "api/apps/v1/types.go"
    "api/authentication/v1/doc.go"
    "api/authentication/v1/types.go"
    "api/authorization/v1/doc.go"
    "api/authorization/v1/types.go"
    "api/autoscaling/v1/doc.go"
    "api/autoscaling/v1/types.go"
    "api/certificates/v1/doc.go"
    "api/certificates/v1/types.go"
    "api/coordination/v1/doc.go"
    "api/coordination/v1/types.go"
    "api/core/v1/container.go"
    "api/core/v1/doc.go"
    "api/core/v1/environment.go"
    "api/core/v1/pod.go"
    "api/core/v1/probe.go"
    "api/core/v1/projected.go"
    "api/core/v1/scheduling.go"
    "api/core/v1/security.go"
    "api/core/v1/service.go"
    "api/core/v1/types.go"
    "api/core/v1/volume.go"
    "api/core/v1/volume_vendor.go"
    "api/core/v1/workload.go"
    "api/events/v1/doc.go"
    "api/events/v1/types.go"
    "api/go.mod"
    "api/meta/go.mod"
    "api/meta/v1/answers.go"
    "api/meta/v1/discovery.go"
    "api/meta/v1/doc.go"
    "api/meta/v1/options.go"
    "api/meta/v1/scalars.go"
    "api/meta/v1/types.go"
    "api/rbac/v1/doc.go"
    "api/rbac/v1/types.go"
};
