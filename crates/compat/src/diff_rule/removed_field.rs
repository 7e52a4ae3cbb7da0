//! `diff-removed-field`: a field is gone.

use kindsmith_formats::nearest::nearest_of;
use kindsmith_schema::JsonSchema;
use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::node::Node;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-removed-field", Tool::Kindsmith, include_str!("removed_field.md"));

pub(crate) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    if node.old.ty != node.new.ty {
        return;
    }
    for (name, _) in &node.old.properties {
        if node.new.property(name).is_some() {
            continue;
        }
        let path = node.member(name);
        if node.new.preserves_unknown_fields() || node.new.additional().is_some() {
            report
                .add(Class::Meaning, &path, "the field is gone from the schema")
                .stored("its values are kept as those of an unknown field");
            continue;
        }
        let change = report.add(Class::BreaksClients, &path, "the field is gone");
        change.stored("its values are dropped when objects are read");
        if let Some(near) = nearest_of(name, added(node)) {
            change.help(format!("was it renamed to `{near}`? Keep the old field beside it, or convert in a new version"));
        }
    }
}

/// The fields that only the new schema has.
fn added<'s>(node: &Node<'s>) -> Vec<&'s str> {
    let is_new = |old: &JsonSchema, name: &str| old.property(name).is_none();
    let names = node.new.properties.iter().map(|(name, _)| &**name);
    names.filter(|name| is_new(node.old, name)).collect()
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::change::Class;
    use crate::check::{changes, check};

    #[test]
    fn fields_that_are_dropped_or_kept() {
        let old = "properties: {a: {type: string}, b: {type: object, properties: {c: {type: string}}}}";
        check(
            &FINDING,
            old,
            "properties: {b: {type: object}}",
            &[
                "breaks-clients spec.a: the field is gone",
                "breaks-clients spec.b.c: the field is gone",
            ],
        );
        let kept = "properties: {a: {type: string}, b: {type: object, x-kubernetes-preserve-unknown-fields: true}}";
        check(&FINDING, old, kept, &["meaning spec.b.c: the field is gone from the schema"]);
        check(&FINDING, old, old, &[]);
    }

    #[test]
    fn a_new_field_with_nearly_the_same_name_is_named() {
        let found = changes(
            "properties: {podIPs: {type: string}}",
            "properties: {podIps: {type: string}}",
        );
        let help = found.iter().find_map(|change| change.help.clone());
        assert!(help.is_some_and(|help| help.contains("podIps")));
    }

    #[test]
    fn versions_that_nobody_used_break_nothing() {
        let of = |served: bool, storage: bool, schema: &str| {
            let other = format!("{{name: v2, served: true, storage: {}}}", !storage);
            let schema = format!("schema: {{openAPIV3Schema: {{type: object, properties: {{{schema}}}}}}}");
            format!("versions: [{{name: v1, served: {served}, storage: {storage}, {schema}}}, {other}]")
        };
        for (served, storage, is_used) in [(true, false, true), (false, true, true), (false, false, false)] {
            let (old, new) = (of(served, storage, "f: {type: string}"), of(served, storage, ""));
            let found = changes(&old, &new);
            let found = found.iter().filter(|change| change.finding == &FINDING);
            let breaks: Vec<bool> = found.map(|change| change.class != Class::Compatible).collect();
            assert_eq!(breaks, [is_used], "{served} {storage}");
        }
    }
}
