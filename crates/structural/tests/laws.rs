//! Properties of the passes over random schemas and objects: compiled and naive passes agree, one walk equals
//! the single passes in order, a second run changes nothing, and unchanged values are not copied.

use crate::naive::{self, Tree};
use kindsmith_json::path::PathBuf;
use kindsmith_json::{Arena, Path, Value, parse_str};
use kindsmith_object::NoTrace;
use kindsmith_object::meta::Malformed;
use kindsmith_schema::{Items, Json, JsonSchema, SchemaOrBool, Shared};
use kindsmith_structural::{Coercion, PrunedPaths, StructuralSchema};
use kindsmith_testkit::Draw;
use proptest::prelude::*;

/// Few names, so that schemas and objects have some in common; meta members are among them.
const NAMES: [&str; 8] = [
    "a",
    "b",
    "c",
    "apiVersion",
    "kind",
    "metadata",
    "name",
    "a longer name than others",
];

fn name(draw: &mut Draw) -> &'static str {
    draw.pick(&NAMES)
}

/// Any schema of the spine; most are not valid in a CRD, but all have a meaning.
fn schema(draw: &mut Draw, depth: u64) -> JsonSchema {
    let mut schema = JsonSchema {
        nullable: draw.chance(4),
        embedded_resource: draw.chance(6),
        preserve_unknown_fields: draw.chance(5).then_some(true),
        default: draw
            .chance(3)
            .then(|| Json::parse(&value(draw, 2)).expect("JSON")),
        ..JsonSchema::default()
    };
    if schema
        .default
        .as_ref()
        .is_some_and(|json| json.as_str() == "null")
    {
        schema.default = None;
    }
    if depth == 0 {
        return schema;
    }
    for _ in 0..draw.next(4) {
        let name = name(draw);
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
    }
    schema
}

/// Any value, as JSON text.
fn value(draw: &mut Draw, depth: u64) -> String {
    match draw.next(if depth == 0 { 4 } else { 9 }) {
        0 => "null".to_owned(),
        1 => draw.next(3).to_string(),
        2 => "1.5".to_owned(),
        3 => format!(r#""{}""#, name(draw)),
        4 | 5 => {
            let items: Vec<String> = (0..draw.next(4)).map(|_| value(draw, depth - 1)).collect();
            format!("[{}]", items.join(","))
        }
        _ => object(draw, depth),
    }
}

fn object(draw: &mut Draw, depth: u64) -> String {
    let first = draw.next(8);
    let entries: Vec<String> = (0..draw.next(5))
        .map(|number| {
            let key = NAMES[((first + number * 3) % 8) as usize];
            format!(r#""{key}":{}"#, value(draw, depth - 1))
        })
        .collect();
    format!("{{{}}}", entries.join(","))
}

/// A schema with its structure, and an object.
fn case(seed: u64) -> (JsonSchema, StructuralSchema, String) {
    let mut draw = Draw(seed);
    let schema = schema(&mut draw, 4);
    let structure = StructuralSchema::compile(&schema).expect("structural");
    let object = object(&mut draw, 5);
    (schema, structure, object)
}

/// Are they the very same value, not only equal?
fn is_same(left: Value<'_>, right: Value<'_>) -> bool {
    match (left, right) {
        (Value::Object(left), Value::Object(right)) => std::ptr::eq(left.entries(), right.entries()),
        (left, right) => left == right,
    }
}

fn coerce<'a>(structure: &'a StructuralSchema, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    let how = Coercion {
        resource: true,
        malformed: Malformed::Drop,
        unknown: None,
    };
    structure
        .coerce(arena, object, &Path::NIL, how)
        .expect("nothing is refused")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn compiled_passes_agree_with_naive_ones(seed: u64) {
        let (schema, structure, text) = case(seed);
        let arena = Arena::new();
        let object = parse_str(&arena, &text).expect("JSON");
        for resource in [false, true] {
            let mut tree = Tree::new(object);
            let mut unknown = PrunedPaths::default();
            let pruned = structure.prune_traced(&arena, object, resource, &mut unknown);
            let gone = naive::prune(&mut tree, &schema, resource);
            prop_assert_eq!(&Tree::new(pruned), &tree);
            let unknown: Vec<String> = unknown.finish().iter().map(PathBuf::dotted).collect();
            prop_assert_eq!(unknown, gone);
        }
        let mut tree = Tree::new(object);
        naive::remove_nulls(&mut tree, Some(&schema));
        prop_assert_eq!(&Tree::new(structure.remove_nulls(&arena, object)), &tree);
        let mut tree = Tree::new(object);
        naive::default(&mut tree, &schema);
        prop_assert_eq!(&Tree::new(structure.default(&arena, object)), &tree);
    }

    #[test]
    fn one_walk_equals_the_passes_one_after_the_other(seed: u64) {
        let (_, structure, text) = case(seed);
        let arena = Arena::new();
        let object = parse_str(&arena, &text).expect("JSON");
        for resource in [false, true] {
            let pruned = structure.prune(&arena, object, resource);
            let clean = structure.remove_nulls(&arena, pruned);
            let filled = structure.default(&arena, clean);
            prop_assert_eq!(structure.clean(&arena, object, resource, &mut NoTrace), clean);
            prop_assert_eq!(structure.settle(&arena, object, resource, &mut NoTrace), filled);
        }
    }

    #[test]
    fn a_second_run_changes_and_copies_nothing(seed: u64) {
        let (_, structure, text) = case(seed);
        let arena = Arena::new();
        let object = parse_str(&arena, &text).expect("JSON");
        let pruned = structure.prune(&arena, object, true);
        prop_assert!(is_same(structure.prune(&arena, pruned, true), pruned));
        let clean = structure.remove_nulls(&arena, object);
        prop_assert!(is_same(structure.remove_nulls(&arena, clean), clean));
        let filled = structure.default(&arena, object);
        prop_assert!(is_same(structure.default(&arena, filled), filled));
        let coerced = coerce(&structure, &arena, object);
        prop_assert!(is_same(coerce(&structure, &arena, coerced), coerced));
    }

    #[test]
    fn served_defaults_survive_pruning(seed: u64) {
        let (schema, _, text) = case(seed);
        let Ok(structure) = StructuralSchema::serve(&schema, kindsmith_cel::dialect::Dialect::default()) else {
            // The default of the root is not an object.
            return Ok(());
        };
        let arena = Arena::new();
        let object = parse_str(&arena, &text).expect("JSON");
        let pruned = structure.prune(&arena, coerce(&structure, &arena, object), true);
        let filled = structure.default(&arena, pruned);
        prop_assert_eq!(structure.prune(&arena, filled, true), filled);
    }
}
