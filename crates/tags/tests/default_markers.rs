//! `+default` as defaulter-gen, openapi-gen and controller-gen read it.

use crate::resource::{check, field, resource};

fn bad(ty: &str, default: &str, found: &str) {
    check(ty, &format!("+default={default}"), &[found]);
}

fn good(ty: &str, default: &str) {
    check(ty, &format!("+default={default}"), &[]);
}

#[test]
fn values_are_json() {
    good("string", "\"a\"");
    good("map[string]string", "{\"a\": \"b\"}");
    for (ty, default) in [
        ("int32", "32"),
        ("string", "\"bar\""),
        ("[]string", "[\"popcorn\",\"chips\"]"),
        ("[]Part", "[{\"a\":\"http\",\"b\":80}]"),
    ] {
        let found = resource(
            &format!("{ty} `json:\"s,omitempty\"`"),
            &format!("+default={default}"),
            "",
        );
        let read = field(&found).default.as_ref().and_then(|default| default.value());
        assert_eq!(read.map(ToString::to_string).as_deref(), Some(default), "{ty}");
    }
    let syntax = "error[default-syntax] failed to unmarshal default: ";
    bad(
        "string",
        "word",
        &format!("{syntax}invalid character 'w' looking for beginning of value"),
    );
    bad(
        "string",
        "'x'",
        &format!("{syntax}invalid character '\\'' looking for beginning of value"),
    );
    bad(
        "string",
        "\"a\" // note",
        &format!("{syntax}invalid character '/' after top-level value"),
    );
    bad("string", "", "error[default-empty] unexpected end of JSON input");
    check(
        "string",
        "+default",
        &["error[default-empty] unexpected end of JSON input"],
    );
    let found = resource("string `json:\"s,omitempty\"`", "+default=word", "");
    assert_eq!(
        found.diagnostics[0].upstream.as_deref(),
        Some(
            "OpenAPI code generation error: failed executing generator: some targets had errors: failed to generate \
             default in example.com/api.Thing: S: failed to unmarshal default: invalid character 'w' looking for \
             beginning of value"
        )
    );
}

#[test]
fn forms_that_tools_read_differently_are_reported() {
    check(
        "string",
        "+default:=\"a\"",
        &["warning[default-form] only controller-gen reads a default written like this"],
    );
    check(
        "string",
        "+default()=\"a\"",
        &["warning[default-form] only defaulter-gen reads a default written like this"],
    );
    check(
        "string",
        "+default(x)=\"a\"",
        &["error[default-arguments] failed to parse tag default(x): expected no arguments, found \"x\""],
    );
    check(
        "string",
        "+default =\"a\"",
        &["error[default-arguments] unexpected character ' ' at position 8"],
    );
    check(
        "string",
        "+default=\"a\"\n+default=\"a\"",
        &["error[default-duplicate] multiple values are not allowed for tag default"],
    );
}

#[test]
fn fields_that_cannot_be_absent_accept_only_zero() {
    let plain = |ty: &str, default: &str, expected: &[&str]| {
        let found = resource(&format!("{ty} `json:\"s\"`"), &format!("+default={default}"), "");
        assert_eq!(found.findings(), expected, "{ty} {default}");
    };
    let refused = |value: &str, only: &str| {
        format!(
            "error[default-enforced] invalid default value ({value}) for non-pointer/non-omitempty. If specified, must be: {only}"
        )
    };
    plain("string", "\"a\"", &[&refused("\"a\"", "\"\"")]);
    plain("bool", "true", &[&refused("true", "false")]);
    plain("int32", "5", &[&refused("5", "0")]);
    plain("string", "\"\"", &[]);
    plain("int32", "0", &[]);
    plain("*string", "\"a\"", &[]);
    plain("[]string", "[\"a\"]", &[]);
    bad(
        "Part",
        "{\"a\":\"x\"}",
        &refused("map[string]interface {}{\"a\":\"x\"}", "{}"),
    );
    let found = resource("int32 `json:\"s,string\"`", "+default=5", "");
    assert_eq!(found.findings(), [""; 0]);
}

