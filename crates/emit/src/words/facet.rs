//! Rules of Go types in words.

use kindsmith_schema::{
    Bound, CelRule, Condition, Facet, Level, Limit, ListType, Literal, MapType, Rule, Selector, UniqueKind,
    UpdateConstraint, Wrap,
};

use super::{Fact, cel, choice};

/// Rules in words, list keys joined with their list.
#[must_use]
pub fn rules<'r>(rules: impl IntoIterator<Item = &'r Rule>) -> Vec<Fact> {
    let rules: Vec<&Rule> = rules.into_iter().collect();
    let mut facts: Vec<Fact> = Vec::new();
    for one in &rules {
        let fact = match &one.facet {
            Facet::ListType(ListType::Map) if one.scope().next().is_none() => {
                let mut keys: Vec<String> = rules.iter().filter_map(|rule| list_key(rule)).collect();
                // Families of tags say the same to different tools.
                let mut seen = std::collections::HashSet::new();
                keys.retain(|key| seen.insert(key.clone()));
                Some(Fact::new(
                    "list",
                    format!("items are known by {}, which no two share", keys.join(" and ")),
                ))
            }
            _ => rule(one),
        };
        if let Some(fact) = fact
            && !facts.contains(&fact)
        {
            facts.push(fact);
        }
    }
    together(facts)
}

/// Limits of one kind on one line, the lower one first.
fn together(facts: Vec<Fact>) -> Vec<Fact> {
    let mut joined: Vec<Fact> = Vec::new();
    for fact in facts {
        let joins = matches!(fact.label, "bounds" | "length" | "size");
        let earlier = joined
            .iter_mut()
            .find(|earlier| joins && earlier.label == fact.label);
        match earlier {
            Some(earlier) if is_lower(&fact.text) => {
                earlier.text = format!("{}, {}", fact.text, earlier.text);
            }
            Some(earlier) => earlier.text = format!("{}, {}", earlier.text, fact.text),
            None => joined.push(fact),
        }
    }
    joined
}

fn is_lower(text: &str) -> bool {
    text.starts_with("at least") || text.starts_with("greater than")
}

fn list_key(rule: &Rule) -> Option<String> {
    match &rule.facet {
        Facet::ListMapKey(key) => Some(format!("`{key}`")),
        _ => None,
    }
}

/// One rule in words; `None` for those that are nobody's business but the generators'.
#[must_use]
pub fn rule(rule: &Rule) -> Option<Fact> {
    let mut fact = facet(&rule.facet)?;
    for wrap in rule.wraps.iter().rev() {
        let text = &fact.text;
        fact.text = match wrap {
            Wrap::Level {
                level: Level::Alpha, ..
            } => format!("{text} (alpha: not enforced)"),
            Wrap::Level {
                level: Level::Beta, ..
            } => format!("{text} (beta)"),
            Wrap::Level { .. } => continue,
            Wrap::If(condition) => format!("{text}, if {}", condition_words(condition)),
            Wrap::EachVal => format!("each item: {text}"),
            Wrap::EachKey => format!("each key: {text}"),
            Wrap::Subfield(name) => format!("`{name}`: {text}"),
            Wrap::Item(selector) => format!("the item with {}: {text}", selector_words(selector)),
        };
    }
    Some(fact)
}

fn condition_words(condition: &Condition) -> String {
    match condition {
        Condition::Option { name, enabled: true } => format!("{name} is on"),
        Condition::Option { name, enabled: false } => format!("{name} is off"),
        Condition::Mode { mode, .. } => format!("the mode is {mode}"),
        Condition::Subresource { path, matches: true } => format!("{path} is written"),
        Condition::Subresource { path, matches: false } => format!("{path} is not written"),
    }
}

fn selector_words(selector: &Selector) -> String {
    let pairs: Vec<String> = selector
        .0
        .iter()
        .map(|(key, value)| format!("{key} {}", literal(value)))
        .collect();
    pairs.join(" and ")
}

fn literal(value: &Literal) -> String {
    match value {
        Literal::Str(text) => format!("{text:?}"),
        Literal::Int(number) => number.to_string(),
        Literal::Bool(flag) => flag.to_string(),
    }
}

fn facet(facet: &Facet) -> Option<Fact> {
    let fact = |label, text: String| Some(Fact::new(label, text));
    let say = |label, text: &str| Some(Fact::new(label, text));
    match facet {
        Facet::Required => say("presence", "required"),
        Facet::Forbidden => say("presence", "may not be set"),
        Facet::Nullable => say("null", "a value of its own"),
        Facet::MinLength(length) => fact("length", format!("at least {length} characters")),
        Facet::MaxLength(length) => fact("length", format!("at most {length} characters")),
        Facet::MaxBytes(length) => fact("length", format!("at most {length} bytes")),
        Facet::Pattern(pattern) => fact("pattern", format!("`{pattern}`")),
        Facet::Format(format) => say("format", format),
        Facet::Minimum(limit) => fact("bounds", bound(limit, "at least", "greater than")),
        Facet::Maximum(limit) => fact("bounds", bound(limit, "at most", "less than")),
        Facet::ExclusiveMinimum(true) => say("bounds", "the minimum itself is refused"),
        Facet::ExclusiveMaximum(true) => say("bounds", "the maximum itself is refused"),
        Facet::MultipleOf(factor) => fact("bounds", format!("a multiple of {}", factor.as_str())),
        Facet::Neq(value) => fact("bounds", format!("not {}", literal(value))),
        Facet::MinItems(size) => fact("size", format!("at least {size} items")),
        Facet::MaxItems(size) => fact("size", format!("at most {size} items")),
        Facet::MinProperties(size) => fact("size", format!("at least {size} entries")),
        Facet::MaxProperties(size) => fact("size", format!("at most {size} entries")),
        Facet::UniqueItems(true) | Facet::ListType(ListType::Set) | Facet::Unique(UniqueKind::Set) => {
            say("list", "a set: no item twice")
        }
        Facet::ListType(ListType::Map) | Facet::Unique(UniqueKind::Map) => {
            say("list", "items are known by their keys")
        }
        Facet::ListType(ListType::Atomic) => say("list", "replaced as a whole"),
        Facet::MapType(MapType::Atomic) | Facet::StructType(MapType::Atomic) => {
            say("object", "replaced as a whole")
        }
        Facet::EnumValues(values) => fact("enum", choice(values)),
        Facet::Immutable => say("on update", "may not change"),
        Facet::Update(constraints) => fact("on update", update(constraints)),
        Facet::Monotonic => say("on update", "may not decrease"),
        Facet::Cel(rule) => Some(cel_rule(rule)),
        Facet::PreserveUnknownFields => say("unknown fields", "kept"),
        Facet::EmbeddedResource => say("object", "a whole Kubernetes object"),
        Facet::IntOrString => say("type", "an integer or a string"),
        Facet::CustomValidation => say("rule", "checked by a hand-written function"),
        _ => members(facet),
    }
}

