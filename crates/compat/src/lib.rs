//! Compares two versions of an API, given as CRDs, and says what each change does to clients and stored objects.
//!
//! A rule is one file with its page beside it and one line in [`RULES`]. Knows no files, no Go and no output format.

mod change;
mod closed;
mod diff_rule;
mod node;
pub mod objects;
mod report;

#[cfg(test)]
mod check;

use kindsmith_openapi::crd::{Definition, Version};
use kindsmith_source::Finding;

pub use change::{Change, Class};
pub use diff_rule::{RULES, Rule};

use diff_rule::Check;
use node::Node;
use report::{Report, Subject};

/// All findings of this crate, in the order of the rules.
pub fn findings() -> impl Iterator<Item = &'static Finding> {
    let of_rules = RULES.iter().map(|rule| rule.finding);
    of_rules.chain(objects::FINDINGS.iter().copied())
}

/// The changes from the old CRDs to the new ones, by kind, version and field. CRDs are the same if group and kind are.
#[must_use]
pub fn compare(old: &[Definition], new: &[Definition]) -> Vec<Change> {
    let mut changes = Vec::new();
    for definition in old {
        let subject = Subject::of(definition);
        match find(new, definition) {
            Some(other) => compare_definitions(&subject, definition, other, &mut changes),
            None => diff_rule::removed_kind::report(&mut Report::new(
                &subject,
                &diff_rule::removed_kind::FINDING,
                &mut changes,
            )),
        }
    }
    for definition in new.iter().filter(|definition| find(old, definition).is_none()) {
        let subject = Subject::of(definition);
        diff_rule::added_kind::report(&mut Report::new(
            &subject,
            &diff_rule::added_kind::FINDING,
            &mut changes,
        ));
    }
    changes.sort_by(|one, other| one.key().cmp(&other.key()));
    changes
}

fn find<'d>(among: &'d [Definition], wanted: &Definition) -> Option<&'d Definition> {
    let identity = |definition: &Definition| {
        let spec = &definition.spec;
        (spec.group.clone(), spec.names.kind.clone())
    };
    among
        .iter()
        .find(|definition| identity(definition) == identity(wanted))
}

fn compare_definitions(subject: &Subject, old: &Definition, new: &Definition, changes: &mut Vec<Change>) {
    for rule in RULES {
        if let Check::Definition(check) = rule.check {
            check(old, new, &mut Report::new(subject, rule.finding, changes));
        }
    }
    for version in &old.spec.versions {
        let mut same = new.spec.versions.iter();
        if let Some(other) = same.find(|other| other.name == version.name) {
            let from = changes.len();
            compare_versions(&subject.version(&version.name), version, other, changes);
            // Nobody reads or writes a version that was neither served nor stored.
            if !version.served && !version.storage {
                changes[from..].iter_mut().for_each(Change::acquit);
            }
        }
    }
}

fn compare_versions(subject: &Subject, old: &Version, new: &Version, changes: &mut Vec<Change>) {
    for rule in RULES {
        if let Check::Version(check) = rule.check {
            check(old, new, &mut Report::new(subject, rule.finding, changes));
        }
    }
    if let (Some(old), Some(new)) = (old.open_api_v3_schema(), new.open_api_v3_schema()) {
        compare_nodes(subject, &Node::root(old, new), changes);
    }
}

fn compare_nodes(subject: &Subject, node: &Node<'_>, changes: &mut Vec<Change>) {
    if node.old == node.new && node.is_same_place() {
        return;
    }
    for rule in RULES {
        if let Check::Node(check) = rule.check {
            check(node, &mut Report::new(subject, rule.finding, changes));
        }
    }
    for child in node.children() {
        compare_nodes(subject, &child, changes);
    }
}
