//! From Go types to custom resource definitions, byte for byte as controller-gen writes them if it reads the same sources.
//!
//! Three steps, each its own file: `lower` makes a schema with references of every named type, `flatten` replaces
//! the references and merges what meets (`merge`), `definition` wraps the result of all versions of a kind. Markers
//! were read and checked before; this module applies what they left in the schema. It judges no definition.

mod control;
mod definition;
mod describe;
mod dictionary;
mod flatten;
mod known;
pub(crate) mod lower;
pub(crate) mod markers;
pub(crate) mod merge;
mod next_line;
mod plural;
mod structs;
mod text;

use kindsmith_schema::{JsonSchema, Place, Schema, TypeId};

use kindsmith_openapi::crd;

pub(crate) use markers::through_floats;

/// What controller-gen's `crd` generator can be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// `ignoreUnexportedFields`: unexported fields are left out.
    pub ignore_unexported_fields: bool,
    /// `allowDangerousTypes`: floats are published.
    pub allow_dangerous_types: bool,
    /// `maxDescLen`: at most so many bytes of description; none at all for 0, all of it for negative numbers.
    pub max_description: Option<i64>,
    /// `generateEmbeddedObjectMeta`: members of embedded metadata are published.
    pub embedded_object_meta: bool,
    /// `deprecatedV1beta1CompatibilityPreserveUnknownFields`: the value of `spec.preserveUnknownFields`.
    pub preserve_unknown_fields: Option<bool>,
    /// Text before the first line.
    pub header: String,
    /// Whose `+k8s:` tags are carried into definitions.
    pub tags: Tags,
    /// What Go encodes and controller-gen refuses is published: fields without a JSON tag, `any`.
    pub go_json: bool,
    /// Options of declarative validation (`ifEnabled`, `ifDisabled`) that are known to be on or off.
    pub switches: Vec<(String, bool)>,
    /// Value of the annotation `controller-gen.kubebuilder.io/version`.
    pub version: String,
}

impl Options {
    /// Whether an option of declarative validation is on; none if nothing is known of it.
    pub(crate) fn switch(&self, name: &str) -> Option<bool> {
        let known = self.switches.iter().rev().find(|(known, _)| known == name);
        known.map(|(_, on)| *on)
    }
}

/// Whose `+k8s:` tags are carried into definitions, beyond those that controller-gen reads itself. Defaults of such
/// types follow KEP-1929.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tags {
    /// Nobody's: definitions are those of controller-gen.
    Ignore,
    /// Those of packages that use tags controller-gen does not read, if one that was asked for does.
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
            // What controller-gen says of itself when it was built from source.
            version: "(devel)".to_owned(),
        }
    }
}

/// A generated definition.
#[derive(Debug, Clone)]
pub struct Definition {
    /// The file it belongs in.
    pub file_name: String,
    /// The document, with the header before it.
    pub text: String,
    /// How many bytes it has as JSON, the form it is sent and stored in.
    pub bytes: usize,
    /// The same as a model.
    pub model: crd::Definition,
}

/// Something that cannot be published as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// What is wrong; controller-gen's words where it refuses it.
    pub message: String,
}

/// What generating gave: definitions are made even where there are problems.
#[derive(Debug, Clone, Default)]
pub struct Generated {
    /// In the order of kind and group.
    pub definitions: Vec<Definition>,
    /// In the order found.
    pub problems: Vec<Problem>,
    /// What the server will not enforce, in the order found.
    pub unenforced: Vec<Problem>,
}

/// The schema of one type as a definition would have it, and what is wrong with it.
#[must_use]
pub fn schema_of(schema: &Schema, ty: TypeId, options: &Options) -> (JsonSchema, Generated) {
    definition::one(schema, ty, options)
}

/// Makes the definitions of all kinds of the packages that were asked for.
#[must_use]
pub fn definitions(schema: &Schema, options: &Options) -> Generated {
    definition::all(schema, options)
}
