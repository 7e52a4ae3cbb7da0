//! Errors that appear only when several `+k8s:` tags are combined.

use crate::declared::{check, check_type, compare, declared};
use kindsmith_tags::Profile;

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn lists() {
    const MAP: &str = "+k8s:listType=map\n+k8s:listMapKey=name";
    check("[]Part", MAP, &[]);
    check("[]*Part", MAP, &[]);
    check("[]string", "+k8s:listType=atomic\n+k8s:unique=set", &[]);
    check(
        "[]Part",
        "+k8s:listType=atomic\n+k8s:unique=map\n+k8s:listMapKey=on",
        &[],
    );
    check("[]string", "+k8s:listType=set\n+k8s:customUnique", &[]);
    check("[]Part", "+k8s:listMapKey=name", &[]);
    for tag in ["listType=set", "unique=set", "customUnique"] {
        let name = tag.split('=').next().unwrap_or_default();
        let message = format!("tag \"k8s:{name}\": can only be used on list types (Map)");
        check("map[string]string", &format!("+k8s:{tag}"), &[&message]);
    }
    for (ty, tags, message) in [
        (
            "[]string",
            "+k8s:listType=bag",
            r#"tag "k8s:listType": unknown list type "bag""#,
        ),
        (
            "[]string",
            "+k8s:unique=bag",
            r#"tag "k8s:unique": unknown unique type "bag""#,
        ),
        (
            "[]string",
            "+k8s:listType=set\n+k8s:listType=atomic",
            r#"tag "k8s:listType": listType cannot be specified more than once"#,
        ),
        (
            "[]string",
            "+k8s:listType=atomic\n+k8s:unique=set\n+k8s:unique=set",
            r#"tag "k8s:unique": unique tag cannot be specified more than once"#,
        ),
        (
            "[]string",
            "+k8s:listType=set\n+k8s:unique=set",
            r#"tag "k8s:unique": unique tag may not be used with listType=set or listType=map"#,
        ),
        (
            "[]string",
            "+k8s:alpha=+k8s:unique=set\n+k8s:listType=set",
            r#"tag "k8s:listType": unique tag is redundant for listType="set""#,
        ),
        (
            "[]string",
            "+k8s:listType=map",
            r#"tag "k8s:listType": only lists of structs can be list-maps"#,
        ),
        (
            "[]Part",
            "+k8s:listType=map\n+k8s:listMapKey=nome",
            r#"tag "k8s:listMapKey": no field for JSON name "nome""#,
        ),
        (
            "[]Part",
            "+k8s:listType=map\n+k8s:listMapKey=tags",
            r#"tag "k8s:listMapKey": only primitive types and pointers to primitive types can be list-map keys, not []string"#,
        ),
        (
            "[]Part",
            "+k8s:listType=set\n+k8s:listMapKey=name",
            "found listMapKey without listType=map or unique=map",
        ),
        (
            "[]Part",
            "+k8s:listType=map",
            "found listType=map or unique=map without listMapKey",
        ),
        (
            "[]string",
            "+k8s:unique=set",
            "listType must be specified - use listType=atomic, listType=set, or listType=map",
        ),
    ] {
        check(ty, tags, &[message]);
    }
    check_type(
        "[]Part",
        "+k8s:listType=map",
        &["found listType=map or unique=map without listMapKey"],
    );
    let both = declared(
        "// +k8s:listType=set\ntype Names []string\n\ntype T struct {\n// +k8s:listType=set\nNames Names `json:\"names\"`\n}",
        "p.org/a",
        Profile::Upstream,
    );
    compare(
        &both,
        &["found list metadata for both a field and its type: p.org/a.T.names"],
        "both",
    );
}

