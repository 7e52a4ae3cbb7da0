//! Properties of every schema and CRD: writing loses nothing, and both forms are equivalent.

use std::sync::Arc;

use kindsmith_json::{Arena, Value, to_string};
use kindsmith_openapi::crd::{
    self, Column, Definition, Names, Scale, Source, Subresources, Validation, Version,
};
use kindsmith_openapi::schema;
use kindsmith_schema::{
    Dependency, ExternalDocs, Items, Json, JsonSchema, SchemaOrBool, Shared, Str, ValidationRule,
};
use proptest::prelude::*;

fn text() -> impl Strategy<Value = Str> {
    prop::sample::select(vec!["", "a", "object", "<&>", "é\u{2028}", "a.b/c"]).prop_map(Str::from)
}

fn number() -> impl Strategy<Value = f64> {
    prop::sample::select(vec![
        0.0,
        1.0,
        -1.5,
        1e21,
        1e-7,
        9.007_199_254_740_993e15,
        f64::MAX,
    ])
}

fn json() -> impl Strategy<Value = Json> {
    let texts = vec![
        "1",
        "1.0",
        "\"a\"",
        "[]",
        "{}",
        r#"{"a":[null,{"b":1e300}]}"#,
        "true",
    ];
    prop::sample::select(texts).prop_map(|text| {
        let arena = Arena::new();
        Json::exact(kindsmith_json::parse_str(&arena, text).expect("it is JSON"))
    })
}

/// Names in sorted order, as in a written document.
fn names<T: std::fmt::Debug>(element: impl Strategy<Value = T>) -> impl Strategy<Value = Vec<(Str, T)>> {
    prop::collection::btree_map("[a-c]{1,2}", element, 0..3).prop_map(|map| {
        map.into_iter()
            .map(|(name, element)| (name.into(), element))
            .collect()
    })
}

fn rule() -> impl Strategy<Value = ValidationRule> {
    (
        text(),
        text(),
        text(),
        prop::option::of(text()),
        prop::option::of(any::<bool>()),
    )
        .prop_map(
            |(rule, message, field_path, reason, optional_old_self)| ValidationRule {
                rule,
                message,
                field_path,
                reason,
                optional_old_self,
                ..ValidationRule::default()
            },
        )
}

fn leaf() -> impl Strategy<Value = JsonSchema> {
    let texts = (text(), prop::option::of(text()), text(), text(), text());
    let values = (prop::option::of(json()), prop::collection::vec(json(), 0..2));
    let numbers = (
        prop::option::of(number()),
        prop::option::of(any::<i64>()),
        any::<bool>(),
    );
    let lists = (
        prop::collection::vec(text(), 0..3),
        prop::option::of(any::<bool>()),
        prop::collection::vec(rule(), 0..2),
        prop::option::of((text(), text())),
    );
    (texts, values, numbers, lists).prop_map(|(texts, values, numbers, lists)| JsonSchema {
        id: texts.0,
        reference: texts.1.clone(),
        list_type: texts.1,
        description: texts.2,
        ty: texts.3,
        pattern: texts.4,
        default: values.0.clone(),
        example: values.0,
        enum_values: values.1.into(),
        maximum: numbers.0,
        multiple_of: numbers.0,
        max_length: numbers.1,
        min_properties: numbers.1,
        nullable: numbers.2,
        int_or_string: numbers.2,
        required: lists.0.clone().into(),
        list_map_keys: lists.0.into(),
        preserve_unknown_fields: lists.1,
        validations: lists.2.into(),
        external_docs: lists.3.map(|(url, description): (Str, Str)| ExternalDocs {
            url,
            description: (!description.is_empty()).then_some(description),
        }),
        ..JsonSchema::default()
    })
}

