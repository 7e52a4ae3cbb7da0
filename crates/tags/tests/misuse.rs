//! Errors in single `+k8s:` tags, with upstream's messages.

use crate::declared::{check, check_type, compare, declared, field};
use kindsmith_tags::Profile;

#[test]
fn strings() {
    for tag in ["minLength", "maxLength", "maxBytes"] {
        let message = |rest: &str| format!("tag \"k8s:{tag}\": {rest}");
        check("string", &format!("+k8s:{tag}=3"), &[]);
        check("*Name", &format!("+k8s:{tag}=3"), &[]);
        check(
            "int32",
            &format!("+k8s:{tag}=3"),
            &[&message("can only be used on string types (int32)")],
        );
        check(
            "*Level",
            &format!("+k8s:{tag}=3"),
            &[&message(
                "can only be used on string types (*example.com/api.Level -> int32)",
            )],
        );
        check(
            "[]byte",
            &format!("+k8s:{tag}=3"),
            &[&message("can only be used on string types ([]byte)")],
        );
        check(
            "string",
            &format!("+k8s:{tag}=0x3"),
            &[&message(
                r#"failed to parse tag payload as int: parsing "0x3" as int: strconv.Atoi: parsing "0x3": invalid syntax"#,
            )],
        );
        check(
            "string",
            &format!("+k8s:{tag}=007"),
            &[&message(
                r#"failed to parse tag payload as int: "007" is not a valid int value"#,
            )],
        );
    }
    check("string", "+k8s:minLength=-3", &[]);
    check(
        "string",
        "+k8s:maxLength=-3",
        &[r#"tag "k8s:maxLength": must be greater than or equal to zero"#],
    );
    check(
        "string",
        "+k8s:maxBytes=-3",
        &[r#"tag "k8s:maxBytes": must be greater than or equal to zero"#],
    );
    check("string", "+k8s:format=k8s-uuid", &[]);
    check(
        "string",
        "+k8s:format=uuid",
        &[r#"tag "k8s:format": unsupported validation format "uuid""#],
    );
    check(
        "bool",
        "+k8s:format=k8s-uuid",
        &[r#"tag "k8s:format": can only be used on string types (bool)"#],
    );
}

#[test]
fn sizes() {
    for tag in ["minItems", "maxItems"] {
        check("[]string", &format!("+k8s:{tag}=3"), &[]);
        check("Names", &format!("+k8s:{tag}=3"), &[]);
        check(
            "*string",
            &format!("+k8s:{tag}=3"),
            &[&format!(
                "tag \"k8s:{tag}\": can only be used on list types (*string -> *string)"
            )],
        );
        check(
            "[]string",
            &format!("+k8s:{tag}=-1"),
            &[&format!(
                "tag \"k8s:{tag}\": must be greater than or equal to zero"
            )],
        );
    }
    for tag in ["minProperties", "maxProperties"] {
        check("map[string]int32", &format!("+k8s:{tag}=3"), &[]);
        check("map[Name]int32", &format!("+k8s:{tag}=3"), &[]);
        check(
            "Names",
            &format!("+k8s:{tag}=3"),
            &[&format!(
                "tag \"k8s:{tag}\": can only be used on map types (example.com/api.Names -> []string)"
            )],
        );
        check(
            "map[string]int32",
            &format!("+k8s:{tag}=100001"),
            &[&format!(
                "tag \"k8s:{tag}\": must be less than or equal to 100000"
            )],
        );
        check(
            "map[int32]int32",
            &format!("+k8s:{tag}=1"),
            &[&format!(
                "tag \"k8s:{tag}\": can only be used on map types with string-based keys (map[int32]int32)"
            )],
        );
    }
}

#[test]
fn integers() {
    for tag in ["minimum", "maximum"] {
        let message = |rest: &str| format!("tag \"k8s:{tag}\": {rest}");
        check("*Level", &format!("+k8s:{tag}=-3"), &[]);
        check("int8", &format!("+k8s:{tag}=-128"), &[]);
        check(
            "float64",
            &format!("+k8s:{tag}=3"),
            &[&message("can only be used on integer types (float64)")],
        );
        check(
            "uintptr",
            &format!("+k8s:{tag}=3"),
            &[&message("can only be used on integer types (uintptr)")],
        );
        check(
            "int16",
            &format!("+k8s:{tag}=32768"),
            &[&message(
                "failed to parse tag payload: value 32768 does not fit in int16 (range [-32768, 32767])",
            )],
        );
        check(
            "uint8",
            &format!("+k8s:{tag}=256"),
            &[&message(
                "failed to parse tag payload: value 256 does not fit in uint8 (range [0, 255])",
            )],
        );
        check(
            "int32",
            &format!("+k8s:{tag}=-0"),
            &[&message(
                r#"failed to parse tag payload: "-0" is not a valid int value"#,
            )],
        );
    }
    check("int64", "+k8s:monotonic", &[]);
    check(
        "*string",
        "+k8s:monotonic",
        &[r#"tag "k8s:monotonic": must be an integer type (got *string -> string)"#],
    );
}

#[test]
fn neq() {
    check("string", "+k8s:neq=a", &[]);
    check("bool", "+k8s:neq=true", &[]);
    check("*int32", "+k8s:neq=3", &[]);
    check(
        "string",
        "+k8s:neq=3",
        &[r#"tag "k8s:neq": type mismatch: field is a string, but payload is of type int"#],
    );
    check(
        "bool",
        "+k8s:neq=maybe",
        &[r#"tag "k8s:neq": type mismatch: field is a bool, but payload is of type string"#],
    );
    check(
        "int32",
        "+k8s:neq=true",
        &[r#"tag "k8s:neq": type mismatch: field is an integer, but payload is of type bool"#],
    );
    check(
        "int32",
        "+k8s:neq=0x3",
        &[
            r#"tag "k8s:neq": invalid integer value for payload: parsing "0x3" as int: strconv.Atoi: parsing "0x3": invalid syntax"#,
        ],
    );
    check(
        "[]string",
        "+k8s:neq=a",
        &[
            r#"tag "k8s:neq": can only be used on comparable types (e.g. string, int, bool), but got []string"#,
        ],
    );
    check(
        "float64",
        "+k8s:neq=1",
        &[r#"tag "k8s:neq": unsupported type for 'neq' tag: float64"#],
    );
    check(
        "string",
        "+k8s:neq",
        &[r#"tag "k8s:neq": missing required tag value of type raw"#],
    );
}

#[test]
fn presence_needs_a_type_that_can_be_unset() {
    for tag in ["required", "optional", "forbidden"] {
        check("string", &format!("+k8s:{tag}"), &[]);
        check("*Part", &format!("+k8s:{tag}"), &[]);
        let message = format!("tag \"k8s:{tag}\": non-pointer structs cannot use the \"k8s:{tag}\" tag");
        check("Part", &format!("+k8s:{tag}"), &[&message]);
        let message = format!("tag \"k8s:{tag}\" cannot be specified on type definitions");
        check_type("string", &format!("+k8s:{tag}"), &[&message]);
    }
    check("string", "+k8s:required\n+k8s:optional", &[]);
}

#[test]
fn optional_reads_the_default() {
    let check = |ty: &str, tags: &str, expected: &[&str]| {
        let mut found = field(ty, tags, Profile::Upstream);
        // Other tools read the default too, and report their own errors.
        found
            .diagnostics
            .retain(|found| found.message.contains("k8s:optional"));
        compare(&found, expected, tags);
    };
    check("int32", "+k8s:optional\n+default=3", &[]);
    check(
        "Part",
        "+k8s:optional\n+default={}",
        &[r#"tag "k8s:optional": unknown zero-value for type example.com/api.Part"#],
    );
    check(
        "string",
        "+k8s:optional\n+default=oak",
        &[
            r#"tag "k8s:optional": failed to parse default value "oak": invalid character 'o' looking for beginning of value"#,
        ],
    );
    check(
        "*string",
        "+k8s:optional\n+default=null",
        &[r#"tag "k8s:optional": failed to parse default value "null": unmarshalled to nil"#],
    );
    check(
        "int32",
        "+k8s:optional\n+default=1\n+default=2",
        &[r#"tag "k8s:optional": +default tag with multiple values: ["default" "default"]"#],
    );
}

#[test]
fn each() {
    check("[]string", "+k8s:eachVal=+k8s:maxLength=3", &[]);
    check("map[string]string", "+k8s:eachVal=+k8s:maxLength=3", &[]);
    check("map[Name]int32", "+k8s:eachKey=+k8s:maxLength=3", &[]);
    check(
        "string",
        "+k8s:eachVal=+k8s:maxLength=3",
        &[r#"tag "k8s:eachVal": can only be used on list or map types (Builtin)"#],
    );
    check(
        "[]string",
        "+k8s:eachKey=+k8s:maxLength=3",
        &[r#"tag "k8s:eachKey": can only be used on map types (Slice)"#],
    );
    check(
        "[]int32",
        "+k8s:eachVal=+k8s:maxLength=3",
        &[r#"tag "k8s:eachVal": tag "k8s:maxLength": can only be used on string types (int32)"#],
    );
    check(
        "[]string",
        "+k8s:eachVal=+k8s:minLength=0",
        &[r#"tag "k8s:eachVal": no validation functions found"#],
    );
    check(
        "map[string]string",
        "+k8s:eachKey=+k8s:ifEnabled(X)=+k8s:minLength=0",
        &[r#"tag "k8s:eachKey": no validation functions found"#],
    );
    check("[]Part", "+k8s:eachVal=+k8s:opaqueType", &[]);
}

#[test]
fn scopes_are_reported_from_inside_out() {
    for (tags, ty, message) in [
        (
            "+k8s:eachVal=+k8s:required",
            "[]string",
            r#"tag "k8s:eachVal": tag "k8s:required" cannot be specified on list values"#,
        ),
        (
            "+k8s:eachVal=+k8s:alpha=+k8s:optional",
            "map[string]string",
            r#"tag "k8s:eachVal": tag "k8s:alpha": tag "k8s:optional" cannot be specified on map values"#,
        ),
        (
            "+k8s:eachKey=+k8s:immutable",
            "map[string]string",
            r#"tag "k8s:eachKey": tag "k8s:immutable" cannot be specified on map keys"#,
        ),
        (
            "+k8s:enum",
            "Name",
            r#"tag "k8s:enum" cannot be specified on struct fields"#,
        ),
        (
            "+k8s:enumExclude",
            "Name",
            r#"tag "k8s:enumExclude" cannot be specified on struct fields"#,
        ),
    ] {
        check(ty, tags, &[message]);
    }
}

#[test]
fn arguments_and_values_have_kinds() {
    for (tags, message) in [
        (
            "+k8s:subfield(3)=+k8s:immutable",
            r#"tag "k8s:subfield": argument "3" has wrong type: got int, want string"#,
        ),
        (
            "+k8s:alpha(since: 3)=+k8s:immutable",
            r#"tag "k8s:alpha": argument "since: 3" has wrong type: got int, want string"#,
        ),
        (
            "+k8s:subfield=+k8s:immutable",
            r#"tag "k8s:subfield": missing required positional argument of type string"#,
        ),
        (
            r#"+k8s:immutable("yes")"#,
            r#"tag "k8s:immutable": unrecognized named argument "\"yes\"""#,
        ),
        (
            "+k8s:immutable(n: 3)",
            r#"tag "k8s:immutable": unrecognized named argument "n: 3""#,
        ),
        (
            "+k8s:beta",
            r#"tag "k8s:beta": missing required tag value of type tag"#,
        ),
        (
            "+k8s:immutable=true",
            r#"tag "k8s:immutable": tag value has wrong type: got bool, want "#,
        ),
        (
            "+k8s:maxLength=+k8s:immutable",
            r#"tag "k8s:maxLength": tag value has wrong type: got tag, want int"#,
        ),
        (
            r#"+k8s:alpha(since: "1.2", since: "1.3")=+k8s:immutable"#,
            r#"tag "k8s:alpha": at most one optional kubernetes version argument is supported"#,
        ),
        (
            r#"+k8s:beta(since: "v1.2")=+k8s:immutable"#,
            r#"tag "k8s:beta": invalid kubernetes version format, expected <major>.<minor>, got v1.2"#,
        ),
    ] {
        check("Part", tags, &[message]);
    }
}

#[test]
fn syntax() {
    check(
        "string",
        "+k8s:maxLength=12ab\n+k8s:maxLength=3",
        &[
            r#"failed to parse tags: invalid number "12ab" at position 18: [k8s:maxLength=12ab k8s:maxLength=3]"#,
        ],
    );
    check(
        "string",
        "+k8s:required +k8s:maxLength=3",
        &["failed to parse tags: unexpected character ' ' at position 13: [k8s:required +k8s:maxLength=3]"],
    );
}

#[test]
fn enums() {
    check_type("string", "+k8s:enum", &[]);
    check_type(
        "int32",
        "+k8s:enum",
        &[r#"tag "k8s:enum": can only be used on string types (example.com/api.Thing -> int32)"#],
    );
    let constant = |tags: &str| {
        let text = format!("// +k8s:enum\ntype E string\n\nconst (\n// {tags}\nA E = \"a\"\n)");
        declared(&text, "p.org/a", Profile::Upstream)
    };
    for (tags, expected) in [
        ("+k8s:enumExclude", ""),
        ("+k8s:ifEnabled(X)=+k8s:enumExclude", ""),
        (
            "+k8s:ifEnabled(X)=+k8s:required",
            r#"tag "k8s:ifEnabled": tag "k8s:required" cannot be specified on constant values"#,
        ),
        (
            "+k8s:maxLength=3",
            r#"tag "k8s:maxLength" cannot be specified on constant values"#,
        ),
    ] {
        let expected: &[&str] = if expected.is_empty() { &[] } else { &[expected] };
        compare(&constant(tags), expected, tags);
    }
}

#[test]
fn test_checks() {
    check(
        "string",
        r#"+k8s:validateFalse(flags: "ShortCircuit, NonError")="x""#,
        &[],
    );
    check(
        "string",
        "+k8s:validateTrue\n+k8s:validateTrueAlpha\n+k8s:validateTrueBeta=x",
        &[],
    );
    check(
        "string",
        r#"+k8s:validateFalse(flags: "Sometimes")"#,
        &[r#"tag "k8s:validateFalse": can't decode tag payload: unknown flag: "Sometimes""#],
    );
    check(
        "string",
        r#"+k8s:validateFalse(flags: "NonError")"#,
        &[r#"tag "k8s:validateFalse": the flag NonError alone has no use"#],
    );
    check(
        "string",
        r#"+k8s:validateError="on purpose""#,
        &[r#"tag "k8s:validateError": forced error: "on purpose""#],
    );
}

#[test]
fn unknown_links_are_named() {
    check(
        "[]string",
        "+k8s:eachVal=+k8s:maxLenght=3",
        &[r#"tag "k8s:eachVal": unknown tag "k8s:maxLenght""#],
    );
    let deep = "+k8s:alpha=".repeat(40) + "+k8s:immutable";
    let found = field("string", &deep, Profile::Upstream);
    assert!(found.findings()[0].ends_with("too many tags in one chain"));
}

#[test]
fn errors_on_unknown_types_are_not_reported() {
    check(
        "v1.Unheard",
        "+k8s:maxLength=3\n+k8s:listType=set\n+k8s:neq=3",
        &[],
    );
    check("v1.ObjectMeta", "+k8s:subfield(name)=+k8s:format=k8s-uuid", &[]);
    check(
        "[]v1.Unheard",
        "+k8s:listType=map\n+k8s:listMapKey=type\n+k8s:item(type: \"a\")=+k8s:immutable",
        &[],
    );
    check(
        "v1.Unheard",
        "+k8s:dependentRequired(other)\n+k8s:unionMember",
        &[],
    );
    check(
        "v1.Unheard",
        "+k8s:maxLength=true",
        &[r#"tag "k8s:maxLength": tag value has wrong type: got bool, want int"#],
    );
}

#[test]
fn envelopes_name_the_declaration() {
    let upstream = |text: &str| {
        let found = declared(text, "p.org/a", Profile::Upstream);
        found.diagnostics[0].upstream.clone().unwrap_or_default()
    };
    assert_eq!(
        upstream("type T struct {\n// +k8s:enum\nA string `json:\"b\"`\n}"),
        r#"failed to generate validations: field p.org/a.T.b: tag "k8s:enum" cannot be specified on struct fields"#
    );
    assert_eq!(
        upstream("type T struct {\n// +k8s:enum\nA string `json:\"-\"`\n}"),
        r#"failed to generate validations: field p.org/a.T.A: tag "k8s:enum" cannot be specified on struct fields"#
    );
    assert_eq!(
        upstream("type T struct {\n// +k8s:unique=set\nA []string `json:\"b\"`\n}"),
        "failed to generate validations: deferred validation callback failed for field A of type p.org/a.T: listType \
         must be specified - use listType=atomic, listType=set, or listType=map"
    );
    assert_eq!(
        upstream("// +k8s:required\ntype T string"),
        r#"failed to generate validations: p.org/a.T: tag "k8s:required" cannot be specified on type definitions"#
    );
    assert_eq!(
        upstream("// +k8s:unique=set\ntype T []string"),
        "failed to generate validations: listType must be specified - use listType=atomic, listType=set, or listType=map"
    );
    assert_eq!(
        upstream("type T string\n\nconst (\n// +k8s:required\nA T = \"a\"\n)"),
        r#"Error discovering constants: constant p.org/a.A: tag "k8s:required" cannot be specified on constant values"#
    );
}

#[test]
fn spans_cover_the_wrong_part() {
    let marked = |ty: &str, tags: &str| {
        let found = field(ty, tags, Profile::Upstream);
        found.sources.text(found.diagnostics[0].span).to_owned()
    };
    assert_eq!(marked("string", "+k8s:maxLength=-3"), "-3");
    assert_eq!(marked("int32", "+k8s:maxLength=3"), "k8s:maxLength");
    assert_eq!(
        marked("[]int32", "+k8s:eachVal=+k8s:maxLength=3"),
        "k8s:maxLength"
    );
    assert_eq!(marked("Part", "+k8s:subfield(nome)=+k8s:immutable"), "nome");
    assert_eq!(
        marked("Part", r#"+k8s:alpha(since: "x")=+k8s:immutable"#),
        r#"since: "x""#
    );
    assert_eq!(marked("string", "+k8s:maxLength=3x"), "x");
}

#[test]
fn all_errors_are_reported() {
    check(
        "int32",
        "+k8s:maxLength=3\n+k8s:minItems=3\n+k8s:optional",
        &[
            r#"tag "k8s:maxLength": can only be used on string types (int32)"#,
            r#"tag "k8s:minItems": can only be used on list types (int32)"#,
        ],
    );
}
