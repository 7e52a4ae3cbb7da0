//! `CertificateApproval` and `CertificateSigning`: who approves or signs a CertificateSigningRequest needs permission for its
//! signer (plugin/pkg/admission/certificates).

use kindsmith_gostd::quote::quote;
use kindsmith_json::Value;

use super::{Refusal, Review, text};
use crate::Attributes;
use crate::verb::Call;

const GROUP: &str = "certificates.k8s.io";
const REQUESTS: &str = "certificatesigningrequests";

/// The verbs of signers.
#[derive(Debug, Clone, Copy)]
pub(super) enum SignerVerb {
    Approve,
    Sign,
    Attest,
}

impl SignerVerb {
    fn name(self) -> &'static str {
        match self {
            SignerVerb::Approve => "approve",
            SignerVerb::Sign => "sign",
            SignerVerb::Attest => "attest",
        }
    }

    fn refusal(self, signer: &str) -> Refusal {
        let (name, signer) = (self.name(), quote(signer));
        Refusal::Forbidden(match self {
            SignerVerb::Attest => format!("user not permitted to attest for signerName {signer}"),
            _ => format!("user not permitted to {name} requests with signerName {signer}"),
        })
    }
}

/// Whether the user of a call may sign for a signer.
pub(crate) fn may_sign(call: &Call<'_>, signer: &str) -> bool {
    may_act(call, SignerVerb::Sign, signer)
}

/// Refuses users who may not act for a signer.
pub(super) fn check_signer(
    review: &Review<'_, '_, '_>,
    verb: SignerVerb,
    signer: &str,
) -> Result<(), Refusal> {
    match may_act(review.call, verb, signer) {
        true => Ok(()),
        false => Err(verb.refusal(signer)),
    }
}

/// Whether a user may act for a signer, by its name or by all names of its domain.
fn may_act(call: &Call<'_>, verb: SignerVerb, signer: &str) -> bool {
    let domain = signer.split_once('/').map_or(signer, |(domain, _)| domain);
    let all = format!("{domain}/*");
    let may = |name: &str| {
        let asked = call.api.access.authorize(&Attributes {
            user: call.request.user,
            verb: verb.name(),
            is_resource: true,
            namespace: "",
            group: GROUP,
            resource: "signers",
            subresource: "",
            name,
            path: "",
        });
        asked.is_ok_and(|decision| decision.is_allowed)
    };
    may(signer) || may(&all)
}

/// Judged by the stored request, whatever signer the new one names.
fn stored_signer<'a>(review: &Review<'_, '_, 'a>) -> &'a str {
    text(review.request.old.unwrap_or_default(), &["spec", "signerName"])
}

pub(super) fn check_approval<'a>(review: &Review<'_, '_, 'a>, _: Value<'a>) -> Result<(), Refusal> {
    if !review.is_of(GROUP, REQUESTS, "approval") {
        return Ok(());
    }
    check_signer(review, SignerVerb::Approve, stored_signer(review))
}

pub(super) fn check_signing<'a>(review: &Review<'_, '_, 'a>, request: Value<'a>) -> Result<(), Refusal> {
    if !review.is_of(GROUP, REQUESTS, "status") {
        return Ok(());
    }
    let old = review.request.old.unwrap_or_default();
    let is_same = |key: &str| old.lookup(&["status", key]) == request.lookup(&["status", key]);
    if is_same("certificate") && is_same("conditions") {
        return Ok(());
    }
    check_signer(review, SignerVerb::Sign, stored_signer(review))
}
