//! Checks of rules in words. Does not know the wrappers around a rule.

use kindsmith_schema::{
    Bound, CelRule, Facet, Limit, ListType, Literal, MapType, Str, TestCheck, UniqueKind, UpdateConstraint,
};

use super::fact::{Fact, cel, choice};
use super::format;
use super::siblings::Siblings;

/// A check in words; `None` for those without effect on values. Lists every facet, so that a new one cannot
/// be forgotten.
pub(super) fn facet(facet: &Facet, siblings: Siblings<'_>) -> Option<Fact> {
    let fact = |label, text: String| Some(Fact::new(label, text));
    let say = |label, text: &str| Some(Fact::new(label, text));
    match facet {
        Facet::Required => say("presence", "required"),
        Facet::Optional => say("presence", "may be left out"),
        Facet::Forbidden => say("presence", "may not be set"),
        Facet::Nullable => say("null", "a value of its own"),
        Facet::MinLength(length) => fact("length", format!("at least {}", count(*length, "character"))),
        Facet::MaxLength(length) => fact("length", format!("at most {}", count(*length, "character"))),
        Facet::MaxBytes(length) => fact("length", format!("at most {}", count(*length, "byte"))),
        Facet::Pattern(pattern) => fact("pattern", format!("`{pattern}`")),
        Facet::Format(name) => fact("format", format::words(name)),
        Facet::Minimum(limit) => fact("bounds", bound(limit, "at least", "greater than")),
        Facet::Maximum(limit) => fact("bounds", bound(limit, "at most", "less than")),
        Facet::ExclusiveMinimum(true) => say("bounds", "the minimum itself is refused"),
        Facet::ExclusiveMaximum(true) => say("bounds", "the maximum itself is refused"),
        Facet::ExclusiveMinimum(false) | Facet::ExclusiveMaximum(false) | Facet::UniqueItems(false) => None,
        Facet::MultipleOf(factor) => fact("bounds", format!("a multiple of {}", factor.as_str())),
        Facet::Neq(value) => fact("bounds", format!("not {}", literal(value))),
        Facet::MinItems(size) => fact("size", format!("at least {}", count(*size, "item"))),
        Facet::MaxItems(size) => fact("size", format!("at most {}", count(*size, "item"))),
        Facet::MinProperties(size) => fact("size", format!("at least {}", entries(*size))),
        Facet::MaxProperties(size) => fact("size", format!("at most {}", entries(*size))),
        Facet::UniqueItems(true) | Facet::ListType(ListType::Set) | Facet::Unique(UniqueKind::Set) => {
            say("list", "a set: no item twice")
        }
        Facet::ListType(ListType::Map) | Facet::Unique(UniqueKind::Map) => {
            say("list", "items are known by their keys, which no two share")
        }
        Facet::ListMapKey(key) => fact("list", format!("items are known by `{key}`")),
        Facet::ListType(ListType::Atomic) => say("list", "replaced as a whole"),
        Facet::CustomUnique => say(
            "list",
            "a hand-written function looks for items that are there twice",
        ),
        Facet::MapType(MapType::Atomic) | Facet::StructType(MapType::Atomic) => {
            say("object", "replaced as a whole")
        }
        Facet::MapType(MapType::Granular) | Facet::StructType(MapType::Granular) => {
            say("object", "merged member by member")
        }
        Facet::Enum => say("enum", "one of the constants of its type"),
        Facet::EnumValues(values) => fact("enum", choice(values)),
        Facet::Immutable => say("on update", "may not change"),
        Facet::Update(constraints) => fact("on update", update(constraints)),
        Facet::Monotonic => say("on update", "may not decrease"),
        Facet::UnionMember { .. }
        | Facet::UnionDiscriminator { .. }
        | Facet::Union { .. }
        | Facet::MemberOf { .. }
        | Facet::ZeroOrOneOfMember { .. }
        | Facet::ModeDiscriminator { .. }
        | Facet::DependentRequired(_)
        | Facet::DependentForbidden(_)
        | Facet::AtMostOneOf(_)
        | Facet::ExactlyOneOf(_)
        | Facet::AtLeastOneOf(_) => fact("members", members(facet, siblings)?),
        Facet::OpaqueType => say("rule", "the rules of its type do not apply here"),
        Facet::CustomValidation => say("rule", "checked by a hand-written function"),
        // Is about how the check is built, not what it checks.
        Facet::DeclarativeValidationNative => None,
        Facet::Test(check) => fact("rule", test(check)),
        Facet::Cel(rule) => Some(cel_rule(rule)),
        Facet::Type(name) => fact("type", format!("published as {name}")),
        Facet::PreserveUnknownFields => say("unknown fields", "kept"),
        Facet::EmbeddedResource => say("object", "a whole Kubernetes object"),
        Facet::IntOrString => say("type", "an integer or a string"),
        Facet::Schemaless => say("type", "published without a schema of its own"),
        Facet::Title(title) => fact("title", plain(title.as_str())),
        Facet::Example(example) => fact("example", format!("`{example}`")),
        Facet::ExternalDocs(docs) => fact(
            "see",
            match &docs.description {
                Some(text) => format!("{text}: {}", docs.url),
                None => docs.url.to_string(),
            },
        ),
        Facet::PatchStrategy(strategy) => fact("patch", format!("strategy `{strategy}`")),
        Facet::PatchMergeKey(key) => fact("patch", format!("items are known by `{key}`")),
        Facet::Extension { name, value } => fact("extension", format!("`{name}: {value}`")),
    }
}