#[test]
fn defaults_fit_their_types() {
    let misfit = |text: &str| format!("error[default-type] {text}");
    bad("int32", "1.5", &misfit("the default must be an integer, not 1.5"));
    good("int32", "1.0");
    bad(
        "uint32",
        "-1",
        &misfit("the default -1 is out of the range of uint32"),
    );
    bad(
        "int8",
        "128",
        &misfit("the default 128 is out of the range of int8"),
    );
    bad(
        "string",
        "[\"x\"]",
        &misfit("the default must be a string, not a list"),
    );
    bad(
        "[]string",
        "\"x\"",
        &misfit("the default must be a list, not a string"),
    );
    bad(
        "[]string",
        "{\"a\":1}",
        &misfit("the default must be a list, not an object"),
    );
    bad(
        "[]string",
        "[1]",
        &misfit("the default's `[0]` must be a string, not a number"),
    );
    bad(
        "*Part",
        "5",
        &misfit("the default must be an object, not a number"),
    );
    bad(
        "*Part",
        "{\"c\":1}",
        "warning[default-type] the default has a member `c` that the struct has not",
    );
    bad(
        "*Part",
        "{\"b\":\"x\"}",
        &misfit("the default's `b` must be a number, not a string"),
    );
    good("*Part", "{\"A\":\"x\"}");
    good("*metav1.Time", "\"2020-01-01T00:00:00Z\"");
    bad(
        "*metav1.Duration",
        "5",
        &misfit("the default must be a string, not a number"),
    );
    bad(
        "*string",
        "null",
        "error[default-null] `null` is not a valid default",
    );
    bad(
        "Part",
        "{}",
        &misfit("a default on a struct that is not a pointer cannot be applied"),
    );
    bad(
        "[]string",
        "[\"a`b\"]",
        &misfit("a default on a list, map or struct with a backquote in it cannot be applied"),
    );
}

#[test]
fn defaults_satisfy_their_own_limits() {
    check(
        "int32",
        "+kubebuilder:validation:Maximum=5\n+default=9",
        &["warning[default-limits] the default 9 is above the maximum"],
    );
    check("int32", "+kubebuilder:validation:Maximum=5\n+default=5", &[]);
    check(
        "Word",
        "+default=\"much too long\"",
        &["warning[default-limits] the default \"much too long\" is longer than 9"],
    );
    let found = resource(
        "Color `json:\"s,omitempty\"`",
        "+default=\"blue\"",
        "// +enum\ntype Color string\nconst Red Color = \"red\"",
    );
    assert_eq!(
        found.findings(),
        ["warning[default-limits] the default \"blue\" is not one of the type's constants"]
    );
}

#[test]
fn types_have_defaults() {
    let rest = "// +default=\"w\"\ntype Named string";
    let plain = |ty: &str, expected: &[&str]| {
        let found = resource(&format!("{ty} `json:\"s\"`"), "", rest);
        assert_eq!(found.findings(), expected, "{ty}");
    };
    plain("*Named", &[]);
    plain("[]Named", &[]);
    plain(
        "Named",
        &[
            "error[default-enforced] invalid default value (\"w\") for non-pointer/non-omitempty. If specified, must be: \"\"",
        ],
    );
    let rest = "// +default={\"a\":\"x\"}\ntype Cart struct {\nA string `json:\"a,omitempty\"`\n}";
    let found = resource("[]Cart `json:\"s,omitempty\"`", "", rest);
    assert_eq!(
        found.findings(),
        ["error[default-type] the default cannot be applied to the items of `S`"]
    );
}

#[test]
fn references_name_constants() {
    let field = "Color `json:\"s,omitempty\"`";
    let rest = "type Color string\nconst Red Color = \"red\"";
    let found = resource(field, "+default=ref(Red)", rest);
    assert_eq!(found.findings(), [""; 0]);
    assert!(found.dump.contains("ref(example.com/api.Red)"), "{}", found.dump);
    let found = resource("int32 `json:\"s,omitempty\"`", "+default=ref(Red)", rest);
    assert_eq!(
        found.findings(),
        ["error[default-type] the default must be a number, not a string"]
    );
    let pointers = "type Color string\ntype Inner *Color\ntype Outer Inner\nconst Red Color = \"red\"";
    for ty in ["Outer", "*Outer", "**string"] {
        let found = resource(&format!("{ty} `json:\"s\"`"), "+default=ref(Red)", pointers);
        assert_eq!(found.findings(), [""; 0], "{ty}");
    }
    check(
        "[]string",
        "+default=ref(Red)",
        &["error[default-ref] only numbers, strings, booleans and pointers to them can refer to a constant"],
    );
}
