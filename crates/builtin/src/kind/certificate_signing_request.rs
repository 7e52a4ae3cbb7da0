//! Requests for certificates (pkg/registry/certificates/certificates/strategy.go and
//! pkg/apis/certificates/validation/validation.go).

mod validate;

use kindsmith_json::{Arena, Value};
use kindsmith_object::FieldError;
use kindsmith_object::meta::NameRule;

use crate::rule::{items, text};
use crate::{Change, Draft, Preparation, Strategy, Subresource};

#[derive(Debug)]
pub(crate) struct CertificateSigningRequest;

const APPROVAL: Subresource = Subresource::of("approval");
const CONDITIONS: [&str; 2] = ["status", "conditions"];

impl Strategy for CertificateSigningRequest {
    /// Nobody cares what requests are called, so long as a path can hold it.
    fn name_rule(&self) -> NameRule {
        NameRule::PathSegment
    }

    fn short_names(&self) -> &'static [&'static str] {
        &["csr"]
    }

    fn subresources(&self) -> &'static [Subresource] {
        &[APPROVAL, Subresource::STATUS]
    }

    fn reset_fields(&self, part: &str) -> &'static [&'static [&'static str]] {
        match part {
            "status" => &[&["spec"], &["status", "conditions"]],
            "approval" => &[&["spec"], &["status", "certificate"]],
            _ => &[&["spec"], &["status"]],
        }
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut Draft<'a>) {
        let arena = preparation.arena;
        let Some(old) = preparation.old else {
            draft.object.remove(arena, "status");
            return set_user(arena, draft, preparation.user);
        };
        draft.restore(arena, "spec", old);
        match preparation.part {
            "status" => {
                keep_approval(arena, draft, old);
                stamp_conditions(arena, draft, old, preparation.now);
            }
            "approval" => {
                stamp_conditions(arena, draft, old, preparation.now);
                let conditions = draft.get(&CONDITIONS);
                draft.restore(arena, "status", old);
                match conditions {
                    Some(conditions) => draft.set(arena, &CONDITIONS, conditions),
                    None => draft.unset(arena, &CONDITIONS),
                }
            }
            _ => draft.restore(arena, "status", old),
        }
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        validate::validate(change, errors);
    }
}

/// Who asks is for the server to say.
fn set_user<'a>(arena: &'a Arena, draft: &mut Draft<'a>, user: Option<Value<'a>>) {
    for key in ["username", "uid", "groups", "extra"] {
        match user.and_then(|user| user.get(key)) {
            Some(value) => draft.set(arena, &["spec", key], value),
            None => draft.unset(arena, &["spec", key]),
        }
    }
}

/// Conditions of approval that are still there as often as before are those of before.
fn keep_approval<'a>(arena: &'a Arena, draft: &mut Draft<'a>, old: &Draft<'a>) {
    let before = items(old.get(&CONDITIONS));
    let mut after = items(draft.get(&CONDITIONS)).to_vec();
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
        draft.set(arena, &CONDITIONS, Value::Array(arena.alloc_slice_copy(&after)));
    }
}

/// Conditions without times get them: now, or when the same condition came.
fn stamp_conditions<'a>(arena: &'a Arena, draft: &mut Draft<'a>, old: &Draft<'a>, now: &'a str) {
    let before = items(old.get(&CONDITIONS));
    let mut after = items(draft.get(&CONDITIONS)).to_vec();
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
        draft.set(arena, &CONDITIONS, Value::Array(arena.alloc_slice_copy(&after)));
    }
}
