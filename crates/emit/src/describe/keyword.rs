//! Keywords of published schemas in words.

use kindsmith_schema::{JsonSchema, ValidationRule};

use super::fact::{Fact, cel, choice};
use super::{format, range};

/// When the values of a field are checked again on an update.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ratchet {
    /// On every update: the object as a whole never counts as unchanged.
    Always,
    /// Only when the field itself changed.
    WhenChanged,
    /// When anything in the named list changed: its items cannot be correlated.
    WithList(String),
}

/// What the server does with values of this schema. `ratchet` describes its place in the object.
#[must_use]
pub fn keywords(schema: &JsonSchema, ratchet: &Ratchet) -> Vec<Fact> {
    let mut facts = Vec::new();
    if !schema.title.is_empty() {
        facts.push(Fact::new("title", &*schema.title));
    }
    if let Some(default) = &schema.default {
        facts.push(Fact::new("default", default.as_str()));
    }
    values(schema, &mut facts);
    sizes(schema, &mut facts);
    structure(schema, &mut facts);
    junctors(schema, &mut facts);
    facts.extend(schema.validations.iter().map(validation));
    if let Some(example) = &schema.example {
        facts.push(Fact::new("example", format!("`{example}`")));
    }
    if has_checks(schema) {
        facts.push(Fact::new("ratcheting", ratchet.words()));
    }
    facts
}

impl Ratchet {
    fn words(&self) -> String {
        match self {
            Ratchet::Always => "checked on every update".to_owned(),
            Ratchet::WhenChanged => "an update that leaves it unchanged is not checked again".to_owned(),
            Ratchet::WithList(list) => {
                format!("checked again whenever `{list}` changes: its items have no keys to tell them apart")
            }
        }
    }
}

fn values(schema: &JsonSchema, facts: &mut Vec<Fact>) {
    let bound = |limit: Option<f64>, exclusive: bool, plain: &str, strict: &str| {
        limit.map(|limit| format!("{} {limit}", if exclusive { strict } else { plain }))
    };
    let lower = bound(
        schema.minimum,
        schema.exclusive_minimum,
        "at least",
        "greater than",
    );
    let upper = bound(schema.maximum, schema.exclusive_maximum, "at most", "less than");
    let multiple = schema.multiple_of.map(|factor| format!("a multiple of {factor}"));
    let bounds: Vec<String> = [lower, upper, multiple].into_iter().flatten().collect();
    if !bounds.is_empty() {
        facts.push(Fact::new("bounds", bounds.join(", ")));
    }
    if let Some(length) = range(schema.min_length, schema.max_length) {
        facts.push(Fact::new("length", format!("{length} characters")));
    }
    if !schema.pattern.is_empty() {
        facts.push(Fact::new("pattern", format!("`{}`", schema.pattern)));
    }
    if !schema.format.is_empty() {
        facts.push(Fact::new("format", format::words(&schema.format)));
    }
    if !schema.enum_values.is_empty()
        && schema
            .enum_values
            .iter()
            .any(|value| !value.as_str().starts_with('"'))
    {
        facts.push(Fact::new("enum", choice(&schema.enum_values)));
    }
}

fn sizes(schema: &JsonSchema, facts: &mut Vec<Fact>) {
    if let Some(items) = range(schema.min_items, schema.max_items) {
        facts.push(Fact::new("size", format!("{items} items")));
    }
    if let Some(members) = range(schema.min_properties, schema.max_properties) {
        facts.push(Fact::new("size", format!("{members} entries")));
    }
}

fn structure(schema: &JsonSchema, facts: &mut Vec<Fact>) {
    if schema.nullable {
        facts.push(Fact::new("null", "a value of its own"));
    }
    if schema.int_or_string {
        facts.push(Fact::new("type", "an integer or a string"));
    }
    if schema.unique_items {
        facts.push(Fact::new("list", "a set: no item twice"));
    }
    match schema.list_type.as_deref() {
        Some("set") => facts.push(Fact::new("list", "a set: no item twice")),
        Some("map") => {
            let keys: Vec<String> = schema
                .list_map_keys
                .iter()
                .map(|key| format!("`{key}`"))
                .collect();
            facts.push(Fact::new(
                "list",
                format!("items are known by {}, which no two share", keys.join(" and ")),
            ));
        }
        Some("atomic") => facts.push(Fact::new("list", "replaced as a whole")),
        _ => {}
    }
    if schema.map_type.as_deref() == Some("atomic") {
        facts.push(Fact::new("object", "replaced as a whole"));
    }
    if schema.embedded_resource {
        facts.push(Fact::new("object", "a whole Kubernetes object"));
    }
    if schema.preserves_unknown_fields() {
        facts.push(Fact::new("unknown fields", "kept"));
    }
}

