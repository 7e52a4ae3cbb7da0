//! Properties of value validation over random schemas and objects: the plan and the naive reading agree, on
//! create and on update; an unchanged value is rejected only where objects contain something that the schema
//! does not know.

use crate::naive_values;
use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_object::NoTrace;
use kindsmith_schema::{Items, Json, JsonSchema, SchemaOrBool, Shared};
use kindsmith_structural::{StructuralChange, StructuralSchema};
use kindsmith_testkit::Draw;
use proptest::prelude::*;

/// Few names, so that schemas and objects have some in common.
const NAMES: &[&str] = &["a", "b", "k", "kind", "a.b", "apiVersion"];
const TYPES: &[&str] = &[
    "", "object", "object", "object", "array", "string", "integer", "number", "boolean", "odd",
];
const FORMATS: &[&str] = &[
    "date",
    "int32",
    "int64",
    "float",
    "double",
    "uuid",
    "fancy",
    "date-time",
];
const LIMITS: &[f64] = &[-1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3_000_000_000.0];
const SIZES: &[i64] = &[0, 1, 2, 3];
const SCALARS: &[&str] = &[
    "null",
    "true",
    "0",
    "1",
    "2",
    "65",
    "1.0",
    "1.5",
    "0.25",
    "4000000000",
    "1e39",
    "1.0000000001",
    r#""""#,
    r#""A""#,
    r#""ab""#,
    r#""äöü""#,
    r#""2024-02-29""#,
];

fn schema(draw: &mut Draw, depth: u64) -> JsonSchema {
    let mut schema = JsonSchema {
        ty: draw.pick(TYPES).into(),
        nullable: draw.chance(5),
        format: draw.maybe(5, FORMATS).unwrap_or_default().into(),
        int_or_string: draw.chance(10),
        maximum: draw.maybe(5, LIMITS),
        exclusive_maximum: draw.chance(4),
        minimum: draw.maybe(5, LIMITS),
        exclusive_minimum: draw.chance(4),
        multiple_of: draw.maybe(8, LIMITS),
        max_length: draw.maybe(6, SIZES),
        min_length: draw.maybe(6, SIZES),
        pattern: draw.maybe(8, &["^a", "b", "[A-Z]"]).unwrap_or_default().into(),
        max_items: draw.maybe(6, SIZES),
        min_items: draw.maybe(8, SIZES),
        unique_items: draw.chance(10),
        max_properties: draw.maybe(8, SIZES),
        min_properties: draw.maybe(8, SIZES),
        ..JsonSchema::default()
    };
    if draw.chance(4) {
        let default = near(draw, &schema, 2);
        schema.default = (default != "null").then(|| Json::parse(&default).expect("JSON"));
    }
    if draw.chance(7) {
        let members = (0..=draw.next(3)).map(|_| Json::parse(&value(draw, 1)).expect("JSON"));
        schema.enum_values = members.collect();
    }
    for _ in 0..draw.next(3) {
        let name = draw.pick(NAMES);
        if draw.chance(2) {
            schema.required.push(name.into());
        }
    }
    if depth > 0 {
        children(draw, depth, &mut schema);
    }
    schema
}

fn children(draw: &mut Draw, depth: u64, schema: &mut JsonSchema) {
    for _ in 0..draw.next(4) {
        let name = draw.pick(NAMES);
        if schema.property(name).is_none() {
            let property = self::schema(draw, depth - 1);
            schema.properties.push((name.into(), property));
        }
    }
    if draw.chance(3) {
        schema.additional_properties = Some(Shared::new(match draw.next(3) {
            0 => SchemaOrBool::Allowed(draw.chance(2)),
            _ => SchemaOrBool::Schema(self::schema(draw, depth - 1)),
        }));
    }
    if draw.chance(2) {
        schema.items = Some(Shared::new(Items::Each(self::schema(draw, depth - 1))));
        schema.list_type = draw.maybe(2, &["map", "set", "atomic"]).map(Into::into);
        schema.list_map_keys = (0..=draw.next(2))
            .map(|_| draw.pick(&["a", "k"]).into())
            .collect();
    }
    let branches = |draw: &mut Draw| -> Vec<JsonSchema> {
        let count = if draw.chance(5) { 1 + draw.next(3) } else { 0 };
        (0..count)
            .map(|_| self::schema(draw, (depth - 1).min(1)))
            .collect()
    };
    schema.any_of = branches(draw).into();
    schema.one_of = branches(draw).into();
    schema.all_of = branches(draw).into();
    schema.not = draw.chance(10).then(|| Shared::new(self::schema(draw, 0)));
}

