//! `validateFalse`: a check that always fails, for tests of the machinery.

use kindsmith_schema::{JsonSchema, TestCheck};

use super::cel_text::{ratcheted, rule_of};
use super::equal;
use super::presence::Member;
use super::reading::Reading;

fn message(check: &TestCheck) -> String {
    format!("forced failure: {}", check.message.as_deref().unwrap_or_default())
}

fn fails(check: &TestCheck) -> bool {
    check.fails && !check.non_error
}

/// Fails for a value that is present; returns whether the zero value is rejected.
pub(crate) fn on_value(check: &TestCheck, member: &Member, node: &mut JsonSchema) -> bool {
    if !fails(check) {
        return false;
    }
    let skipped = member.is_unset_value("self").filter(|_| member.optional);
    let rule = skipped.as_deref().unwrap_or("false");
    node.validations.push(rule_of(rule, &message(check)));
    skipped.is_none()
}

/// Fails for a pointer, whether set or not.
pub(crate) fn on_absent(
    reading: &Reading<'_>,
    check: &TestCheck,
    member: &Member,
    node: &mut JsonSchema,
    parent: &mut JsonSchema,
) {
    if member.optional {
        on_value(check, member, node);
        return;
    }
    if fails(check) {
        let same = equal::members(reading, member, ("self", "oldSelf.value()"));
        let unchanged = same.unwrap_or_else(|| "false".to_owned());
        let failed = ratcheted(&unchanged, "false", &message(check));
        parent.validations.push(member.at(failed));
    }
}