/// What is said about members of a struct together.
fn members(facet: &Facet) -> Option<Fact> {
    let text = match facet {
        Facet::UnionMember { union, .. } => {
            format!("exactly one member of {} is set", named(union, "the union"))
        }
        Facet::UnionDiscriminator { union } => {
            format!("names the member of {} that is set", named(union, "the union"))
        }
        Facet::ZeroOrOneOfMember { union, .. } => {
            format!("at most one member of {} is set", named(union, "the group"))
        }
        Facet::ModeDiscriminator { .. } => "chooses the mode of its siblings".to_owned(),
        Facet::DependentRequired(sibling) => format!("when it is set, `{sibling}` must be set"),
        Facet::DependentForbidden(sibling) => format!("when it is set, `{sibling}` may not be set"),
        Facet::AtMostOneOf(names) => format!("at most one of {} is set", quoted(names)),
        Facet::ExactlyOneOf(names) => format!("exactly one of {} is set", quoted(names)),
        Facet::AtLeastOneOf(names) => format!("at least one of {} is set", quoted(names)),
        _ => return None,
    };
    Some(Fact::new("members", text))
}

fn named(name: &Option<kindsmith_schema::Str>, what: &str) -> String {
    match name {
        Some(name) => format!("{what} `{name}`"),
        None => what.to_owned(),
    }
}

fn quoted(names: &[kindsmith_schema::Str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

fn bound(bound: &Bound, plain: &str, strict: &str) -> String {
    let words = if bound.exclusive { strict } else { plain };
    match &bound.limit {
        Limit::Number(number) => format!("{words} {}", number.as_str()),
        Limit::Field(path) => format!("{words} `{}`", path.join(".")),
    }
}

fn update(constraints: &[UpdateConstraint]) -> String {
    let words: Vec<&str> = constraints
        .iter()
        .map(|constraint| match constraint {
            UpdateConstraint::NoSet => "may not be set later",
            UpdateConstraint::NoUnset => "may not be unset",
            UpdateConstraint::NoModify => "may not change once set",
            UpdateConstraint::NoAddItem => "no item may be added",
            UpdateConstraint::NoRemoveItem => "no item may be removed",
        })
        .collect();
    words.join(", ")
}

fn cel_rule(rule: &CelRule) -> Fact {
    let expression = rule
        .message_expression
        .as_ref()
        .map(|expression| format!("says `{expression}`"));
    let message = rule.message.as_deref().or(expression.as_deref());
    cel(&rule.rule, message, rule.optional_old_self == Some(true))
}

#[cfg(test)]
mod tests {
    use kindsmith_schema::{Family, Json};

    use super::*;

    fn check(facet: Facet, wraps: Vec<Wrap>, expected: Option<&str>) {
        let written = Rule {
            family: Family::Native,
            wraps,
            facet,
        };
        let said = rule(&written).map(|fact| format!("{}: {}", fact.label, fact.text));
        assert_eq!(said.as_deref(), expected, "{written:?}");
    }

    #[test]
    fn rules_are_said_in_words() {
        let number = |text: i128, exclusive| Bound {
            limit: Limit::Number(Json::int(text)),
            exclusive,
        };
        check(Facet::Optional, vec![], None);
        check(Facet::MaxLength(3), vec![], Some("length: at most 3 characters"));
        check(
            Facet::Minimum(number(0, true)),
            vec![],
            Some("bounds: greater than 0"),
        );
        check(
            Facet::MaxLength(3),
            vec![Wrap::EachVal],
            Some("length: each item: at most 3 characters"),
        );
        check(Facet::Immutable, vec![], Some("on update: may not change"));
        check(
            Facet::Required,
            vec![
                Wrap::Level {
                    level: Level::Alpha,
                    since: None,
                },
                Wrap::Subfield("name".into()),
            ],
            Some("presence: `name`: required (alpha: not enforced)"),
        );
    }

    #[test]
    fn keys_are_named_with_their_list() {
        let bare = |facet| Rule::new(Family::Native, facet);
        let written = [
            bare(Facet::ListMapKey("name".into())),
            bare(Facet::ListType(ListType::Map)),
        ];
        let said = rules(&written);
        assert_eq!(
            said,
            [Fact::new("list", "items are known by `name`, which no two share")]
        );
    }
}
