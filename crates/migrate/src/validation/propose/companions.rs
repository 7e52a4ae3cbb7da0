//! `+k8s:optional` beside other tags.

use kindsmith_schema::{FieldId, Owner, Schema, TypeRef};

use super::{Tag, flat};
use crate::validation::target::{is_struct_value, targets};
use crate::validation::value::{Cond, Emit, ErrorType, Place, Step};

/// A tag that a field needs beside those of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Companion {
    /// The tag.
    pub text: String,
    /// The field.
    pub field: FieldId,
}

/// Whether a tag on a field reports its zero value.
fn refuses_zero(tag: &str) -> bool {
    let plain = tag.rsplit("=+k8s:").next().unwrap_or_default();
    let plain = plain.strip_prefix("+k8s:").unwrap_or(plain);
    let number = |name: &str| plain.strip_prefix(name)?.parse::<i128>().ok();
    let is_inside = tag.contains("eachVal=") || tag.contains("eachKey=") || tag.contains("subfield(");
    let is_format = plain.starts_with("format=") && !plain.ends_with("label-value");
    let bounds = ["minimum=", "minLength=", "minItems=", "minProperties="];
    let is_above = bounds
        .iter()
        .any(|name| number(name).is_some_and(|bound| bound > 0));
    let is_below = number("maximum=").is_some_and(|bound| bound < 0);
    !is_inside && (is_format || is_above || is_below || plain == "required" || plain == "forbidden")
}

/// `+k8s:optional` for what is only looked at if it is set, and for pointers on the way to it.
pub(in crate::validation) fn companions(schema: &Schema, emit: &Emit, tags: &[Tag]) -> Vec<Companion> {
    let conditions = flat(&emit.conditions);
    let is_set = |place: &Place| conditions.contains(&Cond::Set(place.clone()));
    let is_apart = |place: &Place| conditions.contains(&Cond::Number(place.clone(), "!=", 0));
    let mut made: Vec<Companion> = Vec::new();
    let places: Vec<&Place> = conditions.iter().filter_map(Cond::place).collect();
    for place in places {
        for length in 1..=place.steps.len() {
            let part = Place {
                root: place.root.clone(),
                steps: place.steps[..length].to_vec(),
            };
            if !matches!(part.steps.last(), Some(Step::Field(_))) {
                continue;
            }
            let is_whole = length == place.steps.len();
            for target in targets(schema, &part) {
                let is_pointer = matches!(target.of().ty, TypeRef::Pointer(_));
                let is_guarded = is_set(&part) || is_apart(&part) && emit.error != ErrorType::Invalid;
                let wanted = is_guarded || is_pointer && (!is_whole || emit.error != ErrorType::Required);
                let one = Companion {
                    text: format!("{}+k8s:optional", target.wraps),
                    field: target.field,
                };
                // Values of lists and maps are there whenever they are looked at.
                let is_member = !target.wraps.contains("+k8s:each");
                if wanted && is_member && !made.contains(&one) {
                    made.push(one);
                }
            }
        }
    }
    // A field with a tag says whether it may be left out. What refuses the zero value without looking whether it is set says so itself.
    for tag in tags {
        let Owner::Field(field) = tag.owner else { continue };
        let one = Companion {
            text: "+k8s:optional".to_owned(),
            field,
        };
        let found = schema.field(field);
        let is_plain = found.default.is_none() && !is_struct_value(schema, &found.ty);
        if is_plain && !refuses_zero(&tag.text) && !made.contains(&one) {
            made.push(one);
        }
    }
    made
}
