//! Built-in kinds: Go types as the API server serves them, its own ones and those of other packages.
//!
//! A [`Kind`] is one kind in one version: a compiled type, and a [`Strategy`] for what the type's tags do not say. It
//! writes and reads objects in the same way as a custom resource does. Knows no transport, store or clock.

mod kind;
pub mod protobuf;
mod strategy;
pub mod types;

pub use kind::{Kind, Names};
pub use strategy::{Plain, Strategy};
