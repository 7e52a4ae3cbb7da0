//! Junctors, and which branch explains a failure.

use super::{check, check_object};

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
fn equal_messages_are_reported_once() {
    check(
        "{type: string, maxLength: 1, allOf: [{maxLength: 1}, {maxLength: 1}]}",
        "xy",
        &[
            "a: Too long: may not be more than 1 byte",
            r#"<nil>: Invalid value: "": "a" must validate all the schemas (allOf). None validated"#,
        ],
    );
    // Errors that differ only in parts that are not shown are both reported.
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
    // If equal, the first.
    check(
        "{type: string, anyOf: [{maxLength: 1}, {minLength: 9}]}",
        "xyz",
        &[ANY, "a: Too long: may not be more than 1 byte"],
    );
    // A format adds one more validator.
    check(
        "{type: string, anyOf: [{maxLength: 1}, {format: date}]}",
        "xyz",
        &[ANY, r#"a: Invalid value: "xyz": $ must be of type date: "xyz""#],
    );
    // A passing type counts, a failing one less.
    check(
        "{x-kubernetes-preserve-unknown-fields: true, anyOf: [{type: integer}, {type: string, maxLength: 1}]}",
        "xyz",
        &[ANY, "a: Too long: may not be more than 1 byte"],
    );
    // Matching children count when the best alternative is chosen.
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
    // A nested junctor counts as much as its passing branch.
    check(
        "{type: integer, oneOf: [{minimum: 9}, {maximum: 1, anyOf: [{minimum: 0}]}]}",
        "5",
        &[NONE, "a: Invalid value: 5: $ should be less than or equal to 1"],
    );
    // Elements count one by one, even without a schema.
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
fn junctors_reject_members_too() {
    check(
        "{type: object, x-kubernetes-preserve-unknown-fields: true, allOf: [{additionalProperties: false, properties: {b: {}}}]}",
        "{b: 1, c: 1}",
        &[
            r#"a: Invalid value: "c": a.c in body is a forbidden property"#,
            r#"<nil>: Invalid value: "": "a" must validate all the schemas (allOf). None validated"#,
        ],
    );
}
