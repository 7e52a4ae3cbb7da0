//! From Go types to custom resource definitions, byte for byte as controller-gen writes them if it reads the same sources.
//!
//! Three steps, each its own file: `lower` makes a schema with references of every named type, `flatten` replaces
//! the references and merges what meets (`merge`), `definition` wraps the result of all versions of a kind. Markers
//! were read and checked before; this module applies what they left in the schema. It judges no definition.

mod changed;
mod children;
mod control;
mod definition;
mod describe;
mod dictionary;
mod flatten;
mod generated;
mod known;
pub(crate) mod lower;
mod markers;
pub(crate) mod merge;
mod merge_keywords;
pub(crate) mod method_set;
mod next_line;
mod options;
mod plural;
pub(crate) mod release;
mod text;
mod tighten;

use kindsmith_checks::{Profile, kep_immutability};
use kindsmith_schema::{JsonSchema, Schema, TypeId};

pub use generated::{About, Definition, Generated, Problem};
pub use options::{Options, Tags};
pub use plural::pluralize;
pub use release::Release;

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
