//! `CertificateSigning`: who signs a CertificateSigningRequest needs permission for its signer
//! (plugin/pkg/admission/certificates/signing/admission.go).

use kindsmith_json::Value;

use super::signer::{GROUP, REQUESTS, SignerVerb, check_stored};
use super::{Refusal, Review};

pub(crate) fn validate<'a>(review: &Review<'_, 'a>, request: Value<'a>) -> Result<(), Refusal> {
    if !review.is_of(GROUP, REQUESTS, "status") {
        return Ok(());
    }
    let old = review.request.old.unwrap_or_default();
    let is_same = |key: &str| old.lookup(&["status", key]) == request.lookup(&["status", key]);
    if is_same("certificate") && is_same("conditions") {
        return Ok(());
    }
    check_stored(review, SignerVerb::Sign)
}
