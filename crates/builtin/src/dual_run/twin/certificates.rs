//! Certificate signing requests and trust bundles.

use kindsmith_json::Value;
use kindsmith_object::ErrorKind::Invalid;
use kindsmith_object::FieldError;

use super::place::Spot;
use super::{Requirement, Twin, at};
use crate::field::Errors;
use crate::field_check::{invalid_text, items, text};

pub(super) const SIGNING_REQUEST: &[Twin] = &[at("status.conditions", &[Requirement::Code(check_verdict)])];

/// A request is approved or denied. One that was both already may stay so.
fn check_verdict(conditions: &Spot<'_, '_>, errors: &mut Errors) {
    let is_both = |conditions: Option<Value<'_>>| {
        let has = |kind: &str| {
            let mut conditions = items(conditions).iter();
            conditions.any(|condition| text(condition.get("type")) == kind)
        };
        has("Approved") && has("Denied")
    };
    if is_both(conditions.value) && !is_both(conditions.old) {
        let detail = "Approved and Denied conditions are mutually exclusive";
        let kinds = items(conditions.value)
            .iter()
            .map(|condition| text(condition.get("type")));
        let mut kinds = kinds;
        let last = kinds.rfind(|kind| matches!(*kind, "Approved" | "Denied"));
        errors.push(FieldError {
            origin: "zeroOrOneOf".into(),
            ..invalid_text(conditions.path, last.unwrap_or_default(), detail)
        });
    }
}

pub(super) const TRUST_BUNDLE: &[Twin] = &[at(
    "spec.signerName",
    &[Requirement::Found(Invalid, "immutable", "field is immutable")],
)];
