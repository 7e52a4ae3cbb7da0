//! Laws that hold for every schema, valid or not.

use std::sync::Arc;

use kindsmith_crd::definition::{Gates, Judge, conditions, create, update};
use kindsmith_openapi::crd::{Definition, InternalDefinition, Validation};
use kindsmith_schema::{Items, Json, JsonSchema, SchemaOrBool, Shared, Str, ValidationRule};
use kindsmith_structural::StructuralSchema;
use proptest::collection::vec;
use proptest::option::{of, weighted};
use proptest::prelude::*;
use proptest::strategy::ValueTree;

use super::sample::definition;

fn text(pool: &'static [&'static str]) -> impl Strategy<Value = Str> {
    prop::sample::select(pool).prop_map(Str::from)
}

fn json() -> impl Strategy<Value = Json> {
    prop::sample::select(
        &[
            "1",
            "\"x\"",
            "{}",
            "{\"a\":1}",
            "[]",
            "[{\"a\":\"x\"}]",
            "true",
            "1.5",
        ][..],
    )
    .prop_map(|text| Json::parse(text).expect("it is JSON"))
}

fn rule() -> impl Strategy<Value = ValidationRule> {
    let rules = &[
        "self == self",
        "has(self.a)",
        "self.all(x, true)",
        "self == oldSelf",
        "self.",
        " ",
    ][..];
    (text(rules), of(text(&["", ".a", "a"]))).prop_map(|(rule, path)| ValidationRule {
        rule,
        field_path: path.unwrap_or_default(),
        ..ValidationRule::default()
    })
}

fn leaf() -> impl Strategy<Value = JsonSchema> {
    let types = &[
        "object", "object", "array", "string", "integer", "boolean", "", "text",
    ][..];
    let flags = (
        weighted(0.2, any::<bool>()),
        weighted(0.1, Just(true)),
        weighted(0.1, Just(true)),
        weighted(0.1, Just(true)),
    );
    let lists = (
        weighted(0.2, text(&["set", "map", "atomic", "bag"])),
        vec(text(&["a", "b"]), 0..2),
    );
    (
        text(types),
        weighted(0.3, json()),
        flags,
        lists,
        vec(rule(), 0..2),
        vec(text(&["a", "b"]), 0..2),
        weighted(0.1, text(&["uuid", "odd"])),
    )
        .prop_map(
            |(
                ty,
                default,
                (preserve, embedded, int_or_string, nullable),
                (list_type, keys),
                validations,
                required,
                format,
            )| JsonSchema {
                ty,
                format: format.unwrap_or_default(),
                default,
                preserve_unknown_fields: preserve,
                embedded_resource: embedded.is_some(),
                int_or_string: int_or_string.is_some(),
                nullable: nullable.is_some(),
                list_map_keys: if list_type.is_some() {
                    keys.into()
                } else {
                    Default::default()
                },
                list_type,
                validations: validations.into(),
                required: required.into(),
                ..JsonSchema::default()
            },
        )
}

fn schema() -> impl Strategy<Value = JsonSchema> {
    leaf().prop_recursive(4, 24, 3, |inner| {
        let named = (text(&["a", "b", "metadata", "kind", "spec"]), inner.clone());
        let members = vec(named, 0..3);
        let rest = (of(inner.clone()), weighted(0.2, inner.clone()), vec(inner, 0..2));
        (leaf(), members, rest).prop_map(|(mut schema, mut members, (items, values, any_of))| {
            members.sort_by(|left, right| left.0.cmp(&right.0));
            members.dedup_by(|left, right| left.0 == right.0);
            schema.properties = members.into();
            schema.items = items.map(|item| Shared::new(Items::Each(item)));
            schema.additional_properties = values.map(|values| Shared::new(SchemaOrBool::Schema(values)));
            schema.any_of = any_of.into();
            schema
        })
    })
}

fn typed(ty: &str) -> JsonSchema {
    JsonSchema {
        ty: ty.into(),
        ..JsonSchema::default()
    }
}

