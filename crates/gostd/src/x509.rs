//! Certificates, requests for them, and what they consist of (crypto/x509), as far as Kubernetes reads them.
//! Knows no cryptography: a [`Signature`] is data for whoever can verify it.

mod certificate;
mod parts;
mod public_key;
mod request;
mod signature;
mod subject;

pub use certificate::{Certificate, is_authority, read as read_certificate};
pub use parts::{Parts, parts};
pub use public_key::PublicKey;
pub use request::{Request, read as read_request};
pub use signature::{Signature, SignatureHash, SignatureKey};
pub use subject::{RequestError, Subject, request_common_name, request_organizations};
