//! Formats, and their effect on types.

use super::check;

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
fn a_format_changes_type_errors() {
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
