//! Bounds that make a CEL rule of a CRD cheap enough: which fields lack one, and which number would do. Found by trying:
//! the server's own estimate decides.

use kindsmith::{Kinds, Write};
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::{Arena, Value};

/// Bounds to try, smallest first. All are easy to read.
const BOUNDS: [i64; 19] = [
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000,
    500_000, 1_000_000,
];
/// A bound below this does not help alone.
const USEFUL: i64 = 10;
/// At most this many fields are tried; each costs a few reviews of the CRD.
const TRIED: usize = 8;

/// A field without a bound: its schema's place, and the keyword it lacks.
#[derive(Debug, Clone, PartialEq)]
struct Gap {
    place: Vec<Step>,
    keyword: &'static str,
}

/// How to bring a rule within its budget; `None` if bounds do not help. `rule` is the place of the rule in the CRD.
pub(super) fn advice(definition: Value<'_>, rule: &PathBuf) -> Option<String> {
    let mut gaps = gaps(definition, rule);
    gaps.truncate(TRIED);
    let alone = gaps.iter().filter_map(|gap| {
        let bound = largest(definition, rule, std::slice::from_ref(gap))?;
        (bound >= USEFUL).then_some((bound, gap))
    });
    // Of equal bounds the outermost field's is the easiest to accept.
    if let Some((bound, gap)) = alone.reduce(|best, next| if next.0 > best.0 { next } else { best }) {
        let (name, keyword) = (gap.name(), gap.keyword);
        return Some(format!("{name} has no {keyword}: `{keyword}: {bound}` would do"));
    }
    let bound = largest(definition, rule, &gaps)?;
    let each: Vec<String> = gaps
        .iter()
        .map(|gap| format!("`{}: {bound}` on {}", gap.keyword, gap.name()))
        .collect();
    Some(format!("bounds that would do: {}", each.join(", ")))
}

impl Gap {
    /// The field as its objects name it: `spec.hosts[*].name`.
    fn name(&self) -> String {
        let mut name = String::new();
        let mut steps = self.place.iter().skip(5);
        while let Some(step) = steps.next() {
            match text(step) {
                "properties" => {
                    let separator = if name.is_empty() { "" } else { "." };
                    name += &format!("{separator}{}", steps.next().map_or("", text));
                }
                "items" | "additionalProperties" => name.push_str("[*]"),
                _ => {}
            }
        }
        name
    }
}

/// The largest bound for all these fields under which the rule is within its budget.
fn largest(definition: Value<'_>, rule: &PathBuf, gaps: &[Gap]) -> Option<i64> {
    let count = BOUNDS.partition_point(|bound| is_cheap(definition, rule, gaps, *bound));
    BOUNDS[..count].last().copied()
}

fn is_cheap(definition: Value<'_>, rule: &PathBuf, gaps: &[Gap], bound: i64) -> bool {
    let arena = Arena::new();
    let mut bounded =
        kindsmith_json::parse_str(&arena, arena.alloc_str(&kindsmith_json::to_string(definition)))
            .unwrap_or_default();
    for gap in gaps {
        bounded = with(&arena, bounded, &gap.place, (gap.keyword, bound));
    }
    let kinds = Kinds::default();
    let Ok(review) = kinds.review(&arena, &Write::create(bounded)) else {
        return false;
    };
    let is_expensive = review
        .errors
        .iter()
        .any(|error| error.path == *rule && error.is_about_cost());
    !is_expensive
}

/// A value with a number set at a place.
fn with<'a>(
    arena: &'a Arena,
    mut value: Value<'a>,
    place: &[Step],
    (keyword, bound): (&'static str, i64),
) -> Value<'a> {
    let Some((step, rest)) = place.split_first() else {
        value.set(arena, &[keyword], Value::Int(bound));
        return value;
    };
    match step {
        Step::Index(index) => {
            let mut items = value.as_array().unwrap_or_default().to_vec();
            if let Some(item) = items.get_mut(*index) {
                *item = with(arena, *item, rest, (keyword, bound));
            }
            Value::Array(arena.alloc_slice_copy(&items))
        }
        Step::Field(name) | Step::Key(name) => {
            let child = value.get(name).unwrap_or_default();
            let child = with(arena, child, rest, (keyword, bound));
            value.set(arena, &[arena.alloc_str(name)], child);
            value
        }
    }
}

