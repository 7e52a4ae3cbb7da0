//! Any bytes as JSON and as YAML: reading never panics, and written values read back to the same text, in both formats.

#![no_main]

#[macro_use]
#[path = "shared/score.rs"]
mod score;

use kindsmith_json::{Arena, Value, parse, parse_str, to_string, write, yaml};

fuzz_target!(score::Most::each(1_000, 10_000), |data: &[u8]| {
    let arena = Arena::new();
    if let Ok(value) = parse(&arena, data)
        && !has_negative_zero(value)
    {
        let text = to_string(value);
        // A whole float is written as an integer, so the text round-trips, not the value.
        let again = parse_str(&arena, arena.alloc_str(&text)).map(to_string);
        assert_eq!(again, Ok(text), "what is written can be read");
        round_trip(&arena, value);
    }
    if let Ok(value) = yaml::parse(&arena, arena.alloc_slice_copy(data)) {
        round_trip(&arena, value);
    }
});

fn round_trip<'a>(arena: &'a Arena, value: Value<'a>) {
    let text = write::to_yaml(value, write::Order::Kept);
    // Like go-yaml, we write the key `<<` without quotes, and it merges when it is read (its decode.go, isMerge).
    if text.contains("<<") {
        return;
    }
    let again =
        yaml::parse(arena, arena.alloc_slice_copy(text.as_bytes())).expect("what is written can be read");
    assert_eq!(to_string(again), to_string(value), "{text}");
}

/// Go writes negative zero as `-0` and reads that as the integer zero, and so do we: the only text that does not
/// round-trip.
fn has_negative_zero(value: Value<'_>) -> bool {
    match value {
        Value::Float(number) => number == 0.0 && number.is_sign_negative(),
        Value::Array(items) => items.iter().any(|item| has_negative_zero(*item)),
        Value::Object(object) => object.values().any(has_negative_zero),
        _ => false,
    }
}
