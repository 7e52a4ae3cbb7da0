//! Custom resources: what the API server says to a definition (CRD) and to objects of it, on every kind of write and on read.
//!
//! Knows definitions, plans and the order of a request; no transport, store, clock or files.

pub mod definition;

mod aggregate;
mod body;
mod publish;
mod resource;
mod status;
mod warning;

pub use body::{Body, FieldValidation, Media};
pub use publish::{
    DefinitionOperation, DefinitionOutcome, DefinitionWrite, write_definition, write_patched_definition,
};
pub use resource::{
    Admission, NoAdmission, Operation, Origin, Outcome, ReadError, Resource, ScaleWrite, Stamp, Version,
    Write, Written,
};
pub use status::{Cause, Details, Status};
pub use warning::sent_warnings;
