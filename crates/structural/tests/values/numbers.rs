//! Bounds, multiples and ranges, with the quirks of Go's numbers.

use super::check;

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
    // Errors come in the order of the checks, not of the schema.
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
fn integers_are_compared_with_truncated_limits() {
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
    // A limit out of range becomes the smallest integer.
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
    // Too large for a whole float, but still an integer.
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
