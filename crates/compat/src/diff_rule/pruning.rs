//! `diff-pruning`: whether unknown fields are kept.

use kindsmith_schema::{JsonSchema, SchemaOrBool};
use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::node::Node;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-pruning", Tool::Kindsmith, include_str!("pruning.md"));

pub(crate) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    match (keeps(node.old), keeps(node.new)) {
        (true, false) if node.old.ty == node.new.ty => {
            report
                .add(Class::Meaning, &node.path, "unknown fields are dropped now")
                .stored("those of stored objects are lost when they are read");
        }
        (false, true) if node.old.ty == node.new.ty => {
            report.add(Class::Meaning, &node.path, "unknown fields are kept now");
        }
        _ => {}
    }
}

fn keeps(schema: &JsonSchema) -> bool {
    let is_open = matches!(
        schema.additional_properties.as_deref(),
        Some(SchemaOrBool::Allowed(true))
    );
    schema.preserves_unknown_fields() || is_open
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    #[test]
    fn kept_or_dropped() {
        let of = |keeps: &str| format!("properties: {{f: {{type: object{keeps}}}}}");
        let kept = of(", x-kubernetes-preserve-unknown-fields: true");
        check(&FINDING, &kept, &of(""), &["meaning spec.f: unknown fields are dropped now"]);
        check(&FINDING, &of(""), &kept, &["meaning spec.f: unknown fields are kept now"]);
        check(&FINDING, &kept, &of(", additionalProperties: true"), &[]);
    }
}