/// Checks that involve several members of a struct.
fn members(facet: &Facet, siblings: Siblings<'_>) -> Option<String> {
    Some(match facet {
        Facet::UnionMember { union, .. } => match siblings.discriminator(union) {
            Some(discriminator) => {
                format!(
                    "set exactly when `{discriminator}` is {}",
                    siblings.member_name(facet)
                )
            }
            None => match siblings.union(union) {
                names if names.len() > 1 => format!("exactly one of {} is set", quoted(&names)),
                _ => format!("exactly one member of {} is set", named(union, "the union")),
            },
        },
        Facet::UnionDiscriminator { union } => match siblings.union(union) {
            names if names.is_empty() => {
                format!("names the member of {} that is set", named(union, "the union"))
            }
            names => format!("says which of {} is set", quoted(&names)),
        },
        Facet::Union { union } => format!("exactly one member of {} is set", named(union, "the union")),
        Facet::MemberOf { group } => format!("a member of `{group}`"),
        Facet::ZeroOrOneOfMember { union, .. } => match siblings.group(union) {
            names if names.len() > 1 => format!("at most one of {} is set", quoted(&names)),
            _ => format!("at most one member of {} is set", named(union, "the group")),
        },
        Facet::ModeDiscriminator { modality } => match siblings.moded(modality) {
            names if names.is_empty() => "chooses the mode of its siblings".to_owned(),
            names => format!("chooses whether {} may be set, and how", quoted(&names)),
        },
        Facet::DependentRequired(sibling) => format!("when it is set, `{sibling}` must be set"),
        Facet::DependentForbidden(sibling) => format!("when it is set, `{sibling}` may not be set"),
        Facet::AtMostOneOf(names) => format!("at most one of {} is set", quoted(names)),
        Facet::ExactlyOneOf(names) => format!("exactly one of {} is set", quoted(names)),
        Facet::AtLeastOneOf(names) => format!("at least one of {} is set", quoted(names)),
        _ => return None,
    })
}

fn test(check: &TestCheck) -> String {
    let what = if check.fails {
        "always fails"
    } else {
        "never fails"
    };
    match &check.message {
        Some(message) => format!("a check for tests that {what} ({message})"),
        None => format!("a check for tests that {what}"),
    }
}

/// `1 item`, `2 items`.
fn count(number: i64, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

fn entries(number: i64) -> String {
    match number {
        1 => "1 entry".to_owned(),
        _ => format!("{number} entries"),
    }
}

/// Text in quotation marks, without the marks.
fn plain(text: &str) -> String {
    text.trim_matches('"').to_owned()
}

fn named(name: &Option<Str>, what: &str) -> String {
    match name {
        Some(name) => format!("{what} `{name}`"),
        None => what.to_owned(),
    }
}

/// A list of names: `a`, `b` and `c`.
pub(super) fn quoted<T: std::fmt::Display>(names: &[T]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => names.concat(),
    }
}

/// A value as it would appear in an object.
pub(super) fn literal(value: &Literal) -> String {
    match value {
        Literal::Str(text) => format!("{text:?}"),
        Literal::Int(number) => number.to_string(),
        Literal::Bool(flag) => flag.to_string(),
    }
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