/// A scalar or free-form content, often with a fitting default, and a rule that holds.
fn plain() -> impl Strategy<Value = JsonSchema> {
    let kinds = &[
        ("string", "\"x\""),
        ("integer", "1"),
        ("boolean", "true"),
        ("number", "1.5"),
    ][..];
    let fitting = (
        prop::sample::select(kinds),
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
        weighted(0.1, text(&["uuid", "odd"])),
    );
    let scalar = fitting.prop_map(
        |((ty, default), has_default, nullable, has_rule, format)| JsonSchema {
            // An unknown format causes a warning.
            format: format.filter(|_| ty != "string").unwrap_or_default(),
            default: has_default.then(|| Json::parse(default).expect("it is JSON")),
            nullable,
            validations: if has_rule {
                [holds()].into()
            } else {
                Default::default()
            },
            ..typed(ty)
        },
    );
    let free = weighted(0.5, json()).prop_map(|default| JsonSchema {
        preserve_unknown_fields: Some(true),
        default,
        ..JsonSchema::default()
    });
    let embedded = of(prop::sample::select(
        &[
            r#"{"apiVersion":"v1","kind":"A","metadata":{"name":"x","stray":1}}"#,
            r#"{"apiVersion":"v1","kind":"A","more":[]}"#,
        ][..],
    ));
    let embedded = embedded.prop_map(|default| JsonSchema {
        embedded_resource: true,
        preserve_unknown_fields: Some(true),
        default: default.map(|text| Json::parse(text).expect("it is JSON")),
        ..typed("object")
    });
    prop_oneof![4 => scalar, 1 => free, 1 => embedded]
}

fn holds() -> ValidationRule {
    ValidationRule {
        rule: "self == self".into(),
        ..ValidationRule::default()
    }
}

/// A schema that is usually valid.
fn right() -> impl Strategy<Value = JsonSchema> {
    plain().prop_recursive(3, 16, 3, |inner| {
        let members = vec(
            (text(&["a", "b", "name", "metadata", "kind"]), inner.clone()),
            1..3,
        );
        let object = (members, weighted(0.2, json())).prop_map(|(mut members, default)| {
            members.sort_by(|left, right| left.0.cmp(&right.0));
            members.dedup_by(|left, right| left.0 == right.0);
            JsonSchema {
                properties: members.into(),
                default,
                ..typed("object")
            }
        });
        let map = inner.clone().prop_map(|values| JsonSchema {
            additional_properties: Some(Shared::new(SchemaOrBool::Schema(values))),
            max_properties: Some(3),
            ..typed("object")
        });
        let list = (inner, weighted(0.2, json())).prop_map(|(item, default)| JsonSchema {
            items: Some(Shared::new(Items::Each(item))),
            max_items: Some(3),
            default,
            ..typed("array")
        });
        prop_oneof![object, map, list]
    })
}

fn root() -> impl Strategy<Value = JsonSchema> {
    right().prop_map(|property| JsonSchema {
        properties: vec![("spec".into(), property)].into(),
        ..typed("object")
    })
}

/// An object with the same part in several places, where different checks apply to it.
fn around(part: &JsonSchema, places: &[usize]) -> JsonSchema {
    let holder = |name: &str, inner: JsonSchema| JsonSchema {
        properties: vec![(name.into(), inner)].into(),
        ..typed("object")
    };
    let place = |index: usize| match index {
        0 => part.clone(),
        1 => holder("metadata", part.clone()),
        2 => JsonSchema {
            items: Some(Shared::new(Items::Each(part.clone()))),
            list_type: Some("map".into()),
            list_map_keys: vec![Str::from("a")].into(),
            ..typed("array")
        },
        3 => JsonSchema {
            items: Some(Shared::new(Items::Each(part.clone()))),
            max_items: Some(3),
            ..typed("array")
        },
        4 => JsonSchema {
            additional_properties: Some(Shared::new(SchemaOrBool::Schema(part.clone()))),
            ..typed("object")
        },
        5 => JsonSchema {
            embedded_resource: true,
            ..holder("metadata", part.clone())
        },
        6 => JsonSchema {
            embedded_resource: true,
            properties: part.properties.clone(),
            ..typed("object")
        },
        7 => JsonSchema {
            any_of: vec![part.clone()].into(),
            ..part.clone()
        },
        8 => JsonSchema {
            validations: vec![holds()].into(),
            ..holder("a", part.clone())
        },
        _ => holder("a", holder("b", part.clone())),
    };
    let members = places.iter().enumerate();
    let names = ["a", "spec", "metadata", "kind", "b"];
    JsonSchema {
        properties: members
            .map(|(at, index)| (names[at].into(), place(*index)))
            .collect(),
        ..typed("object")
    }
}

/// A copy that shares no memory.
fn apart(schema: &JsonSchema) -> JsonSchema {
    let members = schema.properties.iter();
    JsonSchema {
        properties: members
            .map(|(name, member)| (name.clone(), apart(member)))
            .collect(),
        items: schema.item().map(|item| Shared::new(Items::Each(apart(item)))),
        additional_properties: schema
            .additional()
            .map(|values| Shared::new(SchemaOrBool::Schema(apart(values)))),
        any_of: schema.any_of.iter().map(apart).collect(),
        ..schema.clone()
    }
}

