//! Types of unusual shapes: what serde writes of a value is what its own code, the engine and the server judge.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use kindsmith::rust::{Checked, Schema as _};
use kindsmith::{Kinds, Resource, Validate};
use kindsmith_derive::{Resource, Schema};
use serde::{Deserialize, Serialize};

/// The errors of a `spec`, from all three.
#[track_caller]
fn told<T: Resource + Validate + Serialize>(value: &T) -> Vec<String> {
    let checked = Checked::<T>::new().unwrap_or_else(|error| panic!("{error}"));
    let by_engine = checked.validate(value, None).expect("JSON");
    let texts = |errors: Vec<kindsmith::FieldError>| -> Vec<String> {
        errors.iter().map(ToString::to_string).collect()
    };
    let by_code = texts(value.validate(None));
    assert_eq!(by_code, texts(by_engine));
    let review = Kinds::of::<T>().expect("a right type").admit(&object::<T>(
        &serde_json::from_str(&serde_json::to_string(value).expect("JSON")).expect("JSON"),
    ));
    let by_server = review.expect("a known kind").errors;
    let by_server: Vec<String> = by_server.iter().map(ToString::to_string).collect();
    assert_eq!(by_code, by_server);
    by_code
}

fn object<T: Resource>(spec: &serde_json::Value) -> serde_json::Value {
    serde_json::json!({
        "apiVersion": format!("{}/{}", T::GROUP, T::VERSION), "kind": T::KIND, "metadata": {"name": "x"}, "spec": spec,
    })
}

type MaybeText = Option<String>;

#[derive(Schema, Serialize, Deserialize, Clone, Debug, Default)]
struct Maybe(Option<i32>);

fn is_zero(value: &Option<i32>) -> bool {
    *value == Some(0)
}

#[derive(Resource, Serialize, Deserialize, Clone, Debug, Default)]
#[k8s(group = "shape.example.org", version = "v1", kind = "Nulls")]
struct NullsSpec {
    list: Vec<Option<String>>,
    #[k8s(each_val(minimum = 3))]
    numbers: Vec<Option<i32>>,
    #[k8s(max_properties = 1)]
    map: BTreeMap<String, Option<i32>>,
    alias: MaybeText,
    maybe: Maybe,
    any: serde_json::Value,
    #[k8s(minimum = 1)]
    #[serde(skip_serializing_if = "is_zero")]
    count: Option<i32>,
}

#[test]
fn nulls_are_what_the_server_makes_of_them() {
    let right = NullsSpec {
        alias: Some("a".to_owned()),
        maybe: Maybe(Some(1)),
        any: serde_json::json!(1),
        ..Default::default()
    };
    assert_eq!(told(&right), [""; 0]);
    let missing = told::<NullsSpec>(&Default::default());
    assert_eq!(
        missing,
        [
            "spec.alias: Required value",
            "spec.any: Required value",
            "spec.maybe: Required value"
        ]
    );
    let list = NullsSpec {
        list: vec![Some("a".to_owned()), None],
        ..right.clone()
    };
    assert!(told(&list)[0].starts_with("spec.list[1]: "), "{:?}", told(&list));
    let numbers = NullsSpec {
        numbers: vec![Some(2), None],
        ..right.clone()
    };
    assert_eq!(told(&numbers).len(), 2, "{:?}", told(&numbers));
    // Entries without a value are dropped before they are counted.
    let map = NullsSpec {
        map: [("a".to_owned(), None), ("b".to_owned(), Some(1))].into(),
        ..right.clone()
    };
    assert_eq!(told(&map), [""; 0]);
    let left_out = NullsSpec {
        count: Some(0),
        ..right.clone()
    };
    assert_eq!(told(&left_out), [""; 0]);
    let negative = NullsSpec {
        count: Some(-1),
        ..right
    };
    assert_eq!(told(&negative).len(), 1);
}

#[derive(Resource, Serialize, Deserialize, Clone, Debug, Default)]
#[k8s(group = "shape.example.org", version = "v1", kind = "Limits")]
struct LimitsSpec {
    count: u32,
    #[k8s(minimum = 1)]
    more: u8,
    bytes: Vec<u8>,
    letter: char,
    pair: [i32; 2],
    #[k8s(maximum = 0.1)]
    share: f32,
}

