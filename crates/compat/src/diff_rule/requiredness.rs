//! `diff-requiredness`: whether a field must be set. A default satisfies the requirement.

use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::node::Node;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-requiredness", Tool::Kindsmith, include_str!("requiredness.md"));

pub(crate) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    if node.old.ty != node.new.ty {
        return;
    }
    let (old, new) = (&node.old.required[..], &node.new.required[..]);
    for name in new.iter().filter(|name| !old.contains(name)) {
        let path = node.member(name);
        let default = node.new.property(name).and_then(|schema| schema.default.as_ref());
        match default {
            Some(default) => {
                let message = format!("the field is required, but defaults to {default}");
                report.add(Class::Compatible, &path, message);
            }
            None => {
                let message = match node.old.property(name) {
                    Some(_) => "the field must be set now",
                    None => "the field is new and must be set",
                };
                report
                    .add(Class::BreaksClients, &path, message)
                    .stored(node.stored_without_member())
                    .help("give it a default, or make it optional");
            }
        }
    }
    for name in old.iter().filter(|name| !new.contains(name)) {
        if node.new.property(name).is_some() {
            report
                .add(Class::Compatible, &node.member(name), "the field is no longer required")
                .help("clients that read it must expect that it is not set");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::{check, check_stored};

    const OPTIONAL: &str = "properties: {f: {type: string}}";
    const REQUIRED: &str = "properties: {f: {type: string}}\nrequired: [f]";
    const DEFAULTED: &str = "properties: {f: {type: string, default: a}}\nrequired: [f]";

    #[test]
    fn required_with_and_without_default() {
        check(&FINDING, OPTIONAL, REQUIRED, &["breaks-clients spec.f: the field must be set now"]);
        check(
            &FINDING,
            "properties: {}",
            REQUIRED,
            &["breaks-clients spec.f: the field is new and must be set"],
        );
        check(
            &FINDING,
            OPTIONAL,
            DEFAULTED,
            &["compatible spec.f: the field is required, but defaults to \"a\""],
        );
        check(&FINDING, REQUIRED, OPTIONAL, &["compatible spec.f: the field is no longer required"]);
        check(&FINDING, REQUIRED, REQUIRED, &[]);
    }

    #[test]
    fn the_parent_is_checked_again_when_it_changes() {
        check_stored(
            &FINDING,
            OPTIONAL,
            REQUIRED,
            &["stored objects without it are refused whenever anything in `spec` changes"],
        );
        let list = |required: &str| {
            format!("properties: {{l: {{type: array, items: {{type: object, properties: {{f: {{type: string}}}}{required}}}}}}}")
        };
        check_stored(
            &FINDING,
            &list(""),
            &list(", required: [f]"),
            &["stored objects without it are refused whenever `spec.l` changes"],
        );
    }
}
