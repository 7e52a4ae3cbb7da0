//! From Go types to custom resource definitions, byte for byte as controller-gen writes them if it reads the same sources.
//!
//! Three steps, each its own file: `lower` makes a schema with references of every named type, `flatten` replaces
//! the references and merges what meets (`merge`), `definition` wraps the result of all versions of a kind. Markers
//! were read and checked before; this module applies what they left in the schema. It judges no definition.

mod changed;
mod control;
mod definition;
mod describe;
mod dictionary;
mod flatten;
mod known;
pub(crate) mod lower;
pub(crate) mod markers;
pub(crate) mod merge;
pub(crate) mod method_set;
mod next_line;
mod plural;
pub(crate) mod release;
mod structs;
mod text;

use kindsmith_checks::{Profile, kep_immutability};
use kindsmith_schema::{JsonSchema, Place, Schema, TypeId};

use kindsmith_openapi::crd;

pub(crate) use markers::through_floats;
pub use release::Release;

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
    /// Whose `+k8s:` tags are added to CRDs.
    pub tags: Tags,
    /// Publish what Go encodes but controller-gen rejects: fields without a JSON tag, `any`.
    pub go_json: bool,
    /// Known states of the options of declarative validation (`ifEnabled`, `ifDisabled`).
    pub switches: Vec<(String, bool)>,
    /// Whose rules apply where the KEPs and Kubernetes differ.
    pub profile: Profile,
    /// Value of the annotation `controller-gen.kubebuilder.io/version`; without one if it is empty
    /// (`omitToolVersion`).
    pub version: String,
    /// The release whose reading of markers is followed.
    pub release: Release,
}

impl Options {
    /// Whether an option of declarative validation is on; `None` if unknown.
    pub(crate) fn switch(&self, name: &str) -> Option<bool> {
        let known = self.switches.iter().rev().find(|(known, _)| known == name);
        known.map(|(_, on)| *on)
    }
}

/// Whose `+k8s:` tags are added to CRDs, in addition to those that controller-gen reads. Defaults of such
/// types follow KEP-1929.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tags {
    /// None: CRDs are identical to controller-gen's.
    Ignore,
    /// Those of packages with tags that controller-gen does not read, if an input package has some.
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

/// A generated CRD.
#[derive(Debug, Clone)]
pub struct Definition {
    /// The name of its file.
    pub file_name: String,
    /// The document, including the header.
    pub text: String,
    /// The size as JSON in bytes, which is how it is sent and stored.
    pub bytes: usize,
    /// The CRD as a model.
    pub model: crd::Definition,
}

/// A declaration that cannot be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Its place.
    pub place: Place,
    /// The message; controller-gen's if it rejects it too.
    pub message: String,
}

/// The result: CRDs are generated even if there are problems.
#[derive(Debug, Clone, Default)]
pub struct Generated {
    /// By kind and group.
    pub definitions: Vec<Definition>,
    /// In the order found.
    pub problems: Vec<Problem>,
    /// Rules that the server will not enforce, in the order found.
    pub unenforced: Vec<Problem>,
}

/// The schema of one type as in a CRD, and its problems.
#[must_use]
pub fn schema_of(schema: &Schema, ty: TypeId, options: &Options) -> (JsonSchema, Generated) {
    match options.profile {
        Profile::Upstream => definition::one(schema, ty, options),
        Profile::Kep => definition::one(&kep_immutability(schema), ty, options),
    }
}

/// Generates the CRDs of all kinds in the input packages.
#[must_use]
pub fn definitions(schema: &Schema, options: &Options) -> Generated {
    match options.profile {
        Profile::Upstream => definition::all(schema, options),
        Profile::Kep => definition::all(&kep_immutability(schema), options),
    }
}
