//! What requests and answers of every kind of object have in common: bodies, `Status` errors, warnings, and the metadata
//! that the server itself writes and guards.
//!
//! Knows no schema, no resource, no store and no clock.

pub mod body;
pub mod identity;

mod admission;
mod aggregate;
mod outcome;
mod owners;
mod status;
mod warning;
mod write;

pub use admission::{Admission, NoAdmission};
pub use aggregate::aggregate;
pub use body::{Body, FieldValidation, Media};
pub use outcome::{Outcome, Written};
pub use owners::deduplicate;
pub use status::{Cause, Details, Status};
pub use warning::sent_warnings;
pub use write::{Operation, Origin, Stamp, Write};
