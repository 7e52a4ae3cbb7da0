//! Certificate signing requests (pkg/registry/certificates/certificates/strategy.go and
//! pkg/apis/certificates/validation/validation.go).

mod validate;

use kindsmith_json::{Arena, Value};
use kindsmith_object::FieldError;
use kindsmith_object::meta::NameRule;

use crate::field_check::{items, text};
use crate::table::{Heading, Row, Table, column, human, text_of};
use crate::{Change, DecodedObject, Names, Preparation, Strategy, Subresource};

#[derive(Debug)]
pub(crate) struct CertificateSigningRequest;

const APPROVAL: Subresource = Subresource::of("approval").untabled();
const CONDITIONS: [&str; 2] = ["status", "conditions"];

impl Strategy for CertificateSigningRequest {
    fn table(&self, _: &Names) -> Table {
        Table {
            headings: HEADINGS,
            cells,
        }
    }

    fn selectable_fields(&self, _: &Names) -> Option<&'static [&'static str]> {
        Some(&["metadata.name", "spec.signerName"])
    }

    /// Any name that fits into a path is allowed.
    fn name_rule(&self) -> NameRule {
        // Any name will do; that it fits into a URL is checked for all kinds.
        NameRule::Tagged
    }

    fn short_names(&self) -> &'static [&'static str] {
        &["csr"]
    }

    fn subresources(&self) -> &'static [Subresource] {
        &[APPROVAL, Subresource::STATUS]
    }

    fn reset_fields(&self, subresource: &str) -> &'static [&'static [&'static str]] {
        match subresource {
            "status" => &[&["spec"], &["status", "conditions"]],
            "approval" => &[&["spec"], &["status", "certificate"]],
            _ => &[&["spec"], &["status"]],
        }
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, decoded: &mut DecodedObject<'a>) {
        let arena = preparation.arena;
        let Some(old) = preparation.old else {
            decoded.object.remove(arena, "status");
            return set_user(arena, decoded, preparation.user);
        };
        decoded.restore(arena, "spec", old);
        match preparation.subresource {
            "status" => {
                keep_approval(arena, decoded, old);
                stamp_conditions(arena, decoded, old, preparation.now);
            }
            "approval" => {
                stamp_conditions(arena, decoded, old, preparation.now);
                let conditions = decoded.get(&CONDITIONS);
                decoded.restore(arena, "status", old);
                match conditions {
                    Some(conditions) => decoded.set(arena, &CONDITIONS, conditions),
                    None => decoded.unset(arena, &CONDITIONS),
                }
            }
            _ => decoded.restore(arena, "status", old),
        }
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        validate::validate(change, errors);
    }
}

/// The server sets the requesting user.
fn set_user<'a>(arena: &'a Arena, decoded: &mut DecodedObject<'a>, user: Option<Value<'a>>) {
    for key in ["username", "uid", "groups", "extra"] {
        match user.and_then(|user| user.get(key)) {
            Some(value) => decoded.set(arena, &["spec", key], value),
            None => decoded.unset(arena, &["spec", key]),
        }
    }
}

/// Keeps the old approval conditions if each is still there as often as before.
fn keep_approval<'a>(arena: &'a Arena, decoded: &mut DecodedObject<'a>, old: &DecodedObject<'a>) {
    let before = items(old.get(&CONDITIONS));
    let mut after = items(decoded.get(&CONDITIONS)).to_vec();
    for kind in ["Approved", "Denied"] {
        let is_kind = |condition: &&Value<'_>| text(condition.get("type")) == kind;
        let kept: Vec<Value<'a>> = before.iter().filter(is_kind).copied().collect();
        if after.iter().filter(is_kind).count() != kept.len() {
            continue;
        }
        let places = after
            .iter_mut()
            .filter(|condition| text(condition.get("type")) == kind);
        for (place, condition) in places.zip(kept) {
            *place = condition;
        }
    }
    if !after.is_empty() {
        decoded.set(arena, &CONDITIONS, Value::Array(arena.alloc_slice_copy(&after)));
    }
}

/// Sets missing times of conditions: that of the same old condition, or now.
fn stamp_conditions<'a>(
    arena: &'a Arena,
    decoded: &mut DecodedObject<'a>,
    old: &DecodedObject<'a>,
    now: &'a str,
) {
    let before = items(old.get(&CONDITIONS));
    let mut after = items(decoded.get(&CONDITIONS)).to_vec();
    for condition in &mut after {
        if text(condition.get("lastUpdateTime")).is_empty() {
            condition.set(arena, &["lastUpdateTime"], Value::Str(now));
        }
        if text(condition.get("lastTransitionTime")).is_empty() {
            let is_same = |other: &&Value<'_>| {
                other.get("type") == condition.get("type")
                    && other.get("status") == condition.get("status")
                    && !text(other.get("lastTransitionTime")).is_empty()
            };
            let since = before.iter().find(is_same);
            let since = since.and_then(|other| other.get("lastTransitionTime"));
            condition.set(arena, &["lastTransitionTime"], since.unwrap_or(Value::Str(now)));
        }
    }
    if !after.is_empty() {
        decoded.set(arena, &CONDITIONS, Value::Array(arena.alloc_slice_copy(&after)));
    }
}

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::AGE,
    column::text(
        "SignerName",
        "certificates/v1.CertificateSigningRequestSpec.signerName",
    ),
    column::text(
        "Requestor",
        "certificates/v1.CertificateSigningRequestSpec.username",
    ),
    column::text(
        "RequestedDuration",
        "certificates/v1.CertificateSigningRequestSpec.expirationSeconds",
    ),
    column::text(
        "Condition",
        "certificates/v1.CertificateSigningRequestStatus.conditions",
    ),
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let signer = match row.text("spec.signerName") {
        "" => "<none>",
        signer => signer,
    };
    let duration = match row.at("spec.expirationSeconds").as_i64() {
        Some(seconds) => human(i128::from(seconds) * 1_000_000_000),
        None => "<none>".to_owned(),
    };
    let has = |ty: &str| {
        let mut conditions = row.items("status.conditions").iter();
        conditions.any(|condition| text_of(*condition, "type") == ty)
    };
    let mut status = match (has("Denied"), has("Approved")) {
        (true, _) => "Denied",
        (false, true) => "Approved",
        (false, false) => "Pending",
    }
    .to_owned();
    if has("Failed") {
        status.push_str(",Failed");
    }
    if !row.text("status.certificate").is_empty() {
        status.push_str(",Issued");
    }
    vec![
        row.name(),
        row.age(),
        Value::Str(signer),
        Value::Str(row.text("spec.username")),
        row.cell(&duration),
        row.cell(&status),
    ]
}