fn junctors(schema: &JsonSchema, facts: &mut Vec<Fact>) {
    for (branches, words) in [
        (&schema.all_of, "all"),
        (&schema.one_of, "exactly one"),
        (&schema.any_of, "at least one"),
    ] {
        let required: Vec<String> = branches.iter().filter_map(only_required).collect();
        if branches.is_empty() || (schema.int_or_string && words == "at least one") {
            continue;
        }
        if required.len() == branches.len() {
            facts.push(Fact::new(
                "members",
                format!("{words} of {} is set", required.join(", ")),
            ));
        } else {
            facts.push(Fact::new(
                "alternatives",
                format!("{words} of {} forms holds", branches.len()),
            ));
        }
    }
    if schema.not.is_some() {
        facts.push(Fact::new("alternatives", "one form is refused (`not`)"));
    }
}

/// The members that a branch requires, if it does nothing else.
fn only_required(branch: &JsonSchema) -> Option<String> {
    let bare = JsonSchema {
        required: branch.required.clone(),
        ..JsonSchema::default()
    };
    if *branch != bare || branch.required.is_empty() {
        return None;
    }
    let names: Vec<String> = branch.required.iter().map(|name| format!("`{name}`")).collect();
    Some(names.join(" with "))
}

fn validation(rule: &ValidationRule) -> Fact {
    let message = match (&*rule.message, &*rule.message_expression) {
        ("", "") => None,
        ("", expression) => Some(format!("says `{expression}`")),
        (message, _) => Some(message.to_owned()),
    };
    cel(
        &rule.rule,
        message.as_deref(),
        rule.optional_old_self == Some(true),
    )
}

/// Whether validation of the value itself can fail, apart from its type.
fn has_checks(schema: &JsonSchema) -> bool {
    schema.minimum.is_some()
        || schema.maximum.is_some()
        || schema.multiple_of.is_some()
        || schema.min_length.is_some()
        || schema.max_length.is_some()
        || !schema.pattern.is_empty()
        || !schema.format.is_empty()
        || !schema.enum_values.is_empty()
        || schema.min_items.is_some()
        || schema.max_items.is_some()
        || schema.min_properties.is_some()
        || schema.max_properties.is_some()
        || !schema.required.is_empty()
        || !schema.validations.is_empty()
        || !schema.one_of.is_empty()
        || !schema.any_of.is_empty()
        || !schema.all_of.is_empty()
        || schema.not.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(schema: &JsonSchema, expected: &[&str]) {
        let facts = keywords(schema, &Ratchet::WhenChanged);
        let lines: Vec<String> = facts
            .iter()
            .filter(|fact| fact.label != "ratcheting")
            .map(|fact| format!("{}: {}", fact.label, fact.text))
            .collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn keywords_are_described_in_words() {
        check(&JsonSchema::default(), &[]);
        check(
            &JsonSchema {
                minimum: Some(1.0),
                exclusive_minimum: true,
                maximum: Some(2.5),
                ..JsonSchema::default()
            },
            &["bounds: greater than 1, at most 2.5"],
        );
        check(
            &JsonSchema {
                list_type: Some("map".into()),
                list_map_keys: vec!["name".into(), "port".into()].into(),
                max_items: Some(8),
                ..JsonSchema::default()
            },
            &[
                "size: at most 8 items",
                "list: items are known by `name` and `port`, which no two share",
            ],
        );
        let member = |name: &str| JsonSchema {
            required: [name.into()].into(),
            ..JsonSchema::default()
        };
        check(
            &JsonSchema {
                one_of: [member("a"), member("b")].into(),
                ..JsonSchema::default()
            },
            &["members: exactly one of `a`, `b` is set"],
        );
    }

    #[test]
    fn ratcheting_is_mentioned_where_something_is_checked() {
        let plain = keywords(&JsonSchema::default(), &Ratchet::Always);
        assert_eq!(plain, []);
        let checked = JsonSchema {
            pattern: "^a".into(),
            ..JsonSchema::default()
        };
        let facts = keywords(&checked, &Ratchet::WithList("ports".to_owned()));
        assert_eq!(
            facts.last().map(|fact| fact.text.as_str()),
            Some("checked again whenever `ports` changes: its items have no keys to tell them apart")
        );
    }
}
