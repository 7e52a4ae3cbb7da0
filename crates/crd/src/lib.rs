//! CRDs and custom resources: validation of CRDs, and reads and writes of CRDs and of their objects.
//!
//! Knows no transport, store, clock or files.

pub mod definition;

mod resource;
mod write;

/// Shared by writes of all kinds.
pub use kindsmith_request::{
    Admission, Body, Cause, Details, FieldValidation, Media, NoAdmission, Operation, Origin, Outcome,
    ScaleWrite, Stamp, Status, Warning, WarningReason, Write, Written, identity, sent_warnings,
};
pub use resource::{
    CheckedWrite, ConversionError, Converter, InCode, ReadError, Refusal, Resource, Rules, Version,
    accept_converted,
};
pub use write::{CrdResource, Typed, strict_warning};
