//! Compares with recorded answers of sigs.k8s.io/yaml.

use kindsmith_json::read::{BigIntegers, Options};
use kindsmith_json::write::{Format, Order, to_yaml};
use kindsmith_json::{Arena, Value, parse_str, yaml};

/// Our answer to the text of a recorded case, and the recorded one: JSON, strict error, error.
fn answers(line: &str) -> [[String; 3]; 2] {
    let arena = Arena::new();
    let case = parse_str(&arena, line).expect("the recording is JSON");
    let string = |key| {
        case.get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let text = string("text");
    let ours = match yaml::read(&arena, text.as_bytes(), Options::default()) {
        Ok(read) => [
            Format::GO.to_string(read.value),
            read.strict_error().unwrap_or_default(),
            String::new(),
        ],
        Err(failure) => [String::new(), String::new(), failure.to_string()],
    };
    [ours, [string("json"), string("strict"), string("error")]]
}

#[test]
fn reads_as_sigs_yaml_does() {
    for line in include_str!("data/go_yaml.jsonl").lines() {
        let [ours, recorded] = answers(line);
        assert_eq!(ours, recorded, "{line}");
    }
}

#[test]
fn known_differences_still_differ() {
    for line in include_str!("data/go_yaml_differences.jsonl").lines() {
        let [ours, recorded] = answers(line);
        assert_ne!(ours, recorded, "mended, so move it to go_yaml.jsonl: {line}");
    }
}

/// The message and, from 1, line and column.
#[track_caller]
fn check_error(text: impl AsRef<[u8]>, message: &str, line: usize, column: usize) {
    let arena = Arena::new();
    let error = yaml::parse(&arena, text.as_ref()).expect_err("rejected");
    assert_eq!(
        (error.to_string().as_str(), error.line, error.column),
        (message, line, column)
    );
}

#[test]
fn errors_name_the_place_of_the_problem() {
    check_error(
        "a: 1\nb: [1\nc: 2\n",
        "yaml: line 2: did not find expected ',' or ']'",
        3,
        2,
    );
    check_error("a:\n  b: *c\n", "yaml: unknown anchor 'c' referenced", 2, 6);
    check_error(
        "é: x: y",
        "yaml: mapping values are not allowed in this context",
        1,
        5,
    );
}

#[test]
fn rejects_bytes_that_are_not_text() {
    let cases: &[(&[u8], &str)] = &[
        (b"a: \xff", "yaml: invalid leading UTF-8 octet"),
        (b"a: \xc3", "yaml: incomplete UTF-8 octet sequence"),
        (b"a: \xc3a", "yaml: invalid trailing UTF-8 octet"),
        (b"a: \xc0\x80", "yaml: invalid length of a UTF-8 sequence"),
        (b"a: \xed\xa0\x80", "yaml: invalid Unicode character"),
        (b"a: \x07", "yaml: control characters are not allowed"),
    ];
    for (text, message) in cases {
        let arena = Arena::new();
        assert_eq!(
            yaml::parse(&arena, text).expect_err("rejected").to_string(),
            *message
        );
    }
}

#[test]
fn reads_utf_16_with_a_byte_order_mark() {
    let arena = Arena::new();
    let bytes: Vec<u8> = "\u{feff}a: é".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(
        format!("{:?}", yaml::parse(&arena, &bytes).expect("text")),
        r#"{"a":"é"}"#
    );
}

#[test]
fn stops_at_the_depth_limits_and_not_before() {
    let arena = Arena::new();
    let flow = |depth: usize| format!("a: {}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(yaml::parse(&arena, flow(9_999).as_bytes()).is_ok());
    // The map counts, once the text is JSON.
    check_error(flow(10_000), "exceeded max depth", 1, 1);
    check_error(flow(10_001), "yaml: exceeded max depth of 10000", 1, 10_004);
    assert!(yaml::parse(&arena, "- ".repeat(9_999).as_bytes()).is_ok());
    check_error(
        "- ".repeat(10_001),
        "yaml: exceeded max depth of 10000",
        1,
        20_001,
    );
}

#[test]
fn stops_an_alias_bomb() {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..10 {
        let below = format!("*a{}", level - 1);
        bomb += &format!("a{level}: &a{level} [{}]\n", vec![below; 10].join(", "));
    }
    let arena = Arena::new();
    let error = yaml::parse(&arena, bomb.as_bytes()).expect_err("rejected");
    assert_eq!(error.to_string(), "yaml: document contains excessive aliasing");
}

/// Reads a string of some length that is repeated by aliases.
fn repeated(length: usize, times: usize, flow: bool) -> Result<usize, String> {
    let arena = Arena::new();
    let aliases = if flow {
        format!(" [{}]", vec!["*x"; times].join(", "))
    } else {
        "\n- *x".repeat(times)
    };
    let text = format!("x: &x {}\nz:{aliases}\n", "y".repeat(length));
    match yaml::parse(&arena, text.as_bytes()) {
        Ok(value) => Ok(kindsmith_json::to_string(value).len()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn aliases_add_at_most_what_a_body_may_have() {
    for flow in [true, false] {
        assert!(repeated(100_000, 31, flow).is_ok_and(|bytes| bytes > 3_200_000));
        for (length, times) in [(100_000, 100), (100_000, 100_000), (1_000, 20_000), (16, 400_000)] {
            let error = repeated(length, times, flow).expect_err("too many bytes");
            assert_eq!(error, "yaml: document contains excessive aliasing");
        }
    }
}

#[test]
fn aliases_add_depth() {
    let nested = |depth: usize, inner: &str| format!("{}{inner}{}", "[".repeat(depth), "]".repeat(depth));
    let text = |below: usize| format!("[&x {}, {}]", nested(5_000, ""), nested(below, "*x"));
    let arena = Arena::new();
    assert!(yaml::parse(&arena, text(4_999).as_bytes()).is_ok());
    check_error(text(5_000), "exceeded max depth", 1, 1);
}

#[test]
fn keeps_big_integers_exact_on_request() {
    let arena = Arena::new();
    let options = Options::default().big_integers(BigIntegers::Exact);
    let read = yaml::read(&arena, b"18446744073709551615", options).expect("a number");
    assert_eq!(read.value, Value::Uint(u64::MAX));
}

#[test]
fn splits_streams_into_documents() {
    let stream = "# head\n---\na: 1\n---\n# nothing\n---\n--- # c\nb: |\n  ---\n ---x\n--- {c: 1}\n---\n";
    let found: Vec<_> = yaml::documents(stream)
        .map(|document| (document.lines_before, document.text))
        .collect();
    let expected = [
        (1, "---\na: 1\n"),
        (6, "--- # c\nb: |\n  ---\n ---x\n"),
        (10, "--- {c: 1}\n"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn writes_as_sigs_yaml_does() {
    for line in include_str!("data/go_to_yaml.jsonl").lines() {
        let arena = Arena::new();
        let case = parse_str(&arena, line).expect("the recording is JSON");
        let string = |key| case.get(key).and_then(Value::as_str).unwrap_or_default();
        let value = parse_str(&arena, string("json")).expect("the recording holds JSON");
        assert_eq!(to_yaml(value, Order::Sorted), string("yaml"), "{line}");
    }
}

#[test]
fn keeps_the_order_of_keys_on_request() {
    let arena = Arena::new();
    let value = parse_str(&arena, r#"{"b":{"z":1,"a10":[2],"a2":[]},"a":"yes"}"#).expect("JSON");
    assert_eq!(
        to_yaml(value, Order::Kept),
        "b:\n  z: 1\n  a10:\n  - 2\n  a2: []\na: \"yes\"\n"
    );
    assert_eq!(
        to_yaml(value, Order::Sorted),
        "a: \"yes\"\nb:\n  a2: []\n  a10:\n  - 2\n  z: 1\n"
    );
}
