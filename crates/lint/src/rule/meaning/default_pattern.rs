//! Defaults that the rules of their field reject.

use std::collections::HashSet;

use kindsmith_formats::{format, strfmt};
use kindsmith_gostd::regexp::Regexp;
use kindsmith_json::{Arena, Value};
use kindsmith_schema::{Facet, Family, ListType, Rule as SchemaRule, TypeRef, Wrap};
use kindsmith_source::{Finding, Tool};

use super::facts::{self, default, default_place, value_rules};
use crate::Report;
use crate::declared::{Declared, Member};
use crate::rule::{About, Rule};

pub(in crate::rule) const RULE: Rule = Rule::source(
    Finding::new(
        "default-pattern",
        Tool::Kindsmith,
        include_str!("default_pattern.md"),
    ),
    check,
)
.about(About::All);

fn check(declared: &Declared<'_>, report: &mut Report<'_>) {
    for member in report.fields(&declared.types) {
        let Some(value) = default(member.field) else {
            continue;
        };
        let arena = Arena::new();
        let value = value.value(&arena);
        let rules = value_rules(declared.schema, member.field);
        // Limits and enums of kubebuilder are checked where their markers are read.
        let of_tag = |rule: &SchemaRule| match rule.family {
            Family::Declarative => {
                limit(&rule.facet, value).or_else(|| enumeration(declared, member, rule, value))
            }
            _ => None,
        };
        let own = rules.into_iter().filter_map(|rule| {
            let problem = value.as_str().and_then(|text| text_problem(&rule.facet, text));
            problem.or_else(|| of_tag(rule))
        });
        let mut problems: Vec<String> = own.chain(inner_problems(member, value)).collect();
        // A type and its alias may have the same rule.
        let mut told = HashSet::new();
        problems.retain(|problem| told.insert(problem.clone()));
        for problem in problems {
            let place = default_place(report, member);
            let message = format!("the default of field `{}` {problem}", member.path);
            report.warn(place, message, |finding| finding);
        }
    }
}

/// What is wrong with the elements of a default: by `+k8s:eachVal`, and because a set has them once.
fn inner_problems(member: &Member<'_>, value: Value<'_>) -> Vec<String> {
    let elements: Vec<Value<'_>> = match value {
        Value::Array(items) => items.to_vec(),
        Value::Object(object) => object.values().collect(),
        _ => return Vec::new(),
    };
    let native = member
        .field
        .rules
        .iter()
        .filter(|rule| rule.family == Family::Declarative);
    let mut problems = Vec::new();
    for rule in native {
        if rule.scope().eq([Wrap::EachVal].iter()) {
            let problem = |element: &Value<'_>| {
                let text = element.as_str().and_then(|text| text_problem(&rule.facet, text));
                text.or_else(|| limit(&rule.facet, *element))
            };
            let found = elements.iter().find_map(problem);
            problems.extend(found.map(|problem| format!("has an element that {problem}")));
        }
        let is_set = rule.is_plain() && rule.facet == Facet::ListType(ListType::Set);
        let is_double = |(at, element): (usize, &Value<'_>)| elements[..at].contains(element);
        if is_set && elements.iter().enumerate().any(is_double) {
            problems.push("has an element twice, and the list is a set".to_owned());
        }
    }
    problems
}

/// One and many of what is counted.
type Noun = (&'static str, &'static str);
const CHARACTERS: Noun = ("character", "characters");
const BYTES: Noun = ("byte", "bytes");
const ITEMS: Noun = ("item", "items");
const ENTRIES: Noun = ("entry", "entries");

fn counted(number: i64, (one, many): Noun) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

fn text_problem(facet: &Facet, text: &str) -> Option<String> {
    match facet {
        Facet::Pattern(pattern) => Regexp::new(pattern)
            .is_ok_and(|pattern| !pattern.is_match(text))
            .then(|| format!("does not match `{pattern}`")),
        Facet::Format(name) if !has_format(text, name) => Some(format!("is not a valid `{name}`")),
        Facet::MinLength(limit) if (text.chars().count() as i64) < *limit => {
            Some(format!("is shorter than {}", counted(*limit, CHARACTERS)))
        }
        _ => None,
    }
}

/// What is wrong with a default by a limit of a `+k8s:` tag.
fn limit(facet: &Facet, value: Value<'_>) -> Option<String> {
    let over = |found: Option<usize>, most: i64, what: Noun| {
        let is_over = found.is_some_and(|found| found as i64 > most);
        is_over.then(|| format!("has more than {}", counted(most, what)))
    };
    let under = |found: Option<usize>, least: i64, what: Noun| {
        let is_under = found.is_some_and(|found| (found as i64) < least);
        is_under.then(|| format!("has fewer than {}", counted(least, what)))
    };
    let (text, number) = (value.as_str(), value.as_f64());
    let items = || value.as_array().map(<[_]>::len);
    let entries = || value.as_object().map(|object| object.len());
    match facet {
        Facet::Minimum(bound) => {
            let (number, least) = number.zip(facts::number(&bound.limit))?;
            (number < least || bound.exclusive && number <= least)
                .then(|| format!("is below the minimum {least}"))
        }
        Facet::Maximum(bound) => {
            let (number, most) = number.zip(facts::number(&bound.limit))?;
            (number > most || bound.exclusive && number >= most)
                .then(|| format!("is above the maximum {most}"))
        }
        Facet::MaxLength(most) => over(text.map(|text| text.chars().count()), *most, CHARACTERS),
        Facet::MaxBytes(most) => over(text.map(str::len), *most, BYTES),
        Facet::MaxItems(most) => over(items(), *most, ITEMS),
        Facet::MinItems(least) => under(items(), *least, ITEMS),
        Facet::MaxProperties(most) => over(entries(), *most, ENTRIES),
        Facet::MinProperties(least) => under(entries(), *least, ENTRIES),
        _ => None,
    }
}

/// What is wrong with a default that is not a constant of its enum.
fn enumeration(
    declared: &Declared<'_>,
    member: &Member<'_>,
    rule: &SchemaRule,
    value: Value<'_>,
) -> Option<String> {
    let text = value.as_str().filter(|_| rule.facet == Facet::Enum)?;
    let view = declared.schema.view();
    let TypeRef::Named(id) = view.unalias(view.deref(&member.field.ty)) else {
        return None;
    };
    let arena = Arena::new();
    let constants = declared.schema.ty(*id).constants.iter();
    let values: Option<Vec<&str>> = constants
        .map(|constant| constant.value.as_ref()?.value(&arena).as_str())
        .collect();
    let is_wrong = values.is_some_and(|values| !values.is_empty() && !values.contains(&text));
    is_wrong.then(|| {
        format!(
            "is not a value of the enum `{}`",
            declared.schema.ty(*id).name.name
        )
    })
}

/// Whether a text has a format of declarative validation or of CRDs; unknown formats accept everything.
fn has_format(text: &str, name: &str) -> bool {
    let native = format::find(name).map(|found| format::is_valid(found, text));
    let published = || strfmt::find(strfmt::Applies::String, name).map(|found| (found.check)(text));
    native.or_else(published).unwrap_or(true)
}
