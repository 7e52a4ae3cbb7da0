//! Infers a schema for an object that comes without one, from the types of its values.

use kindsmith_json::Value;
use kindsmith_schema::{Items, JsonSchema, Shared};

/// The schema of a value; the type of `null` and of lists with mixed items stays unknown.
pub(super) fn infer(value: Value<'_>) -> JsonSchema {
    let mut schema = JsonSchema {
        ty: name(value).into(),
        preserve_unknown_fields: value.is_null().then_some(true),
        ..JsonSchema::default()
    };
    match value {
        Value::Object(object) => {
            let members = object.iter().map(|(key, value)| (key.into(), infer(value)));
            schema.properties = members.collect();
        }
        Value::Array(items) => schema.items = Some(Shared::new(Items::Each(shared(items)))),
        _ => {}
    }
    schema
}

fn name(value: Value<'_>) -> &'static str {
    match value {
        Value::Null => "",
        Value::Bool(_) => "boolean",
        Value::Int(_) => "integer",
        Value::Uint(_) | Value::Float(_) => "number",
        Value::Str(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// The schema that all items of a list share, if there is one; properties of objects are combined.
fn shared(items: &[Value<'_>]) -> JsonSchema {
    let mut schemas = items.iter().map(|item| infer(*item));
    let any = || JsonSchema {
        preserve_unknown_fields: Some(true),
        ..JsonSchema::default()
    };
    let Some(first) = schemas.next() else {
        return any();
    };
    schemas.try_fold(first, join).unwrap_or_else(any)
}

fn join(mut one: JsonSchema, other: JsonSchema) -> Option<JsonSchema> {
    if one.ty != other.ty {
        return None;
    }
    for (name, schema) in other.properties {
        match one.properties.iter_mut().find(|(known, _)| *known == name) {
            None => one.properties.push((name, schema)),
            Some((_, known)) => *known = join(std::mem::take(known), schema)?,
        }
    }
    let (Some(Items::Each(items)), Some(Items::Each(others))) =
        (one.items.as_deref_mut(), other.items.as_deref())
    else {
        return Some(one);
    };
    *items = join(std::mem::take(items), others.clone())?;
    Some(one)
}
