//! `DenyServiceExternalIPs`: services get no new external addresses
//! (plugin/pkg/admission/network/denyserviceexternalips/admission.go).

use kindsmith_json::Value;

use super::{Refusal, Review};

pub(crate) fn validate<'a>(review: &Review<'_, 'a>, service: Value<'a>) -> Result<(), Refusal> {
    let addresses = |service: Value<'a>| service.list(&["spec", "externalIPs"]);
    let old = review.request.old.map(addresses).unwrap_or_default();
    let is_new = |address: &Value<'a>| !old.contains(address);
    if review.is_of("", "services", "") && addresses(service).iter().any(is_new) {
        Err(Refusal::Forbidden(
            "Use of external IPs is denied by admission control".to_owned(),
        ))
    } else {
        Ok(())
    }
}
