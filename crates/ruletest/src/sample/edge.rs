//! Objects at the edge of every rule: values that just pass and values that just fail, at every place of a schema.

use kindsmith_schema::JsonSchema;
use serde_json::{Map, Value as Json, json};

use super::place::{Place, Step, places};
use super::{text, value};

/// Groups with more members are not tried in pairs.
const MAX_PAIRS: usize = 12;
/// Values tried at each of two places that one rule compares.
const VALUES: usize = 4;

/// An object to try.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The place that was changed: `spec.hours[].day`.
    pub path: String,
    /// The object.
    pub object: Json,
    /// The value at the place, if one was set there.
    pub value: Option<Json>,
}

/// Objects that differ from a base at one or two places. Equal ones are there once.
#[must_use]
pub fn candidates(schema: &JsonSchema, base: &Json) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = Vec::new();
    let places = places(schema);
    for place in &places {
        let path = place.path();
        let mut add = |object: Json, value: Option<Json>| {
            all.push(Candidate {
                path: path.clone(),
                object,
                value,
            });
        };
        let there = place.set(base, value::smallest(place.schema(), place.steps.len()));
        place
            .unset(&there)
            .into_iter()
            .for_each(|object| add(object, None));
        for value in values(place) {
            add(place.set(base, value.clone()), Some(value));
        }
        together(place, base)
            .into_iter()
            .for_each(|object| add(object, None));
    }
    for place in places
        .iter()
        .filter(|place| !place.schema().validations.is_empty())
    {
        let path = place.path();
        for object in compared(place, &places, base) {
            all.push(Candidate {
                path: path.clone(),
                object,
                value: None,
            });
        }
    }
    let mut seen = std::collections::HashSet::new();
    all.retain(|candidate| seen.insert((candidate.path.clone(), candidate.object.to_string())));
    all
}

/// Values at the edge of the rules of a place.
pub(super) fn values(place: &Place<'_>) -> Vec<Json> {
    let schema = place.schema();
    let depth = place.steps.len();
    let mut all = vec![value::smallest(schema, depth)];
    all.extend(schema.enum_values.iter().map(value::of_json));
    if !schema.enum_values.is_empty() {
        all.push(json!("Unknown"));
    }
    if schema.int_or_string {
        all.extend([json!(1), json!("50%"), json!("a")]);
    }
    match &*schema.ty {
        "string" => texts(place, &mut all),
        "integer" | "number" => numbers(place, &mut all),
        "boolean" => all.extend([json!(false), json!(true)]),
        "array" => lists(schema, depth, &mut all),
        "object" => maps(schema, depth, &mut all),
        _ => {}
    }
    all
}

fn texts(place: &Place<'_>, all: &mut Vec<Json>) {
    let schema = place.schema();
    if !schema.enum_values.is_empty() {
        return;
    }
    let around = |limit: Option<i64>| limit.into_iter().flat_map(|limit| [limit - 1, limit, limit + 1]);
    let literals = place.literals();
    let counts = literals
        .integers
        .iter()
        .flat_map(|limit| [limit - 1, *limit, limit + 1]);
    for length in around(schema.min_length)
        .chain(around(schema.max_length))
        .chain(counts)
    {
        if (0..=super::MAX_COUNT).contains(&length) {
            let length = length as usize;
            all.extend(text::of_length(schema, length).map(Json::from));
            all.push(json!("a".repeat(length)));
        }
    }
    if !schema.pattern.is_empty() || !schema.format.is_empty() {
        all.extend(["", "!", "-", " a"].map(Json::from));
    }
    all.extend(["", "a", "b", "A", "-a", "a.b", "a/b"].map(Json::from));
    all.extend(literals.texts.iter().map(|text| json!(text)));
}

fn numbers(place: &Place<'_>, all: &mut Vec<Json>) {
    let schema = place.schema();
    let bounds = [schema.minimum, schema.maximum, schema.multiple_of];
    let mut around: Vec<i64> = bounds.iter().flatten().map(|bound| *bound as i64).collect();
    around.extend(&place.literals().integers);
    around.push(0);
    for number in around {
        for near in [number.saturating_sub(1), number, number.saturating_add(1)] {
            all.push(json!(near));
        }
    }
}

