//! `diff-bounds`: numbers, texts, lists or maps may be larger or smaller.

use kindsmith_schema::JsonSchema;
use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::node::Node;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding = Finding::new("diff-bounds", Tool::Kindsmith, include_str!("bounds.md"));

/// A keyword that bounds values, with its value in a schema.
struct Bound {
    keyword: &'static str,
    side: Side,
    value: fn(&JsonSchema) -> Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// A smaller number allows more.
    Lower,
    /// A larger number allows more.
    Upper,
    /// Any other number allows other values.
    Exact,
}

const BOUNDS: [Bound; 12] = [
    Bound { keyword: "minimum", side: Side::Lower, value: |schema| schema.minimum },
    Bound { keyword: "exclusiveMinimum", side: Side::Lower, value: |schema| schema.exclusive_minimum.then_some(1.0) },
    Bound { keyword: "maximum", side: Side::Upper, value: |schema| schema.maximum },
    Bound { keyword: "exclusiveMaximum", side: Side::Exact, value: |schema| schema.exclusive_maximum.then_some(1.0) },
    Bound { keyword: "multipleOf", side: Side::Exact, value: |schema| schema.multiple_of },
    Bound { keyword: "minLength", side: Side::Lower, value: |schema| number(schema.min_length) },
    Bound { keyword: "maxLength", side: Side::Upper, value: |schema| number(schema.max_length) },
    Bound { keyword: "minItems", side: Side::Lower, value: |schema| number(schema.min_items) },
    Bound { keyword: "maxItems", side: Side::Upper, value: |schema| number(schema.max_items) },
    Bound { keyword: "uniqueItems", side: Side::Exact, value: |schema| schema.unique_items.then_some(1.0) },
    Bound { keyword: "minProperties", side: Side::Lower, value: |schema| number(schema.min_properties) },
    Bound { keyword: "maxProperties", side: Side::Upper, value: |schema| number(schema.max_properties) },
];

#[allow(clippy::cast_precision_loss, reason = "bounds of sizes are small")]
fn number(size: Option<i64>) -> Option<f64> {
    size.map(|size| size as f64)
}

pub(crate) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    for bound in &BOUNDS {
        let (old, new) = ((bound.value)(node.old), (bound.value)(node.new));
        if old == new {
            continue;
        }
        let message = match (old, new) {
            (None, Some(new)) => format!("{} is {new} now", bound.keyword),
            (Some(old), None) => format!("{} {old} is gone", bound.keyword),
            (old, new) => format!(
                "{} changes from {} to {}",
                bound.keyword,
                old.unwrap_or_default(),
                new.unwrap_or_default()
            ),
        };
        if bound.side.is_looser(old, new) || is_kept(bound, node, new) {
            report.add(Class::Compatible, &node.path, message);
        } else {
            let (class, stored) = match bound.keyword {
                "minItems" | "minProperties" => node.must_grow(),
                _ => (node.tightened(), node.stored()),
            };
            report.add(class, &node.path, message).stored(stored);
        }
    }
}

/// Whether a new bound of lengths refuses none of the old values, because these are known.
fn is_kept(bound: &Bound, node: &Node<'_>, new: Option<f64>) -> bool {
    let Some(limit) = new.filter(|_| ["minLength", "maxLength"].contains(&bound.keyword)) else {
        return false;
    };
    let length = |text: &str| number(i64::try_from(text.chars().count()).ok()).unwrap_or(f64::INFINITY);
    node.keeps_texts(|text| match bound.side {
        Side::Lower => length(text) >= limit,
        _ => length(text) <= limit,
    })
}

