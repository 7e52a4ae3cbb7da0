//! `CertificateApproval`: who approves a CertificateSigningRequest needs permission for its signer
//! (plugin/pkg/admission/certificates/approval/admission.go).

use kindsmith_json::Value;

use super::signer::{GROUP, REQUESTS, SignerVerb, check_stored};
use super::{Refusal, Review};

pub(crate) fn validate<'a>(review: &Review<'_, 'a>, _: Value<'a>) -> Result<(), Refusal> {
    if !review.is_of(GROUP, REQUESTS, "approval") {
        return Ok(());
    }
    check_stored(review, SignerVerb::Approve)
}
