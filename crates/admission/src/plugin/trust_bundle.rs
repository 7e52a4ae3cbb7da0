//! `ClusterTrustBundleAttest`: a bundle of a signer is written by who may attest for it
//! (plugin/pkg/admission/certificates/ctbattest/admission.go).

use kindsmith_json::Value;

use super::signer::{GROUP, SignerVerb, check_signer};
use super::{Refusal, Review};

pub(crate) fn validate<'a>(review: &Review<'_, 'a>, bundle: Value<'a>) -> Result<(), Refusal> {
    let request = review.request;
    if (request.group, request.resource) != (GROUP, "clustertrustbundles") {
        return Ok(());
    }
    let signer = bundle.text(&["spec", "signerName"]);
    let is_unchanged = request.old.is_some_and(|old| is_same(review, old, bundle));
    if signer.is_empty() || is_unchanged {
        return Ok(());
    }
    check_signer(review, SignerVerb::Attest, signer)
}

/// Whether only finalizers and owners differ, which garbage collection changes.
fn is_same<'a>(review: &Review<'_, 'a>, old: Value<'a>, new: Value<'a>) -> bool {
    const FREE: [&str; 3] = ["finalizers", "ownerReferences", "managedFields"];
    let rest = |mut bundle: Value<'a>| {
        for key in FREE {
            bundle.unset(review.arena, &["metadata", key]);
        }
        bundle
    };
    rest(old) == rest(new)
}