fn lists(schema: &JsonSchema, depth: usize, all: &mut Vec<Json>) {
    let around = |limit: Option<i64>| limit.into_iter().flat_map(|limit| [limit - 1, limit, limit + 1]);
    let counts = around(schema.min_items)
        .chain(around(schema.max_items))
        .chain([0, 1, 2]);
    for count in counts.filter(|count| (0..=1000).contains(count)) {
        all.push(value::list(schema, count, depth));
    }
    if let Json::Array(one) = value::list(schema, 1, depth)
        && let Some(element) = one.first()
    {
        all.push(json!([element, element]));
    }
}

fn maps(schema: &JsonSchema, depth: usize, all: &mut Vec<Json>) {
    if schema.additional().is_none() {
        return;
    }
    let around = |limit: Option<i64>| limit.into_iter().flat_map(|limit| [limit - 1, limit, limit + 1]);
    let counts = around(schema.min_properties)
        .chain(around(schema.max_properties))
        .chain([0, 1, 2]);
    for count in counts.filter(|count| (0..=1000).contains(count)) {
        let mut members = Map::new();
        value::fill(schema, &mut members, count as usize, depth);
        all.push(Json::Object(members));
    }
}

/// A struct with pairs of its members, and with all of them: groups in which only some may be set.
fn together(place: &Place<'_>, base: &Json) -> Vec<Json> {
    let schema = place.schema();
    let depth = place.steps.len();
    let names: Vec<&str> = schema
        .properties
        .iter()
        .map(|(name, _)| &**name)
        .filter(|name| !place.steps.is_empty() || !["apiVersion", "kind", "metadata"].contains(name))
        .collect();
    if names.len() < 2 {
        return Vec::new();
    }
    let with = |members: &[&str]| {
        let mut value = place
            .get(base)
            .cloned()
            .unwrap_or_else(|| value::smallest(schema, depth));
        for name in members {
            if let Some(property) = schema.property(name).filter(|_| value.is_object()) {
                value[*name] = value::smallest(property, depth + 1);
            }
        }
        place.set(base, value)
    };
    let mut all = vec![with(&names)];
    if names.len() <= MAX_PAIRS {
        for (index, first) in names.iter().enumerate() {
            all.extend(names[index + 1..].iter().map(|second| with(&[first, second])));
        }
    }
    all
}

/// Objects in which two scalars below a rule have different values.
fn compared(rule: &Place<'_>, places: &[Place<'_>], base: &Json) -> Vec<Json> {
    let is_below = |place: &&Place<'_>| {
        let depth = place.steps.len();
        let is_scalar = matches!(&*place.schema().ty, "string" | "integer" | "number" | "boolean");
        is_scalar
            && depth > rule.steps.len()
            && depth <= rule.steps.len() + 3
            && place.steps.starts_with(&rule.steps)
    };
    let texts: String = rule.schema().validations.iter().map(|rule| &*rule.rule).collect();
    let is_named = |place: &&Place<'_>| match place.steps.last() {
        Some(Step::Member(name)) => texts.contains(&**name),
        _ => true,
    };
    let below: Vec<&Place<'_>> = places
        .iter()
        .filter(is_below)
        .filter(is_named)
        .take(MAX_PAIRS)
        .collect();
    let mut all = Vec::new();
    for (index, first) in below.iter().enumerate() {
        for second in &below[index + 1..] {
            for left in chosen(first) {
                for right in chosen(second) {
                    all.push(second.set(&first.set(base, left.clone()), right));
                }
            }
        }
    }
    all
}

fn chosen(place: &Place<'_>) -> Vec<Json> {
    let mut values = values(place);
    values.dedup();
    let literals = values.split_off(values.len().min(1));
    values.extend(literals.into_iter().rev().take(VALUES));
    values
}
