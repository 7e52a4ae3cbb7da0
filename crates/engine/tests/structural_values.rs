//! What the schema of a custom resource says to values, case by case: every keyword, with Kubernetes' words.

mod published;

use kindsmith_engine::{FieldError, Mode, ScalePaths, StructuralChange, Structure, ValuePlan};
use kindsmith_json::{Arena, Path, Value, parse_str, yaml};
use kindsmith_schema::JsonSchema;

/// Reads JSON, or YAML, in which schemas are shorter but `1.0` is an integer.
fn read<'a>(arena: &'a Arena, text: &'a str) -> Value<'a> {
    if let Ok(value) = parse_str(arena, text) {
        return value;
    }
    yaml::parse(arena, text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn schema(text: &str) -> JsonSchema {
    let arena = Arena::new();
    published::schema(&kindsmith_json::to_string(read(&arena, text)))
}

fn shown(errors: &[FieldError]) -> Vec<String> {
    errors.iter().map(ToString::to_string).collect()
}

/// Validates a whole object.
#[track_caller]
fn check_object(schema_text: &str, object: &str, expected: &[&str]) {
    let arena = Arena::new();
    let object = read(&arena, object);
    let structure = Structure::compile(&schema(schema_text)).expect("structural");
    let errors = structure.validate(&StructuralChange::create(object)).errors;
    assert_eq!(shown(&errors), expected, "{schema_text} {object:?}");
}

/// Validates the value of a field `a`. `$ ` stands for `a in body `.
#[track_caller]
fn check(field: &str, value: &str, expected: &[&str]) {
    let expected: Vec<String> = expected
        .iter()
        .map(|text| text.replace("$ ", "a in body "))
        .collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    let object = match parse_str(&Arena::new(), value) {
        Ok(_) => format!("{{\"a\": {value}}}"),
        Err(_) => format!("{{a: {value}}}"),
    };
    check_object(
        &format!("{{type: object, properties: {{a: {field}}}}}"),
        &object,
        &expected,
    );
}

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
fn unknown_types_accept_nothing() {
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
    // A written type does not count, and no range is checked.
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
    // Other values are none of its business.
    check(
        "{x-kubernetes-preserve-unknown-fields: true, pattern: ^a$, maxLength: 1}",
        "12",
        &[],
    );
}

#[test]
fn bounds() {
    check("{type: integer, maximum: 5}", "5", &[]);
    check("{type: integer, minimum: 5}", "5", &[]);
    check(
        "{type: integer, maximum: 5}",
        "7",
        &["a: Invalid value: 7: $ should be less than or equal to 5"],
    );
    check(
        "{type: integer, minimum: 5}",
        "3",
        &["a: Invalid value: 3: $ should be greater than or equal to 5"],
    );
    check(
        "{type: integer, maximum: 5, exclusiveMaximum: true}",
        "5",
        &["a: Invalid value: 5: $ should be less than 5"],
    );
    check(
        "{type: integer, minimum: 5, exclusiveMinimum: true}",
        "5",
        &["a: Invalid value: 5: $ should be greater than 5"],
    );
    check(
        "{type: number, maximum: 5.5}",
        "5.75",
        &["a: Invalid value: 5.75: $ should be less than or equal to 5.5"],
    );
    check(
        "{type: number, maximum: 5000000.5}",
        "6000000.5",
        &["a: Invalid value: 6.0000005e+06: $ should be less than or equal to 5.0000005e+06"],
    );
    check("{exclusiveMaximum: true, type: integer}", "5", &[]);
    // The order is that of the checks, not of the schema.
    check(
        "{type: integer, maximum: 1, minimum: 9, multipleOf: 2}",
        "5",
        &[
            "a: Invalid value: 5: $ should be a multiple of 2",
            "a: Invalid value: 5: $ should be greater than or equal to 9",
            "a: Invalid value: 5: $ should be less than or equal to 1",
        ],
    );
}

#[test]
fn integers_meet_limits_cut_to_integers() {
    let field = "{type: number, maximum: 10.5, exclusiveMaximum: true}";
    check(field, "10", &["a: Invalid value: 10: $ should be less than 10"]);
    check(field, "10.25", &[]);
    check("{type: number, maximum: 10.5}", "10", &[]);
    check(
        "{type: number, maximum: 10.5}",
        "11",
        &["a: Invalid value: 11: $ should be less than or equal to 10"],
    );
    check("{type: number, minimum: 0.5}", "0", &[]);
    check(
        "{type: number, minimum: 0.5}",
        "0.25",
        &["a: Invalid value: 0.25: $ should be greater than or equal to 0.5"],
    );
    check(
        "{type: number, minimum: -0.5, exclusiveMinimum: true}",
        "0",
        &["a: Invalid value: 0: $ should be greater than 0"],
    );
    // What does not fit an integer becomes the smallest one.
    check(
        "{type: number, maximum: 1e19}",
        "1",
        &["a: Invalid value: 1: $ should be less than or equal to -9223372036854775808"],
    );
}

#[test]
fn multiples() {
    check("{type: integer, multipleOf: 5}", "10", &[]);
    check("{type: integer, multipleOf: 5}", "0", &[]);
    check(
        "{type: integer, multipleOf: 5}",
        "7",
        &["a: Invalid value: 7: $ should be a multiple of 5"],
    );
    check(
        "{type: integer, multipleOf: 5}",
        "7.0",
        &["a: Invalid value: 7: $ should be a multiple of 5"],
    );
    check("{type: number, multipleOf: 0.5}", "1.5", &[]);
    check("{type: number, multipleOf: 0.1}", "0.3", &[]);
    check(
        "{type: number, multipleOf: 0.5}",
        "1.25",
        &["a: Invalid value: 1.25: $ should be a multiple of 0.5"],
    );
    check(
        "{type: number, multipleOf: 0.5}",
        "1",
        &["a: Invalid value: 0: factor MultipleOf declared for a must be positive: 0"],
    );
    check(
        "{type: number, multipleOf: -2.5}",
        "5.5",
        &["a: Invalid value: -2.5: factor MultipleOf declared for a must be positive: -2.5"],
    );
    check(
        "{type: integer, multipleOf: 0}",
        "5",
        &["a: Invalid value: 0: factor MultipleOf declared for a must be positive: 0"],
    );
}

const INTEGER: &str =
    r#"<nil>: Invalid value: "": Checked value must be of type integer (default format) in a"#;

#[test]
fn ranges_of_types() {
    check(
        "{type: integer}",
        "1.2",
        &[
            r#"a: Invalid value: "number": $ must be of type integer: "number""#,
            INTEGER,
        ],
    );
    check("{type: integer}", "1.0000000001", &[INTEGER]);
    check("{type: integer}", "9007199254740991.0", &[]);
    check(
        "{type: integer}",
        "1e19",
        &[
            r#"a: Invalid value: "number": $ must be of type integer: "number""#,
            INTEGER,
        ],
    );
    // Beyond what counts as a whole float, but still an integer.
    check(
        "{type: integer}",
        "1e18",
        &[r#"a: Invalid value: "number": $ must be of type integer: "number""#],
    );
    let int32 = r#"<nil>: Invalid value: "": Checked value must be of type integer with format int32 in a"#;
    check("{type: integer, format: int32}", "2147483647", &[]);
    check("{type: integer, format: int32}", "2147483648", &[int32]);
    check("{type: integer, format: int32}", "-2147483649", &[int32]);
    check("{type: integer, format: int64}", "2147483648", &[]);
    check(
        "{type: integer, format: int64}",
        "1.0000000001",
        &[r#"<nil>: Invalid value: "": Checked value must be of type integer with format int64 in a"#],
    );
    let float = r#"<nil>: Invalid value: "": Checked value must be of type number with format float in a"#;
    check("{type: number, format: float}", "3e38", &[]);
    check("{type: number, format: float}", "1e39", &[float]);
    check("{type: number, format: float}", "-1e39", &[float]);
    check("{type: number, format: double}", "1e39", &[]);
    check(
        "{x-kubernetes-preserve-unknown-fields: true, maximum: 1.5}",
        "0.3",
        &[],
    );
}

#[test]
fn limits_out_of_range_fail_every_value() {
    check(
        "{type: integer, maximum: 10.5}",
        "1",
        &[
            r#"<nil>: Invalid value: "": Maximum boundary value must be of type integer (default format) in a"#,
        ],
    );
    check(
        "{type: integer, maximum: 10.5}",
        "11",
        &[
            r#"<nil>: Invalid value: "": Maximum boundary value must be of type integer (default format) in a"#,
            "a: Invalid value: 11: $ should be less than or equal to 10.5",
        ],
    );
    check(
        "{type: integer, format: int32, maximum: 3000000000}",
        "1",
        &[
            r#"<nil>: Invalid value: "": Maximum boundary value must be of type integer with format int32 in a"#,
        ],
    );
    check(
        "{type: integer, minimum: 0.5}",
        "3",
        &[
            r#"<nil>: Invalid value: "": Minimum boundary value must be of type integer (default format) in a"#,
        ],
    );
    check(
        "{type: integer, multipleOf: 0.5}",
        "3",
        &[r#"<nil>: Invalid value: "": MultipleOf value must be of type integer (default format) in a"#],
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

#[test]
fn arrays() {
    check(
        "{type: array, items: {type: string}, maxItems: 2, minItems: 1}",
        "[x]",
        &[],
    );
    check(
        "{type: array, items: {type: string}, maxItems: 2}",
        "[a, b, c]",
        &["a: Too many: 3: must have at most 2 items"],
    );
    check(
        "{type: array, items: {type: string}, maxItems: 1}",
        "[a, b, c]",
        &["a: Too many: 3: must have at most 1 item"],
    );
    check(
        "{type: array, items: {}, maxItems: -1}",
        "[]",
        &["a: Too many: 0: has too many items"],
    );
    check(
        "{type: array, items: {type: string}, minItems: 2}",
        "[a]",
        &["a: Invalid value: 1: $ should have at least 2 items"],
    );
    check(
        "{type: array, items: {type: string}, minItems: 3}",
        "[1, x]",
        &[
            r#"a[0]: Invalid value: "integer": a[0] in body must be of type string: "integer""#,
            "a: Invalid value: 2: $ should have at least 3 items",
        ],
    );
    check(
        "{type: array, items: {type: string}, uniqueItems: true}",
        "[x, z, x]",
        &[r#"a: Invalid value: "": $ shouldn't contain duplicates"#],
    );
    check(
        "{type: array, items: {}, uniqueItems: true}",
        r#"[1, 1.0, "1", [1]]"#,
        &[],
    );
    check(
        "{type: array, items: {type: array, items: {type: integer}}}",
        "[[1], [2, x]]",
        &[r#"a[1][1]: Invalid value: "string": a[1][1] in body must be of type integer: "string""#],
    );
    check(
        "{type: array, items: {type: string}}",
        "[null]",
        &[r#"a[0]: Invalid value: "null": a[0] in body must be of type string: "null""#],
    );
}

#[test]
fn objects() {
    check(
        "{type: object, required: [b], properties: {b: {}}}",
        "{b: null}",
        &[],
    );
    check(
        "{type: object, required: [b, c], properties: {b: {}}}",
        "{}",
        &["a.b: Required value", "a.c: Required value"],
    );
    check(
        "{type: object, maxProperties: 1}",
        "{x: 1, y: 2}",
        &["a: Too many: 2: must have at most 1 item"],
    );
    check(
        "{type: object, minProperties: 2}",
        "{x: 1}",
        &["a: Invalid value: 1: $ should have at least 2 properties"],
    );
    check(
        "{type: object, additionalProperties: false, properties: {k: {}}}",
        "{k: 1, x: 1}",
        &[r#"a: Invalid value: "x": a.x in body is a forbidden property"#],
    );
    check("{type: object, additionalProperties: true}", "{x: 1}", &[]);
    check(
        "{type: object, additionalProperties: {type: string}}",
        "{x: 1, 'q/z.w': 2}",
        &[
            r#"a.x: Invalid value: "integer": a.x in body must be of type string: "integer""#,
            r#"a.q/z.w: Invalid value: "integer": a.q/z.w in body must be of type string: "integer""#,
        ],
    );
    // Errors come in the order of the schema, after those of additional members, before missing ones.
    check(
        "{type: object, required: [q], properties: {z: {type: string}, b: {type: string}}, additionalProperties: {type: string}}",
        "{m: 1, b: 2, z: 3}",
        &[
            r#"a.m: Invalid value: "integer": a.m in body must be of type string: "integer""#,
            r#"a.z: Invalid value: "integer": a.z in body must be of type string: "integer""#,
            r#"a.b: Invalid value: "integer": a.b in body must be of type string: "integer""#,
            "a.q: Required value",
        ],
    );
}

#[test]
fn the_root_has_no_name() {
    check_object(
        "{type: object, required: [spec]}",
        "{}",
        &["spec: Required value"],
    );
    check_object(
        "{type: object}",
        "[]",
        &[r#"<nil>: Invalid value: "array":  in body must be of type object: "array""#],
    );
    check_object(
        "{type: object, additionalProperties: {type: string}}",
        "{k: 1}",
        &[r#"k: Invalid value: "integer": .k in body must be of type string: "integer""#],
    );
    check_object(
        "{type: object, additionalProperties: false}",
        "{k: 1}",
        &[r#"<nil>: Invalid value: "k": .k in body is a forbidden property"#],
    );
    check_object(
        "{type: object, anyOf: [{required: [x]}]}",
        "{}",
        &[
            r#"<nil>: Invalid value: "": "" must validate at least one schema (anyOf)"#,
            "x: Required value",
        ],
    );
}

#[test]
fn formats_of_strings() {
    for (format, good, bad) in [
        ("bsonobjectid", "507f1f77bcf86cd799439011", "x"),
        ("byte", "aGk=", "a"),
        ("cidr", "10.0.0.0/8", "10.0.0.0"),
        ("creditcard", "4111-1111-1111-1111", "4111"),
        ("date", "2024-02-29", "2023-02-29"),
        ("date-time", "2024-01-02T03:04:05Z", "2024-01-02T03:04:05"),
        ("datetime", "2024-01-02t03:04:05.5+01:00", "2024"),
        ("duration", "1h30m", "x"),
        ("email", "a@b.c", "a"),
        ("hexcolor", "#FFFFFF", "#FF"),
        ("hostname", "example.com", "-a"),
        ("ipv4", "1.2.3.4", "::1"),
        ("ipv6", "::1", "1.2.3.4"),
        ("isbn", "0321751043", "0321751044"),
        ("isbn10", "0321751043", "978-0321751041"),
        ("isbn13", "978-0321751041", "0321751043"),
        ("k8s-long-name", "a.b-c", "a_b"),
        ("k8s-short-name", "a-b", "a.b"),
        ("mac", "01:02:03:04:05:06", "01"),
        ("rgbcolor", "rgb(1,2,3)", "rgb"),
        ("ssn", "111-11-1111", "111"),
        ("uri", "http://x/", "x"),
        ("uuid", "01234567-89ab-cdef-0123-456789abcdef", "x"),
        (
            "uuid3",
            "01234567-89ab-3def-0123-456789abcdef",
            "01234567-89ab-4def-0123-456789abcdef",
        ),
        (
            "uuid4",
            "01234567-89ab-4def-8123-456789abcdef",
            "01234567-89ab-4def-0123-456789abcdef",
        ),
        (
            "uuid5",
            "01234567-89ab-5def-8123-456789abcdef",
            "01234567-89ab-3def-8123-456789abcdef",
        ),
    ] {
        let field = format!("{{type: string, format: {format}}}");
        check(&field, &format!("'{good}'"), &[]);
        let text = format!("a: Invalid value: \"{bad}\": $ must be of type {format}: \"{bad}\"");
        check(&field, &format!("'{bad}'"), &[&text]);
    }
    check("{type: string, format: password}", "x", &[]);
}

#[test]
fn formats_are_kept_for_their_types_only() {
    for field in [
        "{type: string, format: fancy}",
        "{type: string, format: int32}",
        "{type: string, format: DateTime}",
    ] {
        check(field, "x", &[]);
        check(
            field,
            "3",
            &[r#"a: Invalid value: "integer": $ must be of type string: "integer""#],
        );
        check(
            field,
            "[]",
            &[r#"a: Invalid value: "array": $ must be of type string: "array""#],
        );
    }
    check("{type: integer, format: date}", "3", &[]);
    check("{type: object, format: date}", "{}", &[]);
    check("{type: integer, format: uint32}", "-3", &[]);
    check("{type: number, format: int32}", "3000000000", &[]);
    check(
        "{format: fancy, x-kubernetes-preserve-unknown-fields: true}",
        "3",
        &[],
    );
    // Without a type, formats of strings are kept.
    let untyped = "{format: date, x-kubernetes-preserve-unknown-fields: true}";
    check(untyped, "2024-02-29", &[]);
    check(
        untyped,
        "x",
        &[r#"a: Invalid value: "x": $ must be of type date: "x""#],
    );
    check(
        untyped,
        "3",
        &[r#"a: Invalid value: "int64": $ must be of type date: "int64""#],
    );
    check(
        "{x-kubernetes-int-or-string: true, format: date}",
        "x",
        &[r#"a: Invalid value: "x": $ must be of type date: "x""#],
    );
    check("{x-kubernetes-int-or-string: true, format: date}", "3", &[]);
}

#[test]
fn a_format_changes_what_types_say() {
    let date = "{type: string, format: date}";
    check(
        date,
        "3",
        &[r#"a: Invalid value: "int64": $ must be of type date: "int64""#],
    );
    check(
        date,
        "3.5",
        &[r#"a: Invalid value: "float64": $ must be of type date: "float64""#],
    );
    check(
        date,
        "true",
        &[r#"a: Invalid value: "": $ must be of type date: """#],
    );
    check(
        date,
        "{}",
        &[r#"a: Invalid value: "": $ must be of type date: """#],
    );
    check(date, "[1, {}]", &[]);
    check(
        date,
        "null",
        &[r#"a: Invalid value: "null": $ must be of type string: "null""#],
    );
    check(
        "{type: integer, format: int32}",
        "x",
        &[r#"a: Invalid value: "string": $ must be of type integer: "string""#],
    );
    check(
        "{type: integer, format: int32}",
        "true",
        &[r#"a: Invalid value: "": $ must be of type int32: """#],
    );
    check(
        "{type: integer, format: int32}",
        "[]",
        &[r#"a: Invalid value: "array": $ must be of type integer: "array""#],
    );
}

const ANY: &str = r#"<nil>: Invalid value: "": "a" must validate at least one schema (anyOf)"#;
const NONE: &str =
    r#"<nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found none valid"#;

#[test]
fn junctors() {
    check("{type: integer, anyOf: [{minimum: 5}, {maximum: 1}]}", "7", &[]);
    check(
        "{type: integer, anyOf: [{minimum: 5}, {maximum: 1}]}",
        "3",
        &[ANY, "a: Invalid value: 3: $ should be greater than or equal to 5"],
    );
    check("{type: integer, oneOf: [{minimum: 5}, {maximum: 1}]}", "7", &[]);
    check(
        "{type: integer, oneOf: [{minimum: 5}, {maximum: 1}]}",
        "3",
        &[
            NONE,
            "a: Invalid value: 3: $ should be greater than or equal to 5",
        ],
    );
    check(
        "{type: integer, oneOf: [{minimum: 5}, {maximum: 9}, {minimum: 7}]}",
        "8",
        &[
            r#"<nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found 3 valid alternatives"#,
        ],
    );
    check(
        "{type: integer, allOf: [{minimum: 5}, {maximum: 9}]}",
        "3",
        &[
            "a: Invalid value: 3: $ should be greater than or equal to 5",
            r#"<nil>: Invalid value: "": "a" must validate all the schemas (allOf)"#,
        ],
    );
    check(
        "{type: integer, allOf: [{minimum: 5}, {minimum: 6}]}",
        "3",
        &[
            "a: Invalid value: 3: $ should be greater than or equal to 5",
            "a: Invalid value: 3: $ should be greater than or equal to 6",
            r#"<nil>: Invalid value: "": "a" must validate all the schemas (allOf). None validated"#,
        ],
    );
    check(
        "{type: integer, not: {minimum: 5}}",
        "7",
        &[r#"<nil>: Invalid value: "": "a" must not validate the schema (not)"#],
    );
    check("{type: integer, not: {minimum: 5}}", "3", &[]);
    check(
        "{type: integer, nullable: true, not: {}, allOf: [{minimum: 5}]}",
        "null",
        &[],
    );
}

#[test]
fn junctors_come_between_type_and_the_rest() {
    check(
        "{type: integer, maximum: 1, not: {}, allOf: [{enum: [1]}], oneOf: [{enum: [1]}], anyOf: [{enum: [1]}]}",
        "3",
        &[
            ANY,
            r#"a: Unsupported value: 3: supported values: "1""#,
            NONE,
            r#"<nil>: Invalid value: "": "a" must validate all the schemas (allOf). None validated"#,
            r#"<nil>: Invalid value: "": "a" must not validate the schema (not)"#,
            "a: Invalid value: 3: $ should be less than or equal to 1",
        ],
    );
}

#[test]
fn the_same_text_is_said_once() {
    check(
        "{type: string, maxLength: 1, allOf: [{maxLength: 1}, {maxLength: 1}]}",
        "xy",
        &[
            "a: Too long: may not be more than 1 byte",
            r#"<nil>: Invalid value: "": "a" must validate all the schemas (allOf). None validated"#,
        ],
    );
    // Texts that differ in what is not shown are two.
    check(
        "{type: string, enum: [x], allOf: [{enum: [x]}, {enum: [q]}]}",
        "z",
        &[
            r#"a: Unsupported value: "z": supported values: "x""#,
            r#"a: Unsupported value: "z": supported values: "q""#,
            r#"<nil>: Invalid value: "": "a" must validate all the schemas (allOf). None validated"#,
        ],
    );
    // Names with dots collide.
    check_object(
        "{type: object, additionalProperties: {type: object, additionalProperties: {type: string}}, properties: {a.b: {type: string}}}",
        "{a: {b: 1}, a.b: 2}",
        &[
            r#"a.b: Invalid value: "integer": .a.b in body must be of type string: "integer""#,
            r#"a.b: Invalid value: "integer": a.b in body must be of type string: "integer""#,
        ],
    );
}

#[test]
fn the_branch_with_most_matches_explains() {
    // Of equals the first.
    check(
        "{type: string, anyOf: [{maxLength: 1}, {minLength: 9}]}",
        "xyz",
        &[ANY, "a: Too long: may not be more than 1 byte"],
    );
    // One more validator applies where there is a format.
    check(
        "{type: string, anyOf: [{maxLength: 1}, {format: date}]}",
        "xyz",
        &[ANY, r#"a: Invalid value: "xyz": $ must be of type date: "xyz""#],
    );
    // A passing type counts, a failing one too but less.
    check(
        "{x-kubernetes-preserve-unknown-fields: true, anyOf: [{type: integer}, {type: string, maxLength: 1}]}",
        "xyz",
        &[ANY, "a: Too long: may not be more than 1 byte"],
    );
    // Children count.
    check(
        "{type: object, x-kubernetes-preserve-unknown-fields: true, oneOf: [{required: [q]}, {required: [r], properties: {b: {}}}]}",
        "{b: 1}",
        &[NONE, "a.r: Required value"],
    );
    check(
        "{type: object, x-kubernetes-preserve-unknown-fields: true, oneOf: [{required: [q]}, {required: [r], properties: {b: {}}}]}",
        "{c: 1}",
        &[NONE, "a.q: Required value"],
    );
    // A nested junctor gives what its passing branch gives.
    check(
        "{type: integer, oneOf: [{minimum: 9}, {maximum: 1, anyOf: [{minimum: 0}]}]}",
        "5",
        &[NONE, "a: Invalid value: 5: $ should be less than or equal to 1"],
    );
    // Elements count one by one, even without a word about them.
    check(
        "{type: array, items: {}, anyOf: [{maxItems: 1}, {maxItems: 2, items: {}}]}",
        "[1, 2, 3]",
        &[ANY, "a: Too many: 3: must have at most 2 items"],
    );
}

#[test]
fn junctors_look_below() {
    let field = "{type: object, properties: {b: {type: array, items: {type: integer}}}, \
                 anyOf: [{properties: {b: {items: {maximum: 3}}}}, {additionalProperties: {maxItems: 0}}]}";
    check(field, "{b: [1, 2]}", &[]);
    check(field, "{b: []}", &[]);
    check(
        field,
        "{b: [1, 7]}",
        &[
            ANY,
            "a.b[1]: Invalid value: 7: a.b[1] in body should be less than or equal to 3",
        ],
    );
}

#[test]
fn junctors_refuse_members_too() {
    check(
        "{type: object, x-kubernetes-preserve-unknown-fields: true, allOf: [{additionalProperties: false, properties: {b: {}}}]}",
        "{b: 1, c: 1}",
        &[
            r#"a: Invalid value: "c": a.c in body is a forbidden property"#,
            r#"<nil>: Invalid value: "": "a" must validate all the schemas (allOf). None validated"#,
        ],
    );
}

#[test]
fn embedded_resources() {
    let schema = "{type: object, properties: {e: {type: object, x-kubernetes-embedded-resource: true, \
                  x-kubernetes-preserve-unknown-fields: true}, m: {type: object, additionalProperties: \
                  {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}, \
                  l: {type: array, items: {type: object, x-kubernetes-embedded-resource: true}}}}";
    check_object(
        schema,
        "{e: {apiVersion: v1, kind: Pod, metadata: {name: x}}}",
        &[],
    );
    check_object(
        schema,
        "{e: {}, m: {k: {apiVersion: a/b/c}}, l: [{apiVersion: v1, kind: Pod, metadata: {name: a/b}}]}",
        &[
            "e.apiVersion: Required value",
            "e.kind: Required value",
            "m[k].kind: Required value",
            r#"m[k].apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c"#,
            r#"l[0].metadata.name: Invalid value: "a/b": may not contain '/'"#,
        ],
    );
}

#[test]
fn sets() {
    let schema = "{type: object, properties: {s: {type: array, x-kubernetes-list-type: set, items: \
                  {x-kubernetes-preserve-unknown-fields: true}}}}";
    check_object(schema, "{s: [1, 1.5, '1', true, null, [1], {a: 1}, [1, 2]]}", &[]);
    check_object(schema, "{s: [a, b, a, a, a]}", &[r#"s[2]: Duplicate value: "a""#]);
    check_object(
        schema,
        "{s: [{a: 1, b: 2}, {b: 2, a: 1}, [1], [1], null, null, 1, 1]}",
        &[
            r#"s[1]: Duplicate value: {"a":1,"b":2}"#,
            "s[3]: Duplicate value: [1]",
            "s[5]: Duplicate value: null",
            "s[7]: Duplicate value: 1",
        ],
    );
}

#[test]
fn list_maps() {
    let list = |keys: &str| {
        format!(
            "{{type: object, properties: {{m: {{type: array, x-kubernetes-list-type: map, \
             x-kubernetes-list-map-keys: [{keys}], items: {{x-kubernetes-preserve-unknown-fields: true}}}}}}}}"
        )
    };
    check_object(&list("k"), "{m: [{k: a}, {k: b}, {k: 1}, {k: 1.5}, {}]}", &[]);
    check_object(
        &list("k"),
        "{m: [{k: a}, {k: a, x: 1}, {k: a}, {}, {x: 1}, null]}",
        &[r#"m[1]: Duplicate value: {"k":"a"}"#, "m[4]: Duplicate value: {}"],
    );
    check_object(
        &list("k"),
        "{m: [{k: a}, {k: a}, 3]}",
        &["m[2]: Invalid value: 3: must be an object for an array of list-type map"],
    );
    check_object(
        &list("k, l"),
        "{m: [{k: a, l: 1}, {k: a}, {l: 1}, {l: 1, k: a, x: 2}, {x: 1}, null, {x: 1}]}",
        &[
            r#"m[3]: Duplicate value: {"k":"a","l":1}"#,
            "m[5]: Duplicate value: {}",
        ],
    );
    check_object(
        "{type: object, additionalProperties: {type: array, x-kubernetes-list-type: set, items: {type: string}}}",
        "{x: [a, a]}",
        &[r#"[x][1]: Duplicate value: "a""#],
    );
}

/// Elements in front that change nothing but the way lists are compared.
fn many(list: &str, element: impl Fn(usize) -> String) -> String {
    let filler: Vec<String> = (0..20).map(element).collect();
    format!("{{\"l\": [{}, {list}]}}", filler.join(", "))
}

#[test]
fn long_lists_are_compared_as_short_ones() {
    let list = |more: &str| {
        format!(
            "{{type: object, properties: {{l: {{type: array, x-kubernetes-list-type: {more}, items: \
             {{x-kubernetes-preserve-unknown-fields: true}}}}}}}}"
        )
    };
    for (more, elements, second) in [
        ("set", "1, 1.0, \"1\"", None),
        ("set", "1, 1, 1", Some((1, "1"))),
        ("set", "[1], [1.0]", Some((1, "[1]"))),
        ("set", "null, true, null", Some((2, "null"))),
        (
            "map, x-kubernetes-list-map-keys: [k]",
            r#"{"k": 1}, {"k": 1.0}, {"k": "1"}, {}"#,
            None,
        ),
        (
            "map, x-kubernetes-list-map-keys: [k]",
            r#"{"k": [1]}, {"k": [1.0]}"#,
            Some((1, r#"{"k":[1]}"#)),
        ),
        (
            "map, x-kubernetes-list-map-keys: [k]",
            r#"{"x": 1}, null"#,
            Some((1, "{}")),
        ),
        (
            "map, x-kubernetes-list-map-keys: [k, m]",
            r#"{"k": 1}, {"k": 1.0}"#,
            Some((1, r#"{"k":1}"#)),
        ),
        (
            "map, x-kubernetes-list-map-keys: [k, m]",
            r#"{"k": 1}, {"m": 1}, {"k": "1"}, {}"#,
            None,
        ),
    ] {
        let expected = |offset: usize| {
            let text = |(index, shown)| format!("l[{}]: Duplicate value: {shown}", index + offset);
            second.map(text).into_iter().collect::<Vec<_>>()
        };
        let short = format!("{{\"l\": [{elements}]}}");
        let long = many(elements, |number| match more {
            "set" => format!("\"filler {number}\""),
            _ => format!("{{\"k\": \"filler {number}\"}}"),
        });
        for (object, offset) in [(short, 0), (long, 20)] {
            let expected = expected(offset);
            let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
            check_object(&list(more), &object, &expected);
        }
    }
}

#[test]
fn deep_schemas_need_no_deep_stack() {
    let mut schema = schema("{type: integer, maximum: 1}");
    let mut object = "2".to_owned();
    for level in 0..500 {
        let mut outer = published::schema(r#"{"type": "object"}"#);
        if level % 100 == 0 {
            outer.all_of = vec![schema];
        } else {
            outer.properties = vec![("a".into(), schema)];
            object = format!("{{\"a\": {object}}}");
        }
        schema = outer;
    }
    let plan = ValuePlan::compile(&schema, Mode::Object);
    let arena = Arena::new();
    let value = read(&arena, &object);
    let errors = shown(&plan.validate(plan.root(), value, &Path::NIL));
    let found = errors
        .iter()
        .any(|error| error.ends_with("should be less than or equal to 1"));
    assert!(found, "{errors:?}");
}

#[test]
fn scale_paths() {
    let structure = Structure::compile(&schema(
        "{type: object, x-kubernetes-preserve-unknown-fields: true}",
    ))
    .expect("structural");
    let scale = ScalePaths {
        spec_replicas: ".spec.replicas".into(),
        status_replicas: ".status.replicas".into(),
        label_selector: Some(".status.sel".into()),
    };
    for (object, expected) in [
        ("{}", &[][..]),
        (
            "{spec: {replicas: 0}, status: {replicas: 2147483647, sel: a=b}}",
            &[],
        ),
        ("{spec: null}", &[]),
        (
            "{spec: {replicas: -1}}",
            &[".spec.replicas: Invalid value: -1: should be a non-negative integer"],
        ),
        (
            "{status: {replicas: 2147483648}}",
            &[".status.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647"],
        ),
        (
            "{spec: {replicas: 1.5}}",
            &[
                ".spec.replicas: Invalid value: 0: .spec.replicas accessor error: 1.5 is of the type float64, expected int64",
            ],
        ),
        (
            "{spec: {replicas: null}}",
            &[
                ".spec.replicas: Invalid value: 0: .spec.replicas accessor error: <nil> is of the type <nil>, expected int64",
            ],
        ),
        (
            "{spec: [1, {a: b}]}",
            &[
                ".spec.replicas: Invalid value: 0: .spec.replicas accessor error: [1 map[a:b]] is of the type []interface {}, expected map[string]interface{}",
            ],
        ),
        (
            "{status: {sel: 1}}",
            &[
                ".status.sel: Invalid value: \"\": .status.sel accessor error: 1 is of the type int64, expected string",
            ],
        ),
    ] {
        let arena = Arena::new();
        let change = StructuralChange {
            scale: Some(&scale),
            ..StructuralChange::create(read(&arena, object))
        };
        assert_eq!(shown(&structure.validate(&change).errors), expected, "{object}");
    }
}

#[test]
fn defaults_are_read_otherwise() {
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
