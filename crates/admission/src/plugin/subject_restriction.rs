//! `CertificateSubjectRestriction`: nobody asks for a client certificate of the administrators' group
//! (plugin/pkg/admission/certificates/subjectrestriction/admission.go).

use kindsmith_gostd::base64;
use kindsmith_gostd::x509::request_organizations;
use kindsmith_json::Value;
use kindsmith_object::well_known::group::MASTERS;

use super::signer::{GROUP, REQUESTS};
use super::{Refusal, Review};

const SIGNER: &str = "kubernetes.io/kube-apiserver-client";

pub(crate) fn validate<'a>(review: &Review<'_, 'a>, request: Value<'a>) -> Result<(), Refusal> {
    let is_request = review.is_of(GROUP, REQUESTS, "");
    if !is_request || request.text(&["spec", "signerName"]) != SIGNER {
        return Ok(());
    }
    let pem = base64::decode(request.text(&["spec", "request"]).as_bytes()).unwrap_or_default();
    let groups = request_organizations(&pem);
    if groups.iter().any(|group| group == MASTERS) {
        Err(Refusal::Forbidden(format!(
            "use of {SIGNER} signer with {MASTERS} group is not allowed"
        )))
    } else {
        Ok(())
    }
}
