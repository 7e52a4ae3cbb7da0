//! The verbs: one file each.
//!
//! A verb takes a [`Call`] and returns a response, or the [`Status`](kindsmith_request::Status) that rejects it.
//! Authorization has happened before.

pub(crate) mod component_status;
pub(crate) mod connect;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod delete_collection;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod patch;
pub(crate) mod pod;
pub(crate) mod scale;
pub(crate) mod token;
pub(crate) mod update;
pub(crate) mod watch;

pub(crate) use crate::context::Call;
