//! `diff-default`: a default appears, disappears or changes.

use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::node::Node;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-default", Tool::Kindsmith, include_str!("default.md"));

pub(crate) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    match (&node.old.default, &node.new.default) {
        (None, Some(new)) => {
            report
                .add(Class::Meaning, &node.path, format!("an unset field defaults to {new} now"))
                .stored("stored objects without it are read with the default");
        }
        (Some(old), None) if node.required.new => {
            report
                .add(Class::BreaksClients, &node.path, format!("the field must be set: its default {old} is gone"))
                .help("make the field optional, or keep the default");
        }
        (Some(old), None) => {
            report
                .add(Class::Meaning, &node.path, format!("an unset field stays unset: its default {old} is gone"))
                .stored("objects that were stored with the default keep it");
        }
        (Some(old), Some(new)) if old != new => {
            report
                .add(Class::Meaning, &node.path, format!("the default changes from {old} to {new}"))
                .stored("objects that were stored with the old default keep it");
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    fn field(default: &str, rest: &str) -> String {
        format!("properties: {{f: {{type: string{default}}}}}{rest}")
    }

    #[test]
    fn defaults_come_go_and_change() {
        let (none, a, b) = (field("", ""), field(", default: a", ""), field(", default: b", ""));
        check(&FINDING, &none, &a, &["meaning spec.f: an unset field defaults to \"a\" now"]);
        check(&FINDING, &a, &none, &["meaning spec.f: an unset field stays unset: its default \"a\" is gone"]);
        check(&FINDING, &a, &b, &["meaning spec.f: the default changes from \"a\" to \"b\""]);
        check(&FINDING, &a, &a, &[]);
    }

    #[test]
    fn a_required_field_needs_its_default() {
        check(
            &FINDING,
            &field(", default: a", "\nrequired: [f]"),
            &field("", "\nrequired: [f]"),
            &["breaks-clients spec.f: the field must be set: its default \"a\" is gone"],
        );
    }
}
