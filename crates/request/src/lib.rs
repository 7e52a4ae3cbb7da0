//! What requests for all kinds share: bodies, `Status` errors, warnings, the metadata that the server owns, and the
//! order of a write ([`write_decoded`]).
//!
//! Must not know schemas, resources, the store or the clock: kinds provide their [`WriteSteps`], callers their
//! [`Stamp`].

pub mod body;
pub mod identity;

mod admission;
mod aggregate;
mod declarative;
mod decoded_object;
mod outcome;
mod owners;
mod pools;
mod scale;
mod status;
mod target;
mod warning;
mod write;
mod write_order;
mod write_steps;

pub use admission::{Admission, AdmissionOperation, AdmissionRequest, Mutated, NoAdmission, Undecoded};
pub use aggregate::aggregate;
pub use body::{Body, FieldValidation, Media};
pub use declarative::{Counts, Declarative, Lifecycle, Tally};
pub use decoded_object::DecodedObject;
pub use kindsmith_gostd::x509::Signature;
pub use outcome::{Outcome, Written};
pub use owners::deduplicate;
pub use pools::{FreshPools, Pool, Pools};
pub use scale::{Scale, ScaleSteps, ScaleWrite, write_scale};
pub use status::{Cause, Details, ListMeta, Status};
pub use target::Target;
pub use warning::{Warning, WarningReason, sent_warnings};
pub use write::{Operation, Origin, Stamp, Write};
pub use write_order::{write_decoded, write_object};
pub use write_steps::{Encoded, Validation, WriteContext, WriteSteps};
