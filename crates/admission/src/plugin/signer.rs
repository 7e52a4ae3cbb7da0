//! Who may act for a signer of certificates (plugin/pkg/admission/certificates).

use kindsmith_cel::access::{Authorizer, Resource};
use kindsmith_gostd::quote::quote;

use super::review::forbid;
use super::server::ask;
use super::{Refusal, Review};

pub(super) const GROUP: &str = "certificates.k8s.io";
pub(super) const REQUESTS: &str = "certificatesigningrequests";

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
}

/// Whether the user may sign for a signer.
#[must_use]
pub fn may_sign(authorizer: &dyn Authorizer, signer: &str) -> bool {
    may_act(authorizer, SignerVerb::Sign, signer)
}

/// Refuses users who may not act for a signer.
pub(super) fn check_signer(review: &Review<'_, '_>, verb: SignerVerb, signer: &str) -> Result<(), Refusal> {
    if may_act(review.server.authorizer(), verb, signer) {
        return Ok(());
    }
    let (name, signer) = (verb.name(), quote(signer));
    forbid(match verb {
        SignerVerb::Attest => format!("user not permitted to attest for signerName {signer}"),
        _ => format!("user not permitted to {name} requests with signerName {signer}"),
    })
}

/// Refuses users who may not act for the signer of a stored request, whatever signer the new one names.
pub(super) fn check_stored(review: &Review<'_, '_>, verb: SignerVerb) -> Result<(), Refusal> {
    let old = review.request.old.unwrap_or_default();
    check_signer(review, verb, old.text(&["spec", "signerName"]))
}

/// Whether a user may act for a signer, by its name or by all names of its domain.
fn may_act(authorizer: &dyn Authorizer, verb: SignerVerb, signer: &str) -> bool {
    let domain = signer.split_once('/').map_or(signer, |(domain, _)| domain);
    let may = |name: String| {
        let resource = Resource {
            group: GROUP.to_owned(),
            resource: "signers".to_owned(),
            name,
            ..Resource::default()
        };
        ask(authorizer, verb.name(), resource).is_allowed
    };
    may(signer.to_owned()) || may(format!("{domain}/*"))
}
