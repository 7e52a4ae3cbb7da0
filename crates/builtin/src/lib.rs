//! Built-in kinds: Go types as the API server serves them, its own and those of other packages.
//!
//! A [`Kind`] is one kind in one version: a compiled type, and a [`Strategy`] for what the type's tags cannot express.
//! It writes and reads objects like a custom resource. Knows no transport, store or clock.

pub mod protobuf;
pub mod quota;
pub mod table;
pub mod types;

mod dual_run;
mod edit;
mod field;
mod field_check;
mod go_value;
mod kind;
mod part;
mod pod;
mod registry;
mod served_kind;
mod strategy;
mod write;

pub use dual_run::{HandWritten, HandWrittenError, Mark};
pub use kind::{converted_annotation, validate_access_review};
pub use kindsmith_request::{Counts, Declarative, Lifecycle, Tally};
pub use part::amounts;
pub use part::resource_name::is_extended as is_extended_resource;
pub use part::selector::matches as selects;
pub use part::volume_source::source_key as volume_source_key;
pub use pod::{quality as pod_quality, without_init as without_init_annotations};
pub use registry::{find_own, find_own_resource, kinds_of, own_kinds};
pub use served_kind::{Kind, decode_patched_scale, read_scale};
pub use strategy::{
    ALL_VERBS, Change, Conversion, Convert, GarbageCollection, Names, Plain, Preparation, Refusal,
    ScalePaths, Scaling, Settings, Strategy, Subresource,
};
pub use write::literal;

pub(crate) use kindsmith_request::DecodedObject;
