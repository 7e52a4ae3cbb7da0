//! Kubernetes' own basic types, for reading an API without its dependencies at hand. Written as Go packages, and
//! used only where the real ones are not found.

/// The source of a built-in package, if `path` is one.
pub(super) fn source(path: &str) -> Option<&'static str> {
    PACKAGES
        .iter()
        .find(|(known, _)| *known == path)
        .map(|(_, source)| *source)
}

const PACKAGES: &[(&str, &str)] = &[
    (
        "k8s.io/apimachinery/pkg/apis/meta/v1",
        include_str!("builtin/meta_v1.go"),
    ),
    (
        "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured",
        include_str!("builtin/unstructured.go"),
    ),
    ("k8s.io/apimachinery/pkg/types", include_str!("builtin/types.go")),
    (
        "k8s.io/apimachinery/pkg/api/resource",
        include_str!("builtin/resource.go"),
    ),
    (
        "k8s.io/apimachinery/pkg/util/intstr",
        include_str!("builtin/intstr.go"),
    ),
    (
        "k8s.io/apimachinery/pkg/runtime",
        include_str!("builtin/runtime.go"),
    ),
    (
        "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1",
        include_str!("builtin/apiextensions_v1.go"),
    ),
];
