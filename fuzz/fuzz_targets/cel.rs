//! Any text as an expression, and after a NUL any JSON as `self` and `oldSelf`: nothing panics, evaluation stops at its
//! limit, and results are deterministic.

#![no_main]

#[macro_use]
#[path = "shared/score.rs"]
mod score;

use std::sync::LazyLock;

use kindsmith_cel::eval::{Inputs, Scratch};
use kindsmith_cel::types::decl::Declarations;
use kindsmith_cel::validation_rule;
use kindsmith_json::{Arena, Value, parse};
use kindsmith_structural::rules::declare;

/// A schema with every type.
const SCHEMA: &str = r#"{"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {
    "i": {"type": "integer"}, "d": {"type": "number"}, "b": {"type": "boolean"},
    "s": {"type": "string", "maxLength": 20}, "y": {"type": "string", "format": "byte"},
    "t": {"type": "string", "format": "date-time"}, "u": {"type": "string", "format": "duration"},
    "n": {"type": "string", "nullable": true}, "p": {"x-kubernetes-int-or-string": true},
    "l": {"type": "array", "items": {"type": "string"}},
    "q": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}},
    "k": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"],
        "items": {"type": "object", "properties": {"a": {"type": "string"}, "in": {"type": "integer"}}}},
    "m": {"type": "object", "additionalProperties": {"type": "integer"}},
    "e": {"type": "object", "x-kubernetes-embedded-resource": true}
}}"#;

const OBJECT: &str = r#"{"i": 1, "d": 1.5, "b": true, "s": "text", "y": "aGk=", "t": "2024-01-01T00:00:00Z", "u": "1h",
    "n": null, "p": "5%", "l": ["a", "b"], "q": [2, 1], "k": [{"a": "x", "in": 1}, {"a": "y"}], "m": {"z": 1},
    "e": {"kind": "K", "metadata": {"name": "n"}}, "hidden": [1]}"#;

const LIMIT: u64 = 20_000;

static DECLARATIONS: LazyLock<Declarations> = LazyLock::new(|| {
    let arena = Arena::new();
    let value = parse(&arena, SCHEMA.as_bytes()).expect("it is JSON");
    let (schema, _) = kindsmith_openapi::schema::read(value).expect("it is a schema");
    Declarations::new(&declare(&schema), false, "selfTypeN").expect("objects are visible")
});

fuzz_target!(score::Most::each(20_000, 300_000), |data: &[u8]| {
    let mut parts = data.splitn(3, |byte| *byte == 0);
    let Some(Ok(text)) = parts.next().map(std::str::from_utf8) else {
        return;
    };
    let arena = Arena::new();
    let object = parse(&arena, OBJECT.as_bytes()).expect("it is JSON");
    let mut given = || parts.next().and_then(|part| parse(&arena, part).ok());
    let new = given().unwrap_or(object);
    let old = given();
    for optional in [false, true] {
        let first = answer(text, &new, old.as_ref(), optional);
        let again = score::aside(|| answer(text, &new, old.as_ref(), optional));
        assert_eq!(first, again);
    }
});

/// All results for an expression.
fn answer(text: &str, new: &Value<'_>, old: Option<&Value<'_>>, optional_old: bool) -> String {
    let compiled = match validation_rule::compile(text, &DECLARATIONS, optional_old) {
        Ok(compiled) => compiled,
        Err(failure) => return format!("{failure:?}"),
    };
    let scratch = Scratch::new();
    let inputs = Inputs {
        object: Some((new, &DECLARATIONS.root)),
        old: old.map(|old| (old, &*DECLARATIONS.root)),
        optional_old,
        limit: LIMIT,
    };
    let outcome = compiled.program.eval(inputs, &scratch);
    assert!(outcome.cancelled || outcome.cost <= LIMIT);
    let kind = outcome.value.type_name();
    format!("{} {:?} {kind} {}", compiled.ty, compiled.cost, outcome.cost)
}
