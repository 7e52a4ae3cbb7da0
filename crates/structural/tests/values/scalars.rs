//! Types, lengths, patterns and enums.

use super::check;

#[test]
fn types() {
    for (ty, passing) in [
        ("boolean", &["true"][..]),
        ("string", &["x", "''"]),
        ("integer", &["1", "1.0", "-7", "1e3", "9223372036854775807"]),
        ("number", &["1", "1.0", "1.5", "1e300"]),
        ("array", &["[]"]),
        ("object", &["{}"]),
    ] {
        let field = format!("{{type: {ty}}}");
        for value in passing {
            check(&field, value, &[]);
        }
        for (value, actual) in [
            ("true", "boolean"),
            ("x", "string"),
            ("1", "integer"),
            ("[]", "array"),
            ("{}", "object"),
            ("null", "null"),
        ] {
            if passing.contains(&value) {
                continue;
            }
            let text = format!("a: Invalid value: \"{actual}\": $ must be of type {ty}: \"{actual}\"");
            check(&field, value, &[&text]);
        }
    }
}

#[test]
fn unknown_types_reject_everything() {
    check(
        "{type: text}",
        "x",
        &[r#"a: Invalid value: "string": $ must be of type text: "string""#],
    );
    check("{type: 'null'}", "null", &[]);
}

#[test]
fn nullable_and_untyped() {
    check("{type: string, nullable: true}", "null", &[]);
    check("{x-kubernetes-preserve-unknown-fields: true}", "null", &[]);
    check("{nullable: true, minLength: 3}", "null", &[]);
    check(
        "{type: string, nullable: true}",
        "3",
        &[r#"a: Invalid value: "integer": $ must be of type string: "integer""#],
    );
}

#[test]
fn int_or_string() {
    let field = "{x-kubernetes-int-or-string: true}";
    for value in ["1", "x", "1.0", "'1.5'"] {
        check(field, value, &[]);
    }
    for (value, actual) in [
        ("1.5", "number"),
        ("true", "boolean"),
        ("null", "null"),
        ("{}", "object"),
    ] {
        let text = format!("a: Invalid value: \"{actual}\": $ must be of type integer,string: \"{actual}\"");
        check(field, value, &[&text]);
    }
    // An explicit type is ignored, and no range is checked.
    check("{type: string, x-kubernetes-int-or-string: true}", "5", &[]);
    check(
        "{x-kubernetes-int-or-string: true, format: int32}",
        "3000000000",
        &[],
    );
    check("{x-kubernetes-int-or-string: true, nullable: true}", "null", &[]);
    check(
        "{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}], maximum: 5}",
        "7",
        &["a: Invalid value: 7: $ should be less than or equal to 5"],
    );
}

#[test]
fn lengths_count_characters() {
    check("{type: string, maxLength: 2}", "äö", &[]);
    check("{type: string, minLength: 2}", "äö", &[]);
    check("{type: string, minLength: 1}", "漢", &[]);
    check(
        "{type: string, maxLength: 2}",
        "äöü",
        &["a: Too long: may not be more than 2 bytes"],
    );
    check(
        "{type: string, maxLength: 1}",
        "xy",
        &["a: Too long: may not be more than 1 byte"],
    );
    check(
        "{type: string, maxLength: 0}",
        "x",
        &["a: Too long: may not be more than 0 bytes"],
    );
    check(
        "{type: string, maxLength: -1}",
        "''",
        &["a: Too long: value is too long"],
    );
    check(
        "{type: string, minLength: 3}",
        "äö",
        &[r#"a: Invalid value: "äö": $ should be at least 3 chars long"#],
    );
    // Only the first of the three is reported.
    check(
        "{type: string, maxLength: 1, minLength: 9, pattern: z}",
        "xy",
        &["a: Too long: may not be more than 1 byte"],
    );
    check(
        "{type: string, minLength: 9, pattern: z}",
        "xy",
        &[r#"a: Invalid value: "xy": $ should be at least 9 chars long"#],
    );
}

#[test]
fn patterns_are_searched() {
    check("{type: string, pattern: b+}", "abc", &[]);
    check(
        "{type: string, pattern: ^a$}",
        "xa",
        &[r#"a: Invalid value: "xa": $ should match '^a$'"#],
    );
    check(
        "{type: string, pattern: 'a('}",
        "xa",
        &[
            "a: Invalid value: \"xa\": $ should match 'a(, but pattern is invalid: error parsing regexp: missing closing ): `a(`'",
        ],
    );
    // Other values are not checked.
    check(
        "{x-kubernetes-preserve-unknown-fields: true, pattern: ^a$, maxLength: 1}",
        "12",
        &[],
    );
}

#[test]
fn enums_list_values_in_order() {
    check("{type: string, enum: [foo, bar]}", "foo", &[]);
    check(
        "{type: string, enum: [foo, bar]}",
        "qux",
        &[r#"a: Unsupported value: "qux": supported values: "foo", "bar""#],
    );
    check(
        "{x-kubernetes-preserve-unknown-fields: true, enum: [1, 2.5, true, null, {k: 1}, '<']}",
        "false",
        &[r#"a: Unsupported value: false: supported values: "1", "2.5", "true", "null", "{\"k\":1}", "<""#],
    );
    check(
        "{x-kubernetes-preserve-unknown-fields: true, enum: [[1, {b: 2, a: '<'}]]}",
        "[1, {b: 3, a: '<'}]",
        &[concat!(
            r#"a: Unsupported value: [1,{"a":"\u003c","b":3}]: "#,
            r#"supported values: "[1,{\"a\":\"\\u003c\",\"b\":2}]""#
        )],
    );
}

#[test]
fn enums_convert_as_go_does() {
    let any = |members: &str| format!("{{x-kubernetes-preserve-unknown-fields: true, enum: [{members}]}}");
    for (members, value) in [
        ("1, 2", "1"),
        ("1, 2", "1.5"),
        ("1, 2", "2.99"),
        ("1.0", "1"),
        ("2.5", "2.5"),
        ("A", "65"),
        ("'😀'", "128512"),
        ("'\u{fffd}'", "-1"),
        ("'\u{fffd}'", "55296"),
        ("true", "true"),
        ("{k: 1}", "{k: 1}"),
        ("[1, a]", "[1, a]"),
        ("{}", "{}"),
    ] {
        check(&any(members), value, &[]);
    }
    for (members, value, printed, supported) in [
        ("2.5", "2", "2", "2.5"),
        ("1", "'1'", r#""1""#, "1"),
        ("A", "66", "66", "A"),
        ("A", "65.0", "65", "A"),
        ("true", "1", "1", "true"),
        ("'true'", "true", "true", "true"),
        ("{k: 1}", "{\"k\": 1.0}", r#"{"k":1}"#, r#"{\"k\":1}"#),
        ("[1, 2]", "[2, 1]", "[2,1]", "[1,2]"),
        ("null", "null", "null", "null"),
    ] {
        let text = format!("a: Unsupported value: {printed}: supported values: \"{supported}\"");
        check(&any(members), value, &[&text]);
    }
    check(
        "{type: string, nullable: true, enum: [A, null]}",
        "null",
        &[r#"a: Unsupported value: null: supported values: "A", "null""#],
    );
}
