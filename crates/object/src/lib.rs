//! What all Kubernetes objects share: metadata as the API server reads, rewrites and judges it, and the words for what
//! is wrong with an object.
//!
//! Must not know any kind, schema form, request, store or clock.

mod field_error;
pub mod meta;
mod trace;

pub use field_error::{BadValue, Detail, ErrorKind, FieldError, UnionVerdict};
pub use trace::{Event, NoTrace, Trace};
