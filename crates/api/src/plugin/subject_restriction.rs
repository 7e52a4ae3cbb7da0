//! `CertificateSubjectRestriction`: nobody asks for a client certificate of the administrators' group
//! (plugin/pkg/admission/certificates/subjectrestriction/admission.go).

use kindsmith_gostd::base64;
use kindsmith_gostd::x509::request_organizations;
use kindsmith_json::Value;

use super::{Refusal, Review, text};
use crate::access::MASTERS;

const SIGNER: &str = "kubernetes.io/kube-apiserver-client";

pub(super) fn validate<'a>(review: &Review<'_, '_, 'a>, request: Value<'a>) -> Result<(), Refusal> {
    let is_request = review.is_of("certificates.k8s.io", "certificatesigningrequests", "");
    if !is_request || text(request, &["spec", "signerName"]) != SIGNER {
        return Ok(());
    }
    let pem = base64::decode(text(request, &["spec", "request"]).as_bytes()).unwrap_or_default();
    let groups = request_organizations(&pem);
    match groups.iter().any(|group| group == MASTERS) {
        true => Err(Refusal::Forbidden(format!(
            "use of {SIGNER} signer with {MASTERS} group is not allowed"
        ))),
        false => Ok(()),
    }
}
