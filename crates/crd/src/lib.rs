//! Custom resources: what the API server says to a definition (CRD) and to objects of it, on every kind of write and on read.
//!
//! Knows definitions, plans and the order of a request; no transport, store, clock or files.

pub mod definition;

mod publish;
mod resource;

/// What writes of all kinds have in common.
pub use kindsmith_request::{
    Admission, Body, Cause, Details, FieldValidation, Media, NoAdmission, Operation, Origin, Outcome, Stamp,
    Status, Write, Written, sent_warnings,
};
pub use publish::{
    DefinitionOperation, DefinitionOutcome, DefinitionWrite, write_definition, write_patched_definition,
};
pub use resource::{ReadError, Resource, ScaleWrite, Version};