#[test]
fn what_rust_cannot_hold_the_api_refuses() {
    let right = LimitsSpec {
        more: 1,
        share: 0.1,
        ..Default::default()
    };
    assert_eq!(told(&right), [""; 0]);
    let kinds = Kinds::of::<LimitsSpec>().expect("a right type");
    let spec = |name: &str, value: serde_json::Value| {
        let mut spec = serde_json::to_value(&right).expect("JSON");
        spec["share"] = 0.1.into();
        spec[name] = value;
        let review = kinds.admit(&object::<LimitsSpec>(&spec)).expect("a known kind");
        review.errors.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(spec("count", 0.into()), [""; 0]);
    for (name, value) in [
        ("count", (-1).into()),
        ("more", 0.into()),
        ("bytes", serde_json::json!([1, -1])),
        ("letter", "ab".into()),
        ("letter", "".into()),
        ("pair", serde_json::json!([1, 2, 3])),
        ("share", 0.11.into()),
    ] {
        let errors = spec(name, value.clone());
        assert!(
            errors[0].starts_with(&format!("spec.{name}")),
            "{name}: {value}: {errors:?}"
        );
    }
}

#[derive(Schema, Serialize, Deserialize, Clone, Debug)]
struct Short(#[k8s(max_length = 2)] String);

#[derive(Schema, Serialize, Deserialize, Clone, Debug)]
#[serde(transparent)]
#[k8s(maximum = 1.5)]
struct Cached {
    #[serde(skip)]
    #[expect(dead_code, reason = "skipped")]
    seen: u8,
    value: f64,
}

#[derive(Schema, Serialize, Deserialize, Clone, Debug, PartialEq)]
enum Day {
    Saturday,
    #[serde(other)]
    Other,
}

#[derive(Schema, Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
enum Lock {
    Code(#[k8s(max_length = 2)] String),
    Keys(u8),
}

#[derive(Resource, Serialize, Deserialize, Clone, Debug)]
#[k8s(group = "shape.example.org", version = "v1", kind = "Wrapped")]
struct WrappedSpec {
    short: Short,
    cached: Cached,
    day: Day,
    lock: Lock,
}

#[test]
fn rules_inside_wrappers_count() {
    let right = WrappedSpec {
        short: Short("ab".to_owned()),
        cached: Cached { seen: 9, value: 1.5 },
        day: Day::Saturday,
        lock: Lock::Keys(0),
    };
    assert_eq!(told(&right), [""; 0]);
    let wrong = WrappedSpec {
        short: Short("abc".to_owned()),
        cached: Cached { seen: 0, value: 2.0 },
        day: serde_json::from_str("\"Monday\"").expect("read into the catch-all"),
        lock: Lock::Code("abc".to_owned()),
    };
    assert_eq!(wrong.day, Day::Other);
    let paths: Vec<String> = told(&wrong)
        .iter()
        .map(|error| error.split(": ").next().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(
        paths,
        ["spec.cached", "spec.day", "spec.lock.code", "spec.short", "<nil>"]
    );
}

#[derive(Schema, Debug, PartialEq)]
struct Inner {
    #[k8s(default = 7)]
    depth: Option<i32>,
}

#[derive(Schema, Debug, PartialEq)]
struct Pointers {
    #[k8s(default = "x")]
    letter: Option<char>,
    #[k8s(default = "/tmp")]
    path: Option<PathBuf>,
    #[k8s(default = 4)]
    boxed: Option<Box<i32>>,
    nested: Option<Arc<Inner>>,
}

#[test]
fn defaults_are_filled_in_through_pointers() {
    let mut value = Pointers {
        letter: None,
        path: None,
        boxed: None,
        nested: Some(Arc::new(Inner { depth: None })),
    };
    value.fill();
    let expected = Pointers {
        letter: Some('x'),
        path: Some("/tmp".into()),
        boxed: Some(Box::new(4)),
        nested: Some(Arc::new(Inner { depth: Some(7) })),
    };
    assert_eq!(value, expected);
}

#[derive(Schema)]
struct Branch {
    branches: Vec<Self>,
}

#[derive(Resource)]
#[k8s(group = "shape.example.org", version = "v1", kind = "Tree")]
struct TreeSpec {
    trunk: Branch,
}

#[test]
fn a_type_that_contains_itself_is_named() {
    let error = kindsmith::crd::<TreeSpec>().expect_err("no CRD can say it");
    let told = error.to_string();
    assert!(told.contains("Branch: the type contains itself"), "{told}");
}
