//! `diff-pattern`: texts must match another expression.

use kindsmith_gostd::regexp::Regexp;
use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::closed;
use crate::node::Node;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-pattern", Tool::Kindsmith, include_str!("pattern.md"));

pub(crate) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    let (old, new) = (&*node.old.pattern, &*node.new.pattern);
    if old == new {
        return;
    }
    if new.is_empty() {
        report.add(Class::Compatible, &node.path, format!("the pattern `{old}` is gone"));
        return;
    }
    let message = if old.is_empty() { format!("must match `{new}` now") } else { format!("must match `{new}` instead of `{old}`") };
    if node.keeps_texts(|text| closed::matches(new, text)) || is_wider(old, new) {
        report.add(Class::Compatible, &node.path, message);
        return;
    }
    report
        .add(node.tightened(), &node.path, message)
        .stored(node.stored());
}

/// Whether every text that matches the old pattern matches the new one. Where that is too hard to decide, it is not known.
fn is_wider(old: &str, new: &str) -> bool {
    let (Ok(old), Ok(new)) = (Regexp::new(old), Regexp::new(new)) else {
        return false;
    };
    old.implies(&new) == Some(true)
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    #[test]
    fn patterns_come_go_and_change() {
        let of = |pattern: &str| format!("properties: {{f: {{type: string, pattern: '{pattern}'}}}}");
        check(&FINDING, &of(""), &of("^a"), &["ratchets spec.f: must match `^a` now"]);
        check(&FINDING, &of("^a"), &of("^b"), &["ratchets spec.f: must match `^b` instead of `^a`"]);
        check(&FINDING, &of("^a"), &of(""), &["compatible spec.f: the pattern `^a` is gone"]);
        check(&FINDING, &of("^a"), &of("^a"), &[]);
    }

    #[test]
    fn a_wider_pattern_refuses_nothing() {
        let of = |pattern: &str| format!("properties: {{f: {{type: string, pattern: '{pattern}'}}}}");
        let (name, wider) = (of("^[a-z]([-a-z0-9]*[a-z0-9])?$"), of("^[-a-z0-9]+$"));
        check(
            &FINDING,
            &name,
            &wider,
            &["compatible spec.f: must match `^[-a-z0-9]+$` instead of `^[a-z]([-a-z0-9]*[a-z0-9])?$`"],
        );
        check(
            &FINDING,
            &wider,
            &name,
            &["ratchets spec.f: must match `^[a-z]([-a-z0-9]*[a-z0-9])?$` instead of `^[-a-z0-9]+$`"],
        );
        check(&FINDING, &of("^a+$"), &of("^aa*$"), &["compatible spec.f: must match `^aa*$` instead of `^a+$`"]);
    }

    #[test]
    fn a_pattern_that_all_old_values_match_refuses_nothing() {
        let of = |rest: &str| format!("properties: {{f: {{type: string, {rest}}}}}");
        let (system, open) = (of("enum: [System, User]"), of("pattern: '^[A-Z][a-z]+$'"));
        check(&FINDING, &system, &open, &["compatible spec.f: must match `^[A-Z][a-z]+$` now"]);
        let lower = of("pattern: '^[a-z]+$'");
        check(&FINDING, &system, &lower, &["ratchets spec.f: must match `^[a-z]+$` now"]);
        let (few, more) = (of("pattern: '^(a|b)$'"), of("pattern: '^(a|b|c)$'"));
        check(&FINDING, &few, &more, &["compatible spec.f: must match `^(a|b|c)$` instead of `^(a|b)$`"]);
        check(&FINDING, &more, &few, &["ratchets spec.f: must match `^(a|b)$` instead of `^(a|b|c)$`"]);
        check(&FINDING, &of("enum: [1, a]"), &open, &["ratchets spec.f: must match `^[A-Z][a-z]+$` now"]);
    }
}