/// Fields without a bound that a rule's cost depends on: those around the rule, then those it can see.
fn gaps(definition: Value<'_>, rule: &PathBuf) -> Vec<Gap> {
    let mut gaps = Vec::new();
    let mut value = definition;
    let mut place = Vec::new();
    for step in rule.steps() {
        if text(step) == "x-kubernetes-validations" {
            below(value, &place, &mut gaps);
            return gaps;
        }
        if matches!(text(step), "items" | "additionalProperties") {
            gaps.extend(gap(value, &place));
        }
        let Some(next) = value.step(step) else {
            return gaps;
        };
        value = next;
        place.push(step.clone());
    }
    gaps
}

fn below(schema: Value<'_>, place: &[Step], gaps: &mut Vec<Gap>) {
    if gaps.len() >= TRIED {
        return;
    }
    gaps.extend(gap(schema, place));
    let at = |names: &[&str]| -> Vec<Step> {
        let names = names.iter().map(|name| Step::Field((*name).into()));
        place.iter().cloned().chain(names).collect()
    };
    for key in ["items", "additionalProperties"] {
        if let Some(schema) = schema.get(key).filter(|schema| schema.as_object().is_some()) {
            below(schema, &at(&[key]), gaps);
        }
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, schema) in properties.into_iter().flat_map(|object| object.iter()) {
        below(schema, &at(&["properties", name]), gaps);
    }
}

fn gap(schema: Value<'_>, place: &[Step]) -> Option<Gap> {
    let has = |key: &str| schema.get(key).is_some();
    let keyword = match schema.get("type").and_then(Value::as_str)? {
        "array" if !has("maxItems") => "maxItems",
        "object" if has("additionalProperties") && !has("maxProperties") => "maxProperties",
        "string" if !has("maxLength") && !has("enum") => "maxLength",
        _ => return None,
    };
    Some(Gap {
        place: place.to_vec(),
        keyword,
    })
}

fn text(step: &Step) -> &str {
    match step {
        Step::Field(name) | Step::Key(name) => name,
        Step::Index(_) => "",
    }
}

#[cfg(test)]
mod tests {
    use kindsmith::About;

    use super::*;

    const CRD: &str = r#"{
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "gates.park.example.org"},
        "spec": {
            "group": "park.example.org", "scope": "Namespaced",
            "names": {"kind": "Gate", "plural": "gates"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                "type": "object", "properties": {"spec": {"type": "object", "properties": {
                    "hosts": {"type": "array", SIZE "items": {"type": "string", "maxLength": 64},
                        "x-kubernetes-validations": [{"rule": "self.all(a, self.exists_one(b, a == b))"}]}
                }}}
            }}}]
        }
    }"#;

    fn check(size: &str, expected: Option<&str>) {
        let arena = Arena::new();
        let text = CRD.replace("SIZE", size);
        let definition = kindsmith_json::parse_str(&arena, &text).expect("JSON");
        let kinds = Kinds::default();
        let review = kinds.review(&arena, &Write::create(definition)).expect("a CRD");
        let costly = review
            .errors
            .iter()
            .find(|error| error.about() == Some(About::RuleCost));
        let advice = costly.and_then(|error| advice(definition, &error.path));
        assert_eq!(advice.as_deref(), expected);
    }

    #[test]
    fn names_the_field_and_a_bound() {
        check("", Some("spec.hosts has no maxItems: `maxItems: 500` would do"));
        check("\"maxItems\": 100,", None);
    }
}
