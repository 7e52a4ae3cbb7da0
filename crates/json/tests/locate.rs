//! Finds field paths in text.

use kindsmith_json::locate::{Location, in_json, in_yaml, line_column};
use kindsmith_json::path::Segment::{self, Field, Index, Key};

fn spans(text: &str, location: Location) -> (usize, Option<&str>, &str) {
    (
        location.found,
        location.key.map(|key| &text[key]),
        &text[location.value],
    )
}

#[track_caller]
fn check_json(text: &str, path: &[Segment<'_>], expected: (usize, Option<&str>, &str)) {
    assert_eq!(spans(text, in_json(text, path.iter().copied())), expected);
}

#[track_caller]
fn check_yaml(text: &str, path: &[Segment<'_>], expected: (usize, Option<&str>, &str)) {
    assert_eq!(
        spans(text, in_yaml(text, path.iter().copied()).expect("YAML")),
        expected
    );
}

#[test]
fn finds_paths_in_json() {
    let text = r#" {"a" : [1, {"b\n": "x]"}, [ ]] , "c":{"d": -1.5e3 }, "c2":true,"a.b/c":null} "#;
    check_json(text, &[], (0, None, text.trim()));
    check_json(text, &[Field("a"), Index(0)], (2, None, "1"));
    check_json(
        text,
        &[Field("a"), Index(1), Field("b\n")],
        (3, Some("\"b\\n\""), "\"x]\""),
    );
    check_json(text, &[Field("a"), Index(2)], (2, None, "[ ]"));
    check_json(text, &[Field("c"), Field("d")], (2, Some("\"d\""), "-1.5e3"));
    check_json(text, &[Field("c2")], (1, Some("\"c2\""), "true"));
    check_json(text, &[Key("a.b/c")], (1, Some("\"a.b/c\""), "null"));
}

#[test]
fn stops_at_the_last_step_that_exists() {
    let text = r#"{"a":[{"b":1}]}"#;
    check_json(
        text,
        &[Field("a"), Index(1), Field("b")],
        (1, Some("\"a\""), r#"[{"b":1}]"#),
    );
    check_json(text, &[Field("a"), Index(0), Field("x")], (2, None, r#"{"b":1}"#));
    check_json(text, &[Index(0)], (0, None, text));
    check_yaml(
        "a:\n- b: 1\n",
        &[Field("a"), Index(0), Field("x")],
        (2, None, "b: 1"),
    );
}

#[test]
fn the_last_of_repeated_keys_counts() {
    check_json(r#"{"a":1,"b":0,"a":2}"#, &[Field("a")], (1, Some("\"a\""), "2"));
    check_yaml("a: 1\nb: 0\na: 2\n", &[Field("a")], (1, Some("a"), "2"));
}

#[test]
fn finds_paths_in_yaml() {
    let text = "# c\nspec:\n  list: # x\n  - name: a\n    on: 'q'\n  - {k: [v, w]}\n  text: |\n    b\n\n\nend: &a x\nref: *a\n";
    check_yaml(
        text,
        &[Field("spec"), Field("list"), Index(0)],
        (3, None, "name: a\n    on: 'q'"),
    );
    check_yaml(
        text,
        &[Field("spec"), Field("list"), Index(0), Field("true")],
        (4, Some("on"), "'q'"),
    );
    check_yaml(
        text,
        &[Field("spec"), Field("list"), Index(1), Field("k"), Index(1)],
        (5, None, "w"),
    );
    check_yaml(
        text,
        &[Field("spec"), Field("text")],
        (2, Some("text"), "|\n    b"),
    );
    check_yaml(text, &[Field("ref")], (1, Some("ref"), "*a"));
    check_yaml("\u{feff}a: é\n", &[Field("a")], (1, Some("a"), "é"));
}

#[test]
fn counts_lines_and_characters() {
    assert_eq!(line_column("a\né: x".as_bytes(), 6), (2, 4));
    assert_eq!(line_column(b"", 9), (1, 1));
}
