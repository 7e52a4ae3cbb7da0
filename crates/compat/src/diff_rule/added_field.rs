//! `diff-added-field`: a new field. A required one without default is reported by `diff-requiredness`.

use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::node::Node;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-added-field", Tool::Kindsmith, include_str!("added_field.md"));

pub(crate) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    if node.old.ty != node.new.ty {
        return;
    }
    for (name, schema) in &node.new.properties {
        let is_required = node.new.required.iter().any(|member| member == name);
        if node.old.property(name).is_some() || (is_required && schema.default.is_none()) {
            continue;
        }
        let path = node.member(name);
        if node.old.preserves_unknown_fields() {
            report
                .add(Class::Ratchets, &path, "the field is new in the schema: values that were kept unseen are checked")
                .stored("a stored value that breaks it is kept while it does not change");
            continue;
        }
        match &schema.default {
            Some(default) => {
                let message = format!("the field is new and defaults to {default}");
                let change = report.add(Class::Compatible, &path, message);
                change.stored("stored objects are read with the default");
            }
            None => {
                report.add(Class::Compatible, &path, "the field is new");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    #[test]
    fn fields_that_were_not_there() {
        let new = "properties: {a: {type: string}, b: {type: string, default: x}}";
        check(
            &FINDING,
            "properties: {}",
            new,
            &[
                "compatible spec.a: the field is new",
                "compatible spec.b: the field is new and defaults to \"x\"",
            ],
        );
        check(
            &FINDING,
            "properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true}}",
            "properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: string}}}}",
            &["ratchets spec.a.b: the field is new in the schema: values that were kept unseen are checked"],
        );
        check(&FINDING, new, new, &[]);
    }

    #[test]
    fn required_ones_are_reported_elsewhere() {
        check(
            &FINDING,
            "properties: {b: {type: string}}",
            "properties: {a: {type: string}, b: {type: string}}\nrequired: [a]",
            &[],
        );
    }
}
