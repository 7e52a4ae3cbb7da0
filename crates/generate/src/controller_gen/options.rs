//! What a caller decides about CRDs.

use kindsmith_checks::Profile;

use super::Release;

/// Options of controller-gen's `crd` generator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// `ignoreUnexportedFields`: leave out unexported fields.
    pub ignore_unexported_fields: bool,
    /// `allowDangerousTypes`: allow floats.
    pub allow_dangerous_types: bool,
    /// `maxDescLen`: at most this many bytes of description; 0 removes descriptions, negative numbers keep
    /// all.
    pub max_description: Option<i64>,
    /// `generateEmbeddedObjectMeta`: publish the members of embedded metadata.
    pub embedded_object_meta: bool,
    /// `deprecatedV1beta1CompatibilityPreserveUnknownFields`: the value of `spec.preserveUnknownFields`.
    pub preserve_unknown_fields: Option<bool>,
    /// Text before the first line.
    pub header: String,
    /// Which types' `+k8s:` tags are added to CRDs.
    pub tags: Tags,
    /// Publish what Go encodes but controller-gen rejects: fields without a JSON tag, `any`.
    pub go_json: bool,
    /// Known states of the options of declarative validation (`ifEnabled`, `ifDisabled`).
    pub switches: Vec<(String, bool)>,
    /// Which rules apply where the KEPs and Kubernetes differ.
    pub profile: Profile,
    /// Value of the annotation `controller-gen.kubebuilder.io/version`; without one if it is empty
    /// (`omitToolVersion`).
    pub version: String,
    /// The release whose reading of markers is followed.
    pub release: Release,
}

/// Which types' `+k8s:` tags are added to CRDs, in addition to those that controller-gen reads. Defaults of such
/// types follow KEP-1929; with `Used`, those of input packages only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tags {
    /// None: CRDs are identical to controller-gen's.
    Ignore,
    /// Those of packages with tags that controller-gen does not read, if an input package has some; with the KEPs' profile
    /// those of all packages.
    Used,
    /// Those of all packages.
    All,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            ignore_unexported_fields: false,
            allow_dangerous_types: false,
            max_description: None,
            embedded_object_meta: false,
            preserve_unknown_fields: None,
            header: String::new(),
            tags: Tags::Ignore,
            go_json: false,
            switches: Vec::new(),
            profile: Profile::Upstream,
            // The version that controller-gen reports when built from source.
            version: "(devel)".to_owned(),
            release: Release::default(),
        }
    }
}
