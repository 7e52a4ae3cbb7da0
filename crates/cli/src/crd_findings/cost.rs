//! Which bound makes a CEL rule cheap enough: tried out on the CRD itself, so that the answer is the server's.

use std::sync::Arc;

use kindsmith_crd::definition::Judge;
use kindsmith_openapi::crd;
use kindsmith_schema::{Items, JsonSchema, SchemaOrBool, SpineStep};

use super::place::{pointer, steps};

/// Bounds to try, from the widest.
const BOUNDS: [i64; 9] = [65536, 4096, 1024, 256, 64, 32, 16, 8, 4];
/// Fields to try.
const FIELDS: usize = 24;

/// A bound that a schema lacks.
struct Missing {
    pointer: String,
    keyword: &'static str,
}

/// A sentence that names the field to bound, and how.
pub(super) fn sufficient(judge: &mut Judge, definition: &crd::Definition, path: &str) -> Option<String> {
    let (_, rest) = path.split_once("openAPIV3Schema")?;
    let (steps, _) = steps(rest);
    let version = definition.spec.versions.first()?;
    let schema = version.schema.as_ref()?.open_api_v3_schema.as_deref()?;
    let mut missing = Vec::new();
    for end in 0..=steps.len() {
        let above = &steps[..end];
        if let Some(node) = schema.at(&pointer(above)) {
            collect(
                node,
                &pointer(above),
                if end == steps.len() { 5 } else { 0 },
                &mut missing,
            );
        }
    }
    missing.truncate(FIELDS);
    let mut is_enough = |all: &[(&Missing, i64)]| {
        let mut tried = definition.clone();
        for (bound, value) in all {
            set(&mut tried, bound, *value);
        }
        let errors = judge.errors(&mut tried.to_internal());
        !errors.iter().any(|error| error.path.to_string() == path)
    };
    let mut best: Option<(&Missing, i64)> = None;
    for bound in &missing {
        let wider = BOUNDS
            .iter()
            .take_while(|value| best.is_none_or(|(_, best)| **value > best));
        let wider: Vec<i64> = wider.copied().collect();
        if wider.last().is_some_and(|least| is_enough(&[(bound, *least)])) {
            let value = wider.into_iter().find(|value| is_enough(&[(bound, *value)]));
            best = value.map(|value| (bound, value)).or(best);
        }
    }
    if let Some((bound, value)) = best {
        return Some(format!(
            "`{}` has no `{}`; {value} would be enough: `// +kubebuilder:validation:{}={value}`",
            shown(&bound.pointer),
            bound.keyword,
            marker(bound.keyword)
        ));
    }
    let everywhere = |value: i64| missing.iter().map(|bound| (bound, value)).collect::<Vec<_>>();
    let value = BOUNDS
        .iter()
        .copied()
        .find(|value| is_enough(&everywhere(*value)))?;
    let names: Vec<String> = missing
        .iter()
        .map(|bound| format!("`{}` of `{}`", bound.keyword, shown(&bound.pointer)))
        .collect();
    Some(format!(
        "together these would be enough with {value} each: {}",
        names.join(", ")
    ))
}

/// The bounds that a schema and what is below it lack.
fn collect(node: &JsonSchema, at: &str, depth: usize, missing: &mut Vec<Missing>) {
    let mut add = |keyword| {
        missing.push(Missing {
            pointer: at.to_owned(),
            keyword,
        });
    };
    let is_map = matches!(
        node.additional_properties.as_deref(),
        Some(SchemaOrBool::Schema(_))
    );
    match &*node.ty {
        "string" if node.max_length.is_none() && node.enum_values.is_empty() => add("maxLength"),
        "array" if node.max_items.is_none() => add("maxItems"),
        "object" if is_map && node.max_properties.is_none() => add("maxProperties"),
        _ => {}
    }
    if depth == 0 {
        return;
    }
    for (name, inner) in &node.properties {
        // What every object has is bounded by the server.
        if at.is_empty() && matches!(&**name, "apiVersion" | "kind" | "metadata") {
            continue;
        }
        let step = pointer(&[SpineStep::Property(name.to_string())]);
        collect(inner, &format!("{at}{step}"), depth - 1, missing);
    }
    if let Some(Items::Each(inner)) = node.items.as_deref() {
        collect(inner, &format!("{at}/items"), depth - 1, missing);
    }
    if let Some(SchemaOrBool::Schema(inner)) = node.additional_properties.as_deref() {
        collect(inner, &format!("{at}/additionalProperties"), depth - 1, missing);
    }
}

fn set(definition: &mut crd::Definition, bound: &Missing, value: i64) {
    for version in definition.spec.versions.make() {
        let schema = version
            .schema
            .as_mut()
            .and_then(|schema| schema.open_api_v3_schema.as_mut());
        let node = schema.and_then(|schema| Arc::make_mut(schema).at_mut(&bound.pointer));
        if let Some(node) = node {
            match bound.keyword {
                "maxLength" => node.max_length = Some(value),
                "maxItems" => node.max_items = Some(value),
                _ => node.max_properties = Some(value),
            }
        }
    }
}

/// `/properties/spec/properties/ports/items` as `spec.ports[]`.
fn shown(pointer: &str) -> String {
    let steps = SpineStep::parse(pointer).unwrap_or_default();
    let mut text = String::new();
    for step in steps {
        match step {
            SpineStep::Property(name) if text.is_empty() => text.push_str(&name),
            SpineStep::Property(name) => {
                text.push('.');
                text.push_str(&name);
            }
            SpineStep::Items => text.push_str("[]"),
            SpineStep::Additional => text.push_str("[*]"),
        }
    }
    text
}

fn marker(keyword: &str) -> &'static str {
    match keyword {
        "maxLength" => "MaxLength",
        "maxItems" => "MaxItems",
        _ => "MaxProperties",
    }
}
