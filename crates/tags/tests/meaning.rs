//! The meaning of `+k8s:` tags in the schema.

use crate::declared::{PACKAGE, declared, field};
use kindsmith_tags::Profile;

/// The rules of a field, as the schema shows them.
fn check(ty: &str, tags: &str, rules: &[&str]) {
    let found = field(ty, tags, Profile::Upstream);
    assert_eq!(found.findings(), Vec::<String>::new(), "{tags}");
    assert_eq!(found.below("Value "), rules, "{tags}");
}

#[test]
fn plain_tags() {
    check(
        "string",
        "+k8s:optional\n+k8s:minLength=1\n+k8s:maxLength=3\n+k8s:maxBytes=9\n+k8s:format=k8s-uuid\n+k8s:neq=\"a\"",
        &[
            "format=k8s-uuid",
            "maxBytes=9",
            "maxLength=3",
            "minLength=1",
            "neq=\"a\"",
            "optional",
        ],
    );
    check(
        "*int32",
        "+k8s:minimum=-1\n+k8s:maximum=5\n+k8s:monotonic\n+k8s:required",
        &["maximum=5", "minimum=-1", "monotonic", "required"],
    );
    check("int8", "+k8s:minimum=-128", &["minimum=-128"]);
    check(
        "[]string",
        "+k8s:minItems=0\n+k8s:maxItems=2",
        &["maxItems=2", "minItems=0"],
    );
    check(
        "map[string]string",
        "+k8s:minProperties=0\n+k8s:maxProperties=2",
        &["maxProperties=2", "minProperties=0"],
    );
    check(
        "*Part",
        "+k8s:immutable\n+k8s:opaqueType\n+k8s:forbidden",
        &["forbidden", "immutable", "opaqueType"],
    );
    check("string", "+k8s:customValidation", &["customValidation"]);
}

#[test]
fn lists() {
    check(
        "[]Part",
        "+k8s:listType=map\n+k8s:listMapKey=size\n+k8s:listMapKey=name\n+k8s:customUnique",
        &[
            "customUnique",
            "listMapKey=size",
            "listMapKey=name",
            "listType=map",
        ],
    );
    check(
        "[]string",
        "+k8s:listType=atomic\n+k8s:unique=set",
        &["listType=atomic", "unique=set"],
    );
}

#[test]
fn wrappers_keep_their_order() {
    check(
        "[]Part",
        "+k8s:listType=map\n+k8s:listMapKey=name\n+k8s:beta(since: \"1.36\")=+k8s:ifEnabled(X)=+k8s:item(name: \"a\")=+k8s:subfield(size)=+k8s:minimum=3",
        &[
            r#"beta(1.36) > if(X) > item{"name": "a"} > subfield(size) > minimum=3"#,
            "listMapKey=name",
            "listType=map",
        ],
    );
    check(
        "map[string]string",
        "+k8s:eachKey=+k8s:ifDisabled(X)=+k8s:maxLength=3\n+k8s:eachVal=+k8s:alpha=+k8s:maxLength=4",
        &["eachKey > if(!X) > maxLength=3", "eachVal > alpha > maxLength=4"],
    );
}

#[test]
fn groups() {
    check(
        "*string",
        "+k8s:unionMember(union: \"u\", memberName: \"m\")\n+k8s:zeroOrOneOfMember\n+k8s:dependentRequired(other)\n+k8s:dependentForbidden(other)",
        &[
            "dependentForbidden=other",
            "dependentRequired=other",
            "unionMember(union: u, memberName: m)",
            "zeroOrOneOfMember",
        ],
    );
    check("string", "+k8s:unionDiscriminator", &["unionDiscriminator"]);
    check(
        "string",
        "+k8s:modeDiscriminator(modality: \"g\")",
        &["modeDiscriminator(modality: g)"],
    );
    let found = declared(
        "type T struct {\n// +k8s:modeDiscriminator\nMode string `json:\"mode\"`\n// +k8s:ifMode(\"A\")=+k8s:required\nValue string `json:\"value\"`\n}",
        PACKAGE,
        Profile::Upstream,
    );
    assert_eq!(found.below("Value "), [r#"mode("A") > required"#]);
}

#[test]
fn updates_stay_one_rule_per_tag() {
    check(
        "*string",
        "+k8s:update=NoUnset\n+k8s:update=NoSet",
        &["update=NoUnset", "update=NoSet"],
    );
}

#[test]
fn enums_record_exclusions() {
    let found = declared(
        "// +k8s:enum\ntype E string\n\nconst (\nA E = \"a\"\n// +k8s:enumExclude\nB E = \"b\"\n// +k8s:ifEnabled(X)=+k8s:enumExclude\n// +k8s:ifDisabled(Y)=+k8s:enumExclude\nC E = \"c\"\n)",
        PACKAGE,
        Profile::Upstream,
    );
    assert_eq!(found.findings(), Vec::<String>::new());
    let dump: Vec<&str> = found
        .dump
        .lines()
        .skip_while(|line| !line.starts_with("type"))
        .take_while(|line| !line.is_empty())
        .collect();
    assert_eq!(
        dump,
        [
            "type example.com/api.E string",
            "    enum",
            "  const A = \"a\"",
            "  const B = \"b\" excluded",
            // Conditions come in the order of tag names.
            "  const C = \"c\" excluded-if(!Y) excluded-if(X)",
        ]
    );
}

#[test]
fn tags_of_one_name_keep_their_order() {
    check(
        "string",
        "+k8s:neq=\"b\"\n+k8s:maxLength=3\n+k8s:neq=\"a\"",
        &["maxLength=3", "neq=\"b\"", "neq=\"a\""],
    );
    let many: String = (0..20).rev().map(|n| format!("+k8s:neq=\"{n:02}\"\n")).collect();
    let rules: Vec<String> = (0..20).rev().map(|n| format!("neq=\"{n:02}\"")).collect();
    check(
        "string",
        &many,
        &rules.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn rules_record_their_origin() {
    let found = field(
        "string",
        "+k8s:optional\n+k8s:maxLength=3 # why",
        Profile::Upstream,
    );
    assert_eq!(found.origins, ["k8s:maxLength=3 # why", "k8s:optional"]);
}

#[test]
fn a_rejected_tag_adds_no_rule() {
    let found = field("string", "+k8s:minItems=3\n+k8s:maxLength=3", Profile::Upstream);
    assert_eq!(found.below("Value "), ["maxLength=3"]);
}
