//! Compares with recorded answers of sigs.k8s.io/json and encoding/json.

use kindsmith_json::read::{Options, read};
use kindsmith_json::write::Format;
use kindsmith_json::{Arena, Value, parse_str};

#[test]
fn reads_as_sigs_json_does() {
    for line in include_str!("data/go_json.jsonl").lines() {
        check(line);
    }
}

fn check(line: &str) {
    let arena = Arena::new();
    let case = parse_str(&arena, line).expect("the recording is JSON");
    let input = input(case);
    let (mut error, mut offset, mut strict, mut output) = (String::new(), 0, Vec::new(), String::new());
    match read(&arena, &input, Options::default()) {
        Ok(read) => {
            strict = read.duplicates.iter().map(ToString::to_string).collect();
            output = Format::GO.to_string(read.value);
        }
        Err(failure) => {
            error = failure.to_string();
            offset = if error.starts_with("json: ") {
                0
            } else {
                failure.go_offset()
            };
        }
    }
    let string = |key| case.get(key).and_then(Value::as_str).unwrap_or_default();
    let expected_strict = case.get("strict").and_then(Value::as_array).unwrap_or_default();
    assert_eq!(error, string("error"), "{line}");
    assert_eq!(output, string("output"), "{line}");
    assert_eq!(
        offset as i64,
        case.get("offset").and_then(Value::as_i64).unwrap_or(0),
        "{line}"
    );
    assert_eq!(
        strict,
        expected_strict
            .iter()
            .filter_map(|text| text.as_str())
            .collect::<Vec<_>>(),
        "{line}"
    );
}

fn input(case: Value<'_>) -> Vec<u8> {
    match case.get("bytes").and_then(Value::as_array) {
        Some(bytes) => bytes
            .iter()
            .filter_map(|byte| byte.as_i64())
            .map(|byte| byte as u8)
            .collect(),
        None => case
            .get("text")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .into(),
    }
}

#[test]
fn stops_at_the_depth_limit_and_not_before() {
    let nested = |depth| "[".repeat(depth) + &"]".repeat(depth);
    let arena = Arena::new();
    assert!(parse_str(&arena, &nested(10_000)).is_ok());
    let error = parse_str(&arena, &nested(10_001)).expect_err("one level too many");
    assert_eq!(error.to_string(), "invalid character '[' exceeded max depth");
    assert_eq!((error.go_offset(), error.line, error.column), (10_001, 1, 10_001));
}

#[test]
fn deep_values_are_compared_copied_and_written_without_recursion() {
    let text = format!("{}{}", "[{\"a\":".repeat(5_000), "1") + &"}]".repeat(5_000);
    let (arena, other) = (Arena::new(), Arena::new());
    let value = parse_str(&arena, &text).expect("well-formed");
    let copy = value.copy_in(&other);
    assert_eq!(value, copy);
    assert_eq!(kindsmith_json::to_string(copy), text);
}

#[test]
fn limits_the_length() {
    let arena = Arena::new();
    let error = read(&arena, b"[1,2]", Options::default().max_bytes(4)).expect_err("five bytes");
    assert_eq!(error.to_string(), "text is too long");
}

#[test]
fn errors_have_line_and_column() {
    let arena = Arena::new();
    let error = parse_str(&arena, "{\n  \"é\": x\n}").expect_err("x is not a value");
    assert_eq!((error.line, error.column, error.offset), (2, 8, 10));
}
