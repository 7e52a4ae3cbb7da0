//! Properties of decoded metadata, for arbitrary values.

#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its cases and starts what it needs"
)]

use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_object::meta::{Malformed, UnknownFields, decode};
use proptest::prelude::*;

const FIELDS: [&str; 17] = [
    "name",
    "generateName",
    "namespace",
    "selfLink",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "labels",
    "annotations",
    "ownerReferences",
    "finalizers",
    "managedFields",
    "stray",
    "Name",
];

/// Values as JSON text, of the types used in metadata and of others.
fn value() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("0".to_owned()),
        Just("7".to_owned()),
        Just("2.0".to_owned()),
        Just("1.5".to_owned()),
        Just("1e30".to_owned()),
        Just(r#""""#.to_owned()),
        Just(r#""a""#.to_owned()),
        Just(r#""2020-01-01T00:00:00Z""#.to_owned()),
        Just(r#""2020-01-01T02:00:00.25+02:00""#.to_owned()),
        Just(r#""0001-01-01T00:00:00Z""#.to_owned()),
    ];
    let keys = [
        "apiVersion",
        "kind",
        "name",
        "uid",
        "controller",
        "time",
        "operation",
        "fieldsV1",
        "x",
    ];
    scalar.prop_recursive(3, 16, 4, move |inner| {
        let members = prop::collection::btree_map(prop::sample::select(keys.to_vec()), inner.clone(), 0..4);
        let object = members.prop_map(|members| {
            let members: Vec<String> = members
                .iter()
                .map(|(key, value)| format!("\"{key}\":{value}"))
                .collect();
            format!("{{{}}}", members.join(","))
        });
        let array = prop::collection::vec(inner, 0..3).prop_map(|items| format!("[{}]", items.join(",")));
        prop_oneof![object, array]
    })
}

fn metadata() -> impl Strategy<Value = String> {
    let members = prop::collection::vec((prop::sample::select(FIELDS.to_vec()), value()), 0..6);
    members.prop_map(|members| {
        let mut seen = std::collections::BTreeSet::new();
        let members: Vec<String> = members
            .iter()
            .filter(|(key, _)| seen.insert(*key))
            .map(|(key, value)| format!("\"{key}\":{value}"))
            .collect();
        format!("{{{}}}", members.join(","))
    })
}

proptest! {
    #[test]
    fn metadata_written_back_does_not_change_again(text in metadata()) {
        let arena = Arena::new();
        let value = parse_str(&arena, &text).expect("JSON");
        let kept = decode(&arena, value, Malformed::Drop, UnknownFields::List).expect("an object");
        // An explicit zero time is written as null, which counts as absent when read again.
        let mut object = Value::Object(kept.object);
        if object.get("deletionTimestamp") == Some(Value::Null) {
            object.unset(&arena, &["deletionTimestamp"]);
        }
        prop_assume!(!text.contains("managedFields") || !text.contains("0001-"));
        let before = arena.allocated_bytes_including_metadata();
        let again = decode(&arena, object, Malformed::Refuse, UnknownFields::List).expect("nothing malformed is left");
        prop_assert_eq!(Value::Object(again.object), object);
        prop_assert!(again.unknown.is_empty());
        prop_assert_eq!(arena.allocated_bytes_including_metadata(), before);
        prop_assert_eq!(Value::Object(again.meta.encode(&arena)), object);
        prop_assert_eq!(Value::Object(again.meta.encode_built_in(&arena)), object);
    }

    #[test]
    fn dropping_keeps_all_well_formed_fields(text in metadata()) {
        let arena = Arena::new();
        let value = parse_str(&arena, &text).expect("JSON");
        let kept = decode(&arena, value, Malformed::Drop, UnknownFields::List).expect("an object");
        if let Ok(decoded) = decode(&arena, value, Malformed::Refuse, UnknownFields::List) {
            prop_assert_eq!(decoded.object, kept.object);
            prop_assert_eq!(decoded.unknown, kept.unknown);
        }
    }

    #[test]
    fn only_an_object_or_null_is_metadata(text in value()) {
        let arena = Arena::new();
        let value = parse_str(&arena, &text).expect("JSON");
        let refused = decode(&arena, value, Malformed::Refuse, UnknownFields::Ignore);
        prop_assert_eq!(refused.is_ok(), matches!(value, Value::Null | Value::Object(_)) && refused.is_ok());
        let dropped = decode(&arena, value, Malformed::Drop, UnknownFields::Ignore);
        prop_assert_eq!(dropped.is_ok(), matches!(value, Value::Null | Value::Object(_)));
    }
}
