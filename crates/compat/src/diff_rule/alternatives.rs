//! `diff-alternatives`: `oneOf`, `anyOf`, `allOf` or `not` changes, and with it which members a union has.

use kindsmith_schema::JsonSchema;
use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::node::Node;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-alternatives", Tool::Kindsmith, include_str!("alternatives.md"));

pub(crate) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    let (old, new) = (node.old, node.new);
    for (keyword, old, new) in [
        ("oneOf", &old.one_of, &new.one_of),
        ("anyOf", &old.any_of, &new.any_of),
        ("allOf", &old.all_of, &new.all_of),
    ] {
        alternatives(node, keyword, old, new, report);
    }
    match (&old.not, &new.not) {
        (Some(_), None) => {
            report.add(Class::Compatible, &node.path, "`not` is gone");
        }
        (before, Some(after)) if before.as_ref() != Some(after) => {
            report
                .add(node.tightened(), &node.path, "`not` refuses other values")
                .stored(node.stored());
        }
        _ => {}
    }
}

fn alternatives(
    node: &Node<'_>,
    keyword: &str,
    old: &[JsonSchema],
    new: &[JsonSchema],
    report: &mut Report<'_>,
) {
    let gone = old.iter().filter(|schema| !new.contains(schema)).count();
    let more = new.iter().filter(|schema| !old.contains(schema)).count();
    if gone + more == 0 {
        return;
    }
    if new.is_empty() {
        report.add(Class::Compatible, &node.path, format!("`{keyword}` is gone"));
        return;
    }
    let message = if old.is_empty() { format!("`{keyword}` is new") } else { format!("`{keyword}` changes: {gone} of {} gone, {more} new", old.len()) };
    // A further alternative of `anyOf` accepts more, one less of `allOf` too. A further one of `oneOf` may match beside
    // another, but is how a union gets a member.
    let class = match (keyword, gone, more, old.is_empty()) {
        ("anyOf", 0, _, false) | ("allOf", _, 0, false) => Class::Compatible,
        ("oneOf", 0, _, false) => Class::Meaning,
        _ => node.tightened(),
    };
    let change = report.add(class, &node.path, message);
    if matches!(class, Class::BreaksStored | Class::Ratchets) {
        change.stored(node.stored());
    }
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::check;

    #[test]
    fn members_of_unions() {
        let of = |alternatives: &str| {
            format!("properties: {{f: {{type: object, properties: {{a: {{type: string}}, b: {{type: string}}}}{alternatives}}}}}")
        };
        let (a, both) = (of(", oneOf: [{required: [a]}]"), of(", oneOf: [{required: [a]}, {required: [b]}]"));
        for (old, new, expected) in [
            (&of(""), &a, "breaks-stored spec.f: `oneOf` is new"),
            (&a, &both, "meaning spec.f: `oneOf` changes: 0 of 1 gone, 1 new"),
            (&both, &a, "breaks-stored spec.f: `oneOf` changes: 1 of 2 gone, 0 new"),
            (&a, &of(""), "compatible spec.f: `oneOf` is gone"),
            (
                &of(", anyOf: [{required: [a]}]"),
                &of(", anyOf: [{required: [a]}, {required: [b]}]"),
                "compatible spec.f: `anyOf` changes: 0 of 1 gone, 1 new",
            ),
            (&of(""), &of(", not: {required: [a]}"), "breaks-stored spec.f: `not` refuses other values"),
            (&of(", not: {required: [a]}"), &of(""), "compatible spec.f: `not` is gone"),
        ] {
            check(&FINDING, old, new, &[expected]);
            check(&FINDING, old, old, &[]);
        }
    }
}