#[test]
fn items() {
    const MAP: &str = "+k8s:listType=map\n+k8s:listMapKey=name\n";
    let with = |tag: &str| format!("{MAP}{tag}");
    check("[]Part", &with(r#"+k8s:item(name: "a")=+k8s:immutable"#), &[]);
    check(
        "[]Part",
        "+k8s:listType=map\n+k8s:listMapKey=size\n+k8s:listMapKey=on\n+k8s:item(on: true, size: 3)=+k8s:immutable",
        &[],
    );
    for (ty, tags, message) in [
        (
            "string",
            "+k8s:item(a: 1)=+k8s:immutable".to_owned(),
            r#"tag "k8s:item": can only be used on list types"#,
        ),
        (
            "[]string",
            "+k8s:item(a: 1)=+k8s:immutable".to_owned(),
            r#"tag "k8s:item": can only be used on lists of structs"#,
        ),
        (
            "[]Part",
            with("+k8s:item(a)=+k8s:immutable"),
            r#"tag "k8s:item": all arguments must be named"#,
        ),
        (
            "[]Part",
            with("+k8s:item()=+k8s:immutable"),
            r#"tag "k8s:item": no selection criteria was specified"#,
        ),
        (
            "[]Part",
            with("+k8s:item(name: 1, name: 2)=+k8s:immutable"),
            r#"tag "k8s:item": duplicate argument: "name""#,
        ),
        (
            "[]Part",
            with("+k8s:item(name: 01)=+k8s:immutable"),
            r#"tag "k8s:item": invalid value for argument "name": invalid integer: "01" is not a valid int value"#,
        ),
        (
            "[]Part",
            r#"+k8s:item(name: "a")=+k8s:immutable"#.to_owned(),
            "found items with no list metadata - item tags require listType=map or unique=map with listMapKey",
        ),
        (
            "[]Part",
            with(r#"+k8s:item(name: "a", size: 3)=+k8s:immutable"#),
            "number of arguments (2) does not match number of listMapKey fields (1)",
        ),
        (
            "[]Part",
            with("+k8s:item(size: 3)=+k8s:immutable"),
            "missing required listMapKey fields: [name]",
        ),
        (
            "[]Part",
            with("+k8s:item(name: 3)=+k8s:immutable"),
            "type mismatch, field is string but value is not: 3",
        ),
        (
            "[]Part",
            with(r#"+k8s:item(name: "a")=+k8s:unionMember"#)
                + "\n"
                + r#"+k8s:item(name: "a")=+k8s:unionMember"#,
            r#"tag "k8s:item": tag "k8s:unionMember": list-item union member "value[{\"name\": \"a\"}]" already exists"#,
        ),
        (
            "[]Part",
            with("+k8s:item(name: a)=+k8s:update=NoRemoveItem"),
            r#"tag "k8s:item": tag "k8s:update": +k8s:update=NoRemoveItem does not apply to list values, attach it to the enclosing field"#,
        ),
        (
            "[]Part",
            "+k8s:listType=map\n+k8s:listMapKey=size\n+k8s:item(size: 3)=+k8s:zeroOrOneOfMember".to_owned(),
            "type mismatch, field is int but value is not: 3",
        ),
    ] {
        check(ty, &tags, &[message]);
    }
}

#[test]
fn subfields() {
    check("Part", "+k8s:subfield(name)=+k8s:required", &[]);
    check("*Part", "+k8s:subfield(tags)=+k8s:eachVal=+k8s:maxLength=3", &[]);
    check(
        "map[string]string",
        "+k8s:subfield(name)=+k8s:required",
        &[r#"tag "k8s:subfield": can only be used on struct types: Map"#],
    );
    check(
        "Part",
        "+k8s:subfield(nome)=+k8s:required",
        &[r#"tag "k8s:subfield": no field for json name "nome""#],
    );
}

#[test]
fn subfields_know_the_list_tags_of_the_member() {
    let text = |opaque: &str| {
        format!(
            "type Outer struct {{\n// +k8s:subfield(parts)=+k8s:item(name: \"a\")=+k8s:immutable\n{opaque}Inner Inner `json:\"inner\"`\n}}\n\
             type Inner struct {{\n// +k8s:listType=map\n// +k8s:listMapKey=name\nParts []Part `json:\"parts\"`\n}}\n\
             type Part struct {{\nName string `json:\"name\"`\n}}\n"
        )
    };
    compare(&declared(&text(""), "p.org/a", Profile::Upstream), &[], "known");
    compare(
        &declared(&text("// +k8s:opaqueType\n"), "p.org/a", Profile::Upstream),
        &["found items with no list metadata - item tags require listType=map or unique=map with listMapKey"],
        "opaque",
    );
}

#[test]
fn subfields_do_not_repeat_the_errors_of_the_member() {
    let text = |opaque: &str| {
        format!(
            "type Outer struct {{\n// +k8s:subfield(names)=+k8s:listType=set\n{opaque}Inner Inner `json:\"inner\"`\n}}\n\
             type Inner struct {{\n// +k8s:listType=set\nNames []string `json:\"names\"`\n}}\n"
        )
    };
    compare(
        &declared(&text(""), "p.org/a", Profile::Upstream),
        &[r#"tag "k8s:listType": listType cannot be specified more than once"#],
        "again",
    );
    compare(
        &declared(&text("// +k8s:opaqueType\n"), "p.org/a", Profile::Upstream),
        &[],
        "opaque",
    );
}

#[test]
fn unions() {
    for tag in ["unionMember", "zeroOrOneOfMember"] {
        check("*Part", &format!("+k8s:{tag}"), &[]);
        check("int32", &format!("+k8s:{tag}"), &[]);
        let message = format!("tag \"k8s:{tag}\": can only be used on nilable and primitive types (Struct)");
        check("Part", &format!("+k8s:{tag}"), &[&message]);
        let message = format!(
            "tag \"k8s:{tag}\": validation-gen writes Go code that cannot be formatted for fields of type example.com/api.Name"
        );
        check("Name", &format!("+k8s:{tag}"), &[&message]);
        let message = format!(
            "tag \"k8s:eachVal\": tag \"k8s:{tag}\": a union cannot have all items of a list as one member"
        );
        check("[]string", &format!("+k8s:eachVal=+k8s:{tag}"), &[&message]);
    }
    let unnamed = declared(
        "type T struct {\n// +k8s:unionMember\nValue *string `json:\"-\"`\n}",
        "p.org/a",
        Profile::Upstream,
    );
    compare(
        &unnamed,
        &[r#"tag "k8s:unionMember": field "Value *string" is a union member but has no JSON name"#],
        "no name",
    );
    check("Name", "+k8s:unionDiscriminator", &[]);
    check(
        "int32",
        "+k8s:unionDiscriminator",
        &[r#"tag "k8s:unionDiscriminator": can only be used on string types (int32)"#],
    );
    check(
        "[]string",
        "+k8s:eachVal=+k8s:unionDiscriminator",
        &[
            r#"tag "k8s:eachVal": tag "k8s:unionDiscriminator": elements of a list cannot be the discriminator of a union"#,
        ],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn modes() {
    let modes = |discriminator: &str, ty: &str, member: &str, member_ty: &str| {
        let text = format!(
            "type T struct {{\n// {discriminator}\nMode {ty} `json:\"mode\"`\n// {member}\nValue {member_ty} `json:\"value\"`\n}}\ntype Part struct {{\n}}\n"
        );
        declared(&text, "p.org/a", Profile::Upstream)
    };
    for (discriminator, ty, member, member_ty, message) in [
        (
            "+k8s:modeDiscriminator",
            "string",
            r#"+k8s:ifMode("A")=+k8s:required"#,
            "string",
            "",
        ),
        (
            r#"+k8s:modeDiscriminator(modality: "g")"#,
            "bool",
            r#"+k8s:ifMode(modality: "g", mode: "true")=+k8s:required"#,
            "string",
            "",
        ),
        (
            "+k8s:modeDiscriminator",
            "*string",
            "-",
            "string",
            r#"tag "k8s:modeDiscriminator": can only be used on non-pointer types"#,
        ),
        (
            "+k8s:modeDiscriminator",
            "int32",
            "-",
            "string",
            r#"tag "k8s:modeDiscriminator": can only be used on string or bool types (int32)"#,
        ),
        (
            r#"+k8s:modeDiscriminator(modality: "default")"#,
            "string",
            "-",
            "string",
            r#"tag "k8s:modeDiscriminator": discriminator group name "default" is reserved"#,
        ),
        (
            r#"+k8s:modeDiscriminator(modality: "a-b")"#,
            "string",
            "-",
            "string",
            r#"tag "k8s:modeDiscriminator": discriminator group name must match ^[a-zA-Z][a-zA-Z0-9_]*$, got "a-b""#,
        ),
        (
            "+k8s:modeDiscriminator",
            "string",
            "+k8s:modeDiscriminator",
            "string",
            r#"tag "k8s:modeDiscriminator": duplicate discriminator: """#,
        ),
        (
            "+k8s:modeDiscriminator",
            "string",
            "+k8s:ifMode=+k8s:required",
            "string",
            r#"tag "k8s:ifMode": missing required mode"#,
        ),
        (
            "+k8s:modeDiscriminator",
            "string",
            r#"+k8s:ifMode(modality: "default", mode: "A")=+k8s:required"#,
            "string",
            r#"tag "k8s:ifMode": discriminator group name "default" is reserved"#,
        ),
        (
            "-",
            "string",
            r#"+k8s:ifMode("A")=+k8s:required"#,
            "string",
            "missing discriminator",
        ),
        (
            "+k8s:modeDiscriminator",
            "string",
            r#"+k8s:ifMode(modality: "g", mode: "A")=+k8s:required"#,
            "string",
            r#"missing discriminator for group "g""#,
        ),
        (
            "+k8s:modeDiscriminator",
            "bool",
            r#"+k8s:ifMode("yes")=+k8s:required"#,
            "string",
            r#"invalid discriminator value "yes": cannot parse "yes" as bool: "yes" is not a valid bool value"#,
        ),
        (
            "+k8s:modeDiscriminator",
            "string",
            r#"+k8s:ifMode("A")=+k8s:immutable"#,
            "Part",
            "discriminated member fields of struct type must be pointers",
        ),
    ] {
        let found = modes(discriminator, ty, member, member_ty);
        let expected: &[&str] = if message.is_empty() { &[] } else { &[message] };
        compare(&found, expected, &format!("{discriminator} {member}"));
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn updates() {
    check("string", "+k8s:update=NoSet\n+k8s:update=NoModify", &[]);
    check("map[string]string", "+k8s:update=NoAddItem", &[]);
    check(
        "[]string",
        "+k8s:listType=set\n+k8s:update=NoAddItem\n+k8s:update=NoRemoveItem",
        &[],
    );
    check(
        "[]string",
        "+k8s:listType=set\n+k8s:eachVal=+k8s:update=NoModify",
        &[],
    );
    let message = |rest: &str| format!("tag \"k8s:update\": {rest}");
    for (ty, tag, rest) in [
        (
            "string",
            "+k8s:update=Never",
            "unknown +k8s:update constraint: Never",
        ),
        ("string", "+k8s:update", "unknown +k8s:update constraint: "),
        (
            "string",
            "+k8s:update=NoAddItem",
            "+k8s:update=NoAddItem can only be used on list or map fields",
        ),
        (
            "map[string]string",
            "+k8s:update=NoModify",
            "+k8s:update=NoModify is not supported on list or map fields, use +k8s:eachVal=+k8s:update=NoModify for per-item immutability",
        ),
        (
            "Part",
            "+k8s:update=NoSet",
            "+k8s:update=NoSet cannot be used on non-pointer struct fields (they cannot be unset)",
        ),
    ] {
        check(ty, tag, &[&message(rest)]);
    }
    const WHAT: &str = "+k8s:update=NoAddItem/+k8s:update=NoRemoveItem require";
    check(
        "[]string",
        "+k8s:update=NoAddItem",
        &[&format!(
            "{WHAT} list metadata (+k8s:listType with listMapKey, or +k8s:unique) to determine item identity"
        )],
    );
    check(
        "[]string",
        "+k8s:listType=atomic\n+k8s:update=NoAddItem",
        &[&format!(
            "{WHAT} listType=set, listType=map, unique=set, or unique=map to define item identity"
        )],
    );
    check(
        "[]Part",
        "+k8s:listType=map\n+k8s:update=NoAddItem",
        &[
            &format!("{WHAT} listMapKey to be set for listType=map"),
            "found listType=map or unique=map without listMapKey",
        ],
    );
    check(
        "map[string]string",
        "+k8s:eachVal=+k8s:update=NoAddItem",
        &[
            r#"tag "k8s:eachVal": tag "k8s:update": +k8s:update=NoAddItem does not apply to map values, attach it to the enclosing field"#,
        ],
    );
    check(
        "map[string]Names",
        "+k8s:eachVal=+k8s:update=NoModify",
        &[
            r#"tag "k8s:eachVal": tag "k8s:update": +k8s:update=NoModify cannot be applied to list/map elements that are themselves lists or maps"#,
        ],
    );
    check(
        "[]string",
        "+k8s:alpha=+k8s:listType=set\n+k8s:eachVal=+k8s:update=NoModify",
        &[
            r#"tag "k8s:eachVal": tag "k8s:update": +k8s:eachVal=+k8s:update=NoModify requires the enclosing list to use listType=map or unique=map (got set)"#,
        ],
    );
}

#[test]
fn dependents() {
    for tag in ["dependentRequired", "dependentForbidden"] {
        let message = |rest: &str| format!("tag \"k8s:{tag}\": {rest}");
        check("[]string", &format!("+k8s:{tag}(\"other\")"), &[]);
        for (ty, name, rest) in [
            ("string", "nobody", r#"no sibling field with JSON name "nobody""#),
            (
                "string",
                "value",
                r#"trigger and dependent field must be different (both are "value")"#,
            ),
            (
                "Part",
                "other",
                r#"trigger field "Value" has unsupported type kind Struct"#,
            ),
            (
                "string",
                "part",
                r#"dependent field "Part" has unsupported type kind Struct"#,
            ),
        ] {
            check(ty, &format!("+k8s:{tag}(\"{name}\")"), &[&message(rest)]);
        }
    }
    let unnamed = declared(
        "type T struct {\n// +k8s:dependentRequired(b)\nA *string `json:\"-\"`\nB *string `json:\"b\"`\n}",
        "p.org/a",
        Profile::Upstream,
    );
    compare(
        &unnamed,
        &[r#"tag "k8s:dependentRequired": trigger field "A" has no JSON name"#],
        "no name",
    );
}