fn any_schema() -> impl Strategy<Value = JsonSchema> {
    leaf().prop_recursive(4, 24, 3, |inner| {
        let some = prop::collection::vec(inner.clone(), 1..3);
        let items = prop_oneof![
            inner.clone().prop_map(Items::Each),
            some.clone().prop_map(Items::Positional),
        ];
        let either = || {
            prop_oneof![
                any::<bool>().prop_map(SchemaOrBool::Allowed),
                inner.clone().prop_map(SchemaOrBool::Schema),
            ]
        };
        let dependency = prop_oneof![
            inner.clone().prop_map(Dependency::Schema),
            prop::collection::vec(text(), 0..2).prop_map(Dependency::Members),
        ];
        let spine = (
            leaf(),
            names(inner.clone()),
            prop::option::of(items),
            prop::option::of(either()),
            prop::option::of(either()),
        );
        let others = (
            names(dependency),
            names(inner.clone()),
            some,
            prop::option::of(inner),
        );
        (spine, others).prop_map(|(spine, others)| JsonSchema {
            properties: spine.1.into(),
            items: spine.2.map(Shared::new),
            additional_properties: spine.3.map(Shared::new),
            additional_items: spine.4.map(Shared::new),
            dependencies: others.0.into(),
            definitions: others.1.clone().into(),
            pattern_properties: others.1.into(),
            all_of: others.2.clone().into(),
            any_of: others.2.into(),
            not: others.3.map(Shared::new),
            ..spine.0
        })
    })
}

fn any_version() -> impl Strategy<Value = Version> {
    let column = text().prop_map(|json_path| Column {
        json_path,
        ..Column::default()
    });
    let subresources = prop::option::of(text()).prop_map(|path| Subresources {
        scale: path.map(|path| Scale {
            spec_replicas_path: path,
            ..Scale::default()
        }),
        ..Subresources::default()
    });
    (
        text(),
        any::<bool>(),
        prop::option::of(prop::option::of(leaf())),
        prop::option::of(subresources),
        prop::collection::vec(column, 0..2),
    )
        .prop_map(|(name, storage, schema, subresources, columns)| Version {
            name,
            storage,
            schema: schema.map(|schema| Validation {
                open_api_v3_schema: schema.map(Arc::new),
            }),
            subresources,
            additional_printer_columns: if columns.is_empty() {
                Default::default()
            } else {
                columns.into()
            },
            ..Version::default()
        })
}

fn any_definition() -> impl Strategy<Value = Definition> {
    let versions = prop_oneof![
        prop::collection::vec(any_version(), 1..4),
        (any_version(), 1usize..3).prop_map(|(version, count)| vec![version; count]),
    ];
    (text(), text(), versions).prop_map(|(group, kind, versions)| {
        let mut definition = Definition::default();
        definition.spec.group = group;
        definition.spec.names = Names {
            kind,
            ..Names::default()
        };
        definition.spec.versions = versions.into();
        definition
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_written_schema_reads_back_the_same(original in any_schema()) {
        let arena = Arena::new();
        let written = schema::write(&original, &arena);
        let (read, reports) = schema::read(written).expect("it was written");
        prop_assert_eq!(&reports, &[]);
        prop_assert_eq!(&read, &original);
        prop_assert_eq!(schema::write(&read, &arena), written);
    }

    #[test]
    fn the_text_of_a_schema_is_a_fixed_point(original in any_schema()) {
        let arena = Arena::new();
        let text = to_string(schema::write(&original, &arena));
        let value = kindsmith_json::parse_str(&arena, &text).expect("it was written");
        let (read, _) = schema::read(value).expect("it was written");
        prop_assert_eq!(to_string(schema::write(&read, &arena)), text);
    }

    #[test]
    fn go_prints_every_schema_as_json(original in any_schema()) {
        let arena = Arena::new();
        let printed = crd::print_schema(&original);
        let value = kindsmith_json::parse_str(&arena, &printed).expect("it is JSON");
        prop_assert_eq!(value.as_object().map(|object| object.len()), Some(44));
    }

    #[test]
    fn hoisting_and_back_changes_nothing(original in any_definition()) {
        prop_assert_eq!(&original.to_internal().to_v1(), &original);
        let arena = Arena::new();
        let value: Value<'_> = original.to_value(&arena);
        let read = crd::read(value, Source::Unknown).expect("it was written");
        prop_assert_eq!(&read.definition, &original);
    }

    #[test]
    fn defaults_are_filled_in_once(original in any_definition()) {
        let mut once = original;
        once.default_fields();
        let mut twice = once.clone();
        twice.default_fields();
        prop_assert_eq!(once, twice);
    }
}
