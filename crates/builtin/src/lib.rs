//! Built-in kinds: Go types as the API server serves them, its own and those of other packages.
//!
//! A [`Kind`] is one kind in one version: a compiled type, and a [`Strategy`] for what the type's tags cannot express.
//! It writes and reads objects like a custom resource. Knows no transport, store or clock.

pub mod protobuf;
pub mod table;
pub mod types;

mod address;
mod change;
mod edit;
mod endpoint;
mod field;
mod headings;
mod kind;
mod node_label;
mod pem;
mod pod;
mod registry;
mod resource_name;
mod rule;
mod scale;
mod scheme;
mod selector;
mod strategy;
mod subresource;
mod toleration;
mod write;

pub use change::{Change, Preparation};
pub use kind::{Kind, Names};
pub use registry::{find_own, kinds_of, own_kinds};
pub use scale::{Scaling, read_scale};
pub use strategy::{ALL_VERBS, GarbageCollection, Plain, Strategy};
pub use subresource::Subresource;

pub(crate) use kindsmith_request::DecodedObject;
