//! Defaults written in schemas, and places other than the root.

use kindsmith_json::{Arena, Path, Value};
use kindsmith_structural::{Mode, ValuePlan};

use super::{read, schema, shown};

#[test]
fn defaults_are_validated_differently() {
    let path = Path::root("p");
    let base = path.child("default");
    for (field, value, expected) in [
        ("{x-kubernetes-int-or-string: true}", "true", &[][..]),
        (
            "{type: string}",
            "3",
            &[r#"p.default: Invalid value: "integer":  in body must be of type string: "integer""#],
        ),
        (
            "{type: string, format: fancy}",
            "3",
            &[r#"p.default: Invalid value: "int64":  in body must be of type fancy: "int64""#],
        ),
        ("{type: string, format: fancy}", "x", &[]),
        ("{type: string, format: fancy}", "[]", &[]),
        (
            "{type: string, format: date}",
            "x",
            &[r#"p.default: Invalid value: "x":  in body must be of type date: "x""#],
        ),
        (
            "{type: object, required: [x]}",
            "{}",
            &["p.default.x: Required value"],
        ),
        (
            "{type: array, items: {type: string}}",
            "[1]",
            &[r#"p.default.[0]: Invalid value: "integer": [0] in body must be of type string: "integer""#],
        ),
        (
            "{type: integer, format: uint32}",
            "true",
            &[r#"p.default: Invalid value: "":  in body must be of type uint32: """#],
        ),
    ] {
        let arena = Arena::new();
        let plan = ValuePlan::compile(&schema(field), Mode::Default);
        let errors = plan.validate(plan.root(), read(&arena, value), &base);
        assert_eq!(shown(&errors), expected, "{field} {value}");
    }
}

#[test]
fn any_place_can_be_validated() {
    let text = "{type: object, properties: {a: {type: array, items: {type: object, additionalProperties: {type: string}}}}}";
    let plan = ValuePlan::compile(&schema(text), Mode::Default);
    let place = plan
        .property(plan.root(), "a")
        .and_then(|at| plan.items(at))
        .and_then(|at| plan.additional(at))
        .expect("a place");
    assert!(plan.is_valid(place, Value::Str("x")));
    assert!(!plan.is_valid(place, Value::Int(1)));
    assert!(plan.property(plan.root(), "b").is_none());
    assert!(plan.items(plan.root()).is_none());
}