impl Side {
    /// Whether all values that were allowed still are.
    fn is_looser(self, old: Option<f64>, new: Option<f64>) -> bool {
        match (old, new) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(old), Some(new)) => match self {
                Side::Lower => new < old,
                Side::Upper => new > old,
                Side::Exact => false,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::{check, check_stored};

    fn field(schema: &str) -> String {
        format!("properties: {{f: {{{schema}}}}}")
    }

    #[test]
    fn tighter_and_looser() {
        for (old, new, expected) in [
            ("type: integer", "type: integer, minimum: 1", "ratchets spec.f: minimum is 1 now"),
            ("type: integer, minimum: 1", "type: integer", "compatible spec.f: minimum 1 is gone"),
            ("type: integer, minimum: 1", "type: integer, minimum: 2", "ratchets spec.f: minimum changes from 1 to 2"),
            ("type: integer, minimum: 2", "type: integer, minimum: 1", "compatible spec.f: minimum changes from 2 to 1"),
            ("type: string, maxLength: 9", "type: string, maxLength: 8", "ratchets spec.f: maxLength changes from 9 to 8"),
            ("type: string, maxLength: 8", "type: string, maxLength: 9", "compatible spec.f: maxLength changes from 8 to 9"),
            ("type: integer, multipleOf: 2", "type: integer, multipleOf: 4", "ratchets spec.f: multipleOf changes from 2 to 4"),
        ] {
            check(&FINDING, &field(old), &field(new), &[expected]);
            check(&FINDING, &field(old), &field(old), &[]);
        }
    }

    #[test]
    fn a_list_is_checked_as_a_whole_whenever_an_item_changes() {
        let list = |bound: &str| {
            field(&format!(
                "type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [key]{bound}, \
                 items: {{type: object, required: [key], properties: {{key: {{type: string}}}}}}"
            ))
        };
        let old = list("");
        check(&FINDING, &old, &list(", maxItems: 9"), &["breaks-stored spec.f: maxItems is 9 now"]);
        check_stored(
            &FINDING,
            &old,
            &list(", maxItems: 9"),
            &["a stored value that breaks it is refused whenever anything in `spec.f` changes"],
        );
        check(&FINDING, &old, &list(", minItems: 1"), &["ratchets spec.f: minItems is 1 now"]);
    }

    #[test]
    fn lengths_that_all_old_values_have_refuse_nothing() {
        for (old, new, expected) in [
            ("type: string, enum: [a, bb]", "type: string, maxLength: 2", "compatible spec.f: maxLength is 2 now"),
            ("type: string, enum: [a, bb]", "type: string, maxLength: 1", "ratchets spec.f: maxLength is 1 now"),
            ("type: string, enum: [a, bb]", "type: string, minLength: 1", "compatible spec.f: minLength is 1 now"),
            ("type: string, enum: [a, bb]", "type: string, minLength: 2", "ratchets spec.f: minLength is 2 now"),
            ("type: string, pattern: ^(a|é)$", "type: string, maxLength: 1", "compatible spec.f: maxLength is 1 now"),
        ] {
            check(&FINDING, &field(old), &field(new), &[expected]);
        }
    }

    #[test]
    fn items_of_lists_without_keys_are_checked_with_the_list() {
        let list = |bound: &str| field(&format!("type: array, items: {{type: string{bound}}}"));
        check(
            &FINDING,
            &list(""),
            &list(", maxLength: 3"),
            &["breaks-stored spec.f[*]: maxLength is 3 now"],
        );
        check_stored(
            &FINDING,
            &list(""),
            &list(", maxLength: 3"),
            &["a stored value that breaks it is refused whenever `spec.f` changes: its items have no keys to tell them apart"],
        );
    }

    #[test]
    fn items_of_lists_with_keys_ratchet() {
        let list = |bound: &str| {
            field(&format!(
                "type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [key], \
                 items: {{type: object, required: [key], properties: {{key: {{type: string}}, v: {{type: string{bound}}}}}}}"
            ))
        };
        check(
            &FINDING,
            &list(""),
            &list(", maxLength: 3"),
            &["ratchets spec.f[*].v: maxLength is 3 now"],
        );
    }
}
