//! `diff-type`: a field has another type.

use kindsmith_schema::JsonSchema;
use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::node::Node;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-type", Tool::Kindsmith, include_str!("field_type.md"));

pub(crate) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    let (before, after) = (type_of(node.old), type_of(node.new));
    if before == after {
        return;
    }
    let message = format!("the type changes from {before} to {after}");
    let change = report.add(Class::BreaksClients, &node.path, message);
    if is_wider(before, after) {
        change.help("what clients write is still accepted, but they may read values that they do not expect");
    } else {
        change.stored(node.stored());
    }
}

/// The type in words.
fn type_of(schema: &JsonSchema) -> &str {
    match (schema.int_or_string, &*schema.ty) {
        (true, _) => "int-or-string",
        (false, "") => "any",
        (false, "object") if schema.additional().is_some() => "map",
        (false, ty) => ty,
    }
}

/// Whether all values of the old type are values of the new one.
fn is_wider(before: &str, after: &str) -> bool {
    matches!(
        (before, after),
        (_, "any") | ("integer", "number") | ("integer" | "string", "int-or-string")
    )
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::{check, check_stored};

    fn field(schema: &str) -> String {
        format!("properties: {{f: {schema}}}")
    }

    #[test]
    fn types_by_name() {
        for (old, new, words) in [
            ("{type: string}", "{type: integer}", "string to integer"),
            ("{type: integer}", "{type: number}", "integer to number"),
            ("{type: integer}", "{x-kubernetes-int-or-string: true}", "integer to int-or-string"),
            ("{type: string}", "{x-kubernetes-preserve-unknown-fields: true}", "string to any"),
            (
                "{type: object, additionalProperties: {type: string}}",
                "{type: object, properties: {a: {type: string}}}",
                "map to object",
            ),
        ] {
            let expected = format!("breaks-clients spec.f: the type changes from {words}");
            check(&FINDING, &field(old), &field(new), &[&expected]);
            check(&FINDING, &field(old), &field(old), &[]);
        }
    }

    #[test]
    fn wider_types_refuse_nothing() {
        check_stored(&FINDING, &field("{type: integer}"), &field("{type: number}"), &[]);
        check_stored(
            &FINDING,
            &field("{type: number}"),
            &field("{type: integer}"),
            &["a stored value that breaks it is kept while it does not change"],
        );
    }
}