/// Any value, as JSON text.
fn value(draw: &mut Draw, depth: u64) -> String {
    match draw.next(if depth == 0 { 2 } else { 6 }) {
        0 | 1 => draw.pick(SCALARS).to_owned(),
        2 | 3 => {
            let items: Vec<String> = (0..draw.next(4)).map(|_| value(draw, depth - 1)).collect();
            format!("[{}]", items.join(","))
        }
        _ => object(draw, depth),
    }
}

fn object(draw: &mut Draw, depth: u64) -> String {
    let first = draw.next(6);
    let entries: Vec<String> = (0..draw.next(5))
        .map(|number| {
            let key = NAMES[((first + number * 5) % 6) as usize];
            format!(r#""{key}":{}"#, value(draw, depth.saturating_sub(1)))
        })
        .collect();
    format!("{{{}}}", entries.join(","))
}

/// A value that follows parts of the schema.
fn near(draw: &mut Draw, schema: &JsonSchema, depth: u64) -> String {
    if depth == 0 || draw.chance(6) {
        return value(draw, depth.min(2));
    }
    match &*schema.ty {
        "object" | "" => {
            let mut seen: Vec<&str> = Vec::new();
            let mut entries = Vec::new();
            for (name, property) in &schema.properties {
                if !draw.chance(4) && !seen.contains(&&**name) {
                    seen.push(name);
                    entries.push(format!(r#""{name}":{}"#, near(draw, property, depth - 1)));
                }
            }
            let name = draw.pick(NAMES);
            if let Some(schema) = schema.additional().filter(|_| !seen.contains(&name)) {
                entries.push(format!(r#""{name}":{}"#, near(draw, schema, depth - 1)));
            }
            format!("{{{}}}", entries.join(","))
        }
        "array" => {
            let item = schema.item().cloned().unwrap_or_default();
            let items: Vec<String> = (0..draw.next(4)).map(|_| near(draw, &item, depth - 1)).collect();
            format!("[{}]", items.join(","))
        }
        "string" => draw.pick(&[r#""A""#, r#""ab""#, r#""2024-02-29""#]).to_owned(),
        "integer" | "number" => draw.pick(&["0", "1", "2", "1.5", "1.0"]).to_owned(),
        _ => value(draw, 1),
    }
}

/// The value with some parts replaced.
fn changed(draw: &mut Draw, value: Value<'_>) -> String {
    if draw.chance(8) {
        return self::value(draw, 1);
    }
    match value {
        Value::Object(object) => {
            let mut entries: Vec<String> = Vec::new();
            for (key, value) in object {
                if !draw.chance(12) {
                    entries.push(format!(r#""{key}":{}"#, changed(draw, value)));
                }
            }
            format!("{{{}}}", entries.join(","))
        }
        Value::Array(items) => {
            let mut items: Vec<String> = items.iter().map(|&item| changed(draw, item)).collect();
            if draw.chance(3) {
                items.reverse();
            }
            format!("[{}]", items.join(","))
        }
        scalar => kindsmith_json::to_string(scalar),
    }
}

fn plan_says(structure: &StructuralSchema, change: &StructuralChange<'_>) -> Vec<String> {
    let errors = structure.validate(change).errors;
    let errors = errors.iter().filter(|error| {
        // List types have their own checks.
        error.kind != kindsmith_object::ErrorKind::Duplicate && !error.to_string().contains("list-type map")
    });
    errors.map(ToString::to_string).collect()
}

fn naive_says(schema: &JsonSchema, new: Value<'_>, old: Option<Value<'_>>) -> Vec<String> {
    let outcome = naive_values::validate(schema, new, old, "");
    outcome.errors.into_iter().map(|(_, shown)| shown).collect()
}

/// Whether the schema knows everything in a value, so that the value compares equal to itself.
fn is_known(schema: &JsonSchema, value: Value<'_>) -> bool {
    match value {
        Value::Object(object) => object.iter().all(|(key, value)| {
            let member = schema.property(key).or_else(|| schema.additional());
            member.is_some_and(|member| is_known(member, value))
        }),
        // Elements of such a list are matched by keys that may be absent.
        Value::Array(items) if schema.list_type.as_deref() == Some("map") => items.is_empty(),
        _ => true,
    }
}

/// The object with some members replaced by those of another.
fn mixed<'a>(draw: &mut Draw, arena: &'a Arena, object: Value<'a>, other: Value<'a>) -> Value<'a> {
    let mut mixed = object.as_object().unwrap_or_default();
    for (key, value) in other.as_object().unwrap_or_default() {
        if draw.chance(3) {
            mixed.insert(arena, key, value);
        }
    }
    for (key, _) in mixed {
        if draw.chance(8) {
            mixed.remove(arena, key);
        }
    }
    Value::Object(mixed)
}

fn has_floats(value: Value<'_>) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|&item| has_floats(item)),
        Value::Object(object) => object.values().any(has_floats),
        other => matches!(other, Value::Float(_)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn known_facts_do_not_change_the_errors(seed: u64) {
        let mut draw = Draw(seed);
        let schema = schema(&mut draw, 3);
        let structure = StructuralSchema::compile(&schema).expect("structural");
        let arena = Arena::new();
        let (object, other) = (near(&mut draw, &schema, 4), near(&mut draw, &schema, 4));
        let object = parse_str(&arena, &object).expect("JSON");
        let other = parse_str(&arena, &other).expect("JSON");
        let checked = structure.settle_checked(&arena, object, true, &mut NoTrace);
        prop_assert_eq!(checked.object, structure.settle(&arena, object, true, &mut NoTrace));
        prop_assert!(!checked.is_without_floats() || !has_floats(checked.object));
        for new in [checked.object, mixed(&mut draw, &arena, checked.object, other)] {
            let change = StructuralChange::create(new);
            let knowing = StructuralChange { checked: Some(&checked), ..change };
            prop_assert_eq!(structure.validate(&knowing), structure.validate(&change), "{:?}", new);
            if let (Value::Object(new), false) = (new, structure.has_embedded(new))
                && structure.is_still_settled(&arena, &checked, new)
            {
                let new = Value::Object(new);
                prop_assert_eq!(structure.settle(&arena, new, true, &mut NoTrace), new);
            }
        }
    }

    #[test]
    fn the_plan_agrees_with_the_naive_reading(seed: u64) {
        let mut draw = Draw(seed);
        let schema = schema(&mut draw, 3);
        let structure = StructuralSchema::compile(&schema).expect("structural");
        let arena = Arena::new();
        let (old, new) = (near(&mut draw, &schema, 4), near(&mut draw, &schema, 4));
        let old = parse_str(&arena, &old).expect("JSON");
        let mutated = changed(&mut draw, old);
        let mutated = parse_str(&arena, &mutated).expect("JSON");
        let new = parse_str(&arena, &new).expect("JSON");
        let created = plan_says(&structure, &StructuralChange::create(old));
        prop_assert_eq!(created, naive_says(&schema, old, None));
        for new in [new, mutated, old] {
            let updated = plan_says(&structure, &StructuralChange::update(new, old));
            prop_assert_eq!(updated, naive_says(&schema, new, Some(old)), "{:?} {:?}", new, old);
        }
    }

    #[test]
    fn unchanged_objects_are_accepted(seed: u64) {
        let mut draw = Draw(seed);
        let schema = schema(&mut draw, 3);
        let structure = StructuralSchema::compile(&schema).expect("structural");
        let arena = Arena::new();
        let object = near(&mut draw, &schema, 4);
        let object = parse_str(&arena, &object).expect("JSON");
        let errors = plan_says(&structure, &StructuralChange::update(object, object));
        if is_known(&schema, object) {
            prop_assert!(errors.is_empty(), "{:?} {:?}", errors, object);
        }
    }
}