fn with(schema: JsonSchema) -> InternalDefinition {
    let mut definition: Definition = definition("{}");
    definition.spec.versions.make()[0].schema = Some(Validation {
        open_api_v3_schema: Some(Arc::new(schema)),
    });
    definition.to_internal()
}

fn texts(errors: &[kindsmith_object::FieldError]) -> Vec<String> {
    errors.iter().map(ToString::to_string).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn validation_is_total_and_deterministic(schema in schema()) {
        let first = create(&mut with(schema.clone()), Gates::default());
        let second = create(&mut with(schema), Gates::default());
        prop_assert_eq!(texts(&first.errors), texts(&second.errors));
    }

    #[test]
    fn shared_schemas_get_the_same_errors_as_copies(
        part in prop_oneof![schema(), right()],
        // Mostly places where a valid part is accepted.
        places in vec(vec(prop_oneof![2 => prop::sample::select(&[0_usize, 3, 4, 5, 9][..]), 1 => 0..10_usize], 1..4), 1..4),
    ) {
        let mut judge = Judge::new(Gates::default());
        for places in places {
            let schema = around(&part, &places);
            let shared = judge.errors(&mut with(schema.clone()));
            let copied = create(&mut with(apart(&schema)), Gates::default());
            prop_assert_eq!(texts(&shared), texts(&copied.errors));
        }
    }

    #[test]
    fn accepted_crds_stay_accepted(schema in root()) {
        let mut stored = with(schema);
        if !create(&mut stored, Gates::default()).is_accepted() {
            return Ok(());
        }
        let mut again = stored.clone();
        let verdict = create(&mut again, Gates::default());
        prop_assert_eq!(texts(&verdict.errors), Vec::<String>::new());
        prop_assert_eq!(&again, &stored);
        let verdict = update(&mut again, &stored, Gates::default());
        prop_assert_eq!(texts(&verdict.errors), Vec::<String>::new());
        prop_assert_eq!(&again, &stored);
    }

    #[test]
    fn accepted_crds_can_be_served(schema in root()) {
        let mut stored = with(schema);
        if !create(&mut stored, Gates::default()).is_accepted() {
            return Ok(());
        }
        let stored = stored.to_v1();
        let schema = stored.spec.versions[0].open_api_v3_schema().expect("it was accepted");
        prop_assert!(StructuralSchema::serve(schema, kindsmith_cel::dialect::Dialect::default()).is_ok());
        let status = conditions(&stored, &[], "2026-01-01T00:00:00Z");
        prop_assert!(status.condition("NonStructuralSchema").is_none());
        let settled = Definition { status: status.clone(), ..stored };
        prop_assert_eq!(conditions(&settled, &[], "2026-02-02T00:00:00Z"), status);
    }
}

#[test]
fn defaults_in_shared_schemas_spend_the_budget_in_every_place() {
    let pairs = ValidationRule {
        rule: "self.all(x, self.all(y, x == y))".into(),
        ..ValidationRule::default()
    };
    let ones = format!("[{}1]", "1,".repeat(300));
    let list = JsonSchema {
        items: Some(Shared::new(Items::Each(typed("integer")))),
        max_items: Some(400),
        default: Some(Json::parse(&ones).expect("it is JSON")),
        validations: vec![pairs].into(),
        ..typed("array")
    };
    let part = JsonSchema {
        properties: vec![("list".into(), list)].into(),
        ..typed("object")
    };
    let places = |count: usize| JsonSchema {
        properties: (0..count)
            .map(|n| (format!("p{n:02}").into(), part.clone()))
            .collect(),
        ..typed("object")
    };
    let spent = |schema: JsonSchema| {
        let verdict = create(&mut with(schema), Gates::default());
        let errors = texts(&verdict.errors);
        let places = errors
            .iter()
            .filter(|error| error.contains("running out of cost budget"));
        places.cloned().collect::<Vec<String>>()
    };
    assert_eq!(spent(places(2)), Vec::<String>::new());
    assert_eq!(spent(places(60)).len(), 1);
    assert_eq!(spent(places(60)), spent(apart(&places(60))));
}

#[test]
fn the_laws_cover_accepted_schemas() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let accepted = (0..300)
        .filter(|_| {
            let schema = root().new_tree(&mut runner).expect("a schema").current();
            create(&mut with(schema), Gates::default()).is_accepted()
        })
        .count();
    println!("laws: {accepted} of 300 schemas are accepted");
    assert!(accepted > 150, "only {accepted} of 300 schemas are accepted");
}
