//! Built-in kinds: Go types as the API server serves them, its own and those of other packages.
//!
//! A [`Kind`] is one kind in one version: a compiled type, and a [`Strategy`] for what the type's tags cannot express.
//! It writes and reads objects like a custom resource. Knows no transport, store or clock.

pub mod amounts;
pub mod pod_admission;
pub mod protobuf;
pub mod quota;
pub mod table;
pub mod types;

mod address;
mod change;
mod condition;
mod conversion;
mod deleted;
mod dual_run;
mod edit;
mod empty;
mod endpoint;
mod field;
mod file_path;
mod internal;
mod kind;
mod node_label;
mod node_selector;
mod pod;
mod registry;
mod resource_name;
mod rule;
mod scale;
mod scheme;
mod selector;
mod settings;
mod signer;
mod strategy;
mod subresource;
mod toleration;
mod twin;
mod unified_diff;
mod write;

pub use change::{Change, Preparation};
pub use conversion::{Conversion, Convert};
pub use dual_run::{HandWritten, HandWrittenError, Mark};
pub use kind::{Kind, Names};
pub use kindsmith_request::{Counts, Declarative, Lifecycle, Tally};
pub use pod::quality as pod_quality;
pub use registry::{find_own, kinds_of, own_kinds};
pub use resource_name::is_extended as is_extended_resource;
pub use scale::{ScalePaths, Scaling, read_scale};
pub use selector::{check_count, check_label, matches as selects};
pub use settings::Settings;
pub use strategy::{ALL_VERBS, GarbageCollection, Plain, Refusal, Strategy};
pub use subresource::Subresource;

pub(crate) use kindsmith_request::DecodedObject;
