//! `diff-embedded-resource`: a value is a whole Kubernetes object, or no longer.

use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::node::Node;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-embedded-resource", Tool::Kindsmith, include_str!("embedded_resource.md"));

pub(crate) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    match (node.old.embedded_resource, node.new.embedded_resource) {
        (false, true) => {
            report
                .add(
                    Class::BreaksClients,
                    &node.path,
                    "must be a Kubernetes object now, with apiVersion and kind",
                )
                .stored(node.stored());
        }
        (true, false) => {
            report.add(Class::Meaning, &node.path, "its metadata is no longer checked");
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    #[test]
    fn embedded_or_plain() {
        let of = |embedded: bool| {
            format!(
                "properties: {{f: {{type: object, x-kubernetes-preserve-unknown-fields: true, x-kubernetes-embedded-resource: {embedded}}}}}"
            )
        };
        check(
            &FINDING,
            &of(false),
            &of(true),
            &["breaks-clients spec.f: must be a Kubernetes object now, with apiVersion and kind"],
        );
        check(&FINDING, &of(true), &of(false), &["meaning spec.f: its metadata is no longer checked"]);
        check(&FINDING, &of(true), &of(true), &[]);
    }
}
