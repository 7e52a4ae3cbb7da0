//! Tags that KEP-5073 describes but upstream does not implement. What upstream ignores says nothing unless the KEP's
//! profile is used; what upstream rejects keeps its meaning. Both are reported.

use crate::declared::{PACKAGE, declared, field};
use kindsmith_tags::Profile;

/// Compares the findings under upstream's profile, and the rules under both. Rules after `kep: ` are the KEP's alone.
fn check(ty: &str, tags: &str, findings: &[&str], rules: &[&str]) {
    let upstream = field(ty, tags, Profile::Upstream);
    assert_eq!(upstream.findings(), findings, "{tags}");
    let kep = field(ty, tags, Profile::Kep);
    assert_eq!(kep.findings(), Vec::<String>::new(), "{tags}");
    let shared = rules.iter().filter(|rule| !rule.starts_with("kep: "));
    assert_eq!(
        upstream.below("Value "),
        shared.copied().collect::<Vec<_>>(),
        "{tags}"
    );
    let all: Vec<&str> = rules
        .iter()
        .map(|rule| rule.trim_start_matches("kep: "))
        .collect();
    assert_eq!(kep.below("Value "), all, "{tags}");
}

#[test]
fn bounds_from_other_fields() {
    check(
        "int32",
        "+k8s:minimum(constraint: count)",
        &[r#"error[kep-only] tag "k8s:minimum": unrecognized named argument "constraint: \"count\"""#],
        &["minimum=count"],
    );
    check(
        "[]int32",
        "+k8s:eachVal=+k8s:maximum(constraint: part.size)",
        &[
            r#"error[kep-only] tag "k8s:eachVal": tag "k8s:maximum": unrecognized named argument "constraint: \"part.size\"""#,
        ],
        &["eachVal > maximum=part.size"],
    );
}

#[test]
fn a_bound_needs_a_field() {
    for (path, message) in [
        ("nobody", r#"tag "k8s:minimum": no field for JSON name "nobody""#),
        (
            "part.nobody",
            r#"tag "k8s:minimum": no field for JSON name "nobody""#,
        ),
        (
            "part.name",
            r#"tag "k8s:minimum": the constraint is not an integer field"#,
        ),
    ] {
        let found = field(
            "int32",
            &format!("+k8s:minimum(constraint: {path})"),
            Profile::Kep,
        );
        assert_eq!(found.findings(), [format!("error[tag-value] {message}")]);
    }
}

#[test]
fn targets_are_named_on_struct_types() {
    let config = |tag: &str, profile| {
        let text = format!(
            "// +k8s:{tag}\ntype Config struct {{\nEmbedded `json:\",inline\"`\nLow int32 `json:\"low\"`\nValue int32 `json:\"value\"`\n\
             Part Inner `json:\"part\"`\n}}\ntype Inner struct {{\nSize *int64 `json:\"size\"`\nName string `json:\"name\"`\n}}\n\
             type Embedded struct {{\nDeep int32 `json:\"deep\"`\n}}"
        );
        declared(&text, PACKAGE, profile)
    };
    let kep = config("minimum(target: value, constraint: low)", Profile::Kep);
    assert_eq!(kep.findings(), Vec::<String>::new());
    assert_eq!(kep.below("Value "), ["minimum=low"]);
    let below = config(
        "exclusiveMaximum(target: part.size, constraint: low)",
        Profile::Kep,
    );
    assert_eq!(below.below("Part "), ["subfield(size) > maximum=exclusive low"]);
    let upstream = config("maximum(target: value, constraint: low)", Profile::Upstream);
    let told = r#"error[kep-only] tag "k8s:maximum": unrecognized named argument "target: \"value\"""#;
    assert_eq!(upstream.findings()[0], told);
    for (tag, message) in [
        ("minimum(target: nobody)=1", "no field for JSON name \"nobody\""),
        (
            "minimum(target: part.nobody)=1",
            "no field for JSON name \"nobody\"",
        ),
        (
            "minimum(target: deep)=1",
            "\"deep\" is a field of an embedded struct; put the tag there",
        ),
        (
            "minimum(target: part.name)=1",
            "can only be used on integer types (string)",
        ),
    ] {
        let found = config(tag, Profile::Kep).findings();
        assert_eq!(found.len(), 1, "{tag}: {found:?}");
        assert!(found[0].ends_with(message), "{tag}: {found:?}");
    }
    let found = field("int32", "+k8s:minimum(target: count)=1", Profile::Kep);
    let told = "a target can only be named on a struct type; put the tag on the target itself";
    assert!(found.findings()[0].ends_with(told), "{:?}", found.findings());
}

#[test]
fn exclusive_bounds() {
    check(
        "int32",
        "+k8s:exclusiveMinimum=0\n+k8s:exclusiveMaximum=9",
        &[
            r#"warning[kep-only] validation-gen ignores "k8s:exclusiveMinimum""#,
            r#"warning[kep-only] validation-gen ignores "k8s:exclusiveMaximum""#,
        ],
        &["kep: maximum=exclusive 9", "kep: minimum=exclusive 0"],
    );
}

#[test]
fn updates() {
    check(
        "*string",
        "+k8s:update=NoClear",
        &[r#"error[kep-only] tag "k8s:update": unknown +k8s:update constraint: NoClear"#],
        &["update=NoUnset"],
    );
    check(
        "*string",
        "+k8s:update=NoSet,NoModify # both",
        &[
            "error[kep-only] failed to parse tags: unexpected character ',' at position 17: [k8s:update=NoSet,NoModify # both]",
        ],
        &["update=NoSet", "update=NoModify"],
    );
    check(
        "[]Part",
        "+k8s:listType=map\n+k8s:listMapKey=name\n+k8s:item(name: \"a\")=+k8s:update=NoRemoveItem",
        &[
            r#"error[kep-only] tag "k8s:item": tag "k8s:update": +k8s:update=NoRemoveItem does not apply to list values, attach it to the enclosing field"#,
        ],
        &[
            r#"item{"name": "a"} > update=NoRemoveItem"#,
            "listMapKey=name",
            "listType=map",
        ],
    );
}

#[test]
fn forbidden_items() {
    check(
        "[]Part",
        "+k8s:listType=map\n+k8s:listMapKey=name\n+k8s:item(name: \"a\")=+k8s:forbidden",
        &[r#"error[kep-only] tag "k8s:item": tag "k8s:forbidden" cannot be specified on list values"#],
        &[
            r#"item{"name": "a"} > forbidden"#,
            "listMapKey=name",
            "listType=map",
        ],
    );
}

#[test]
fn formats() {
    for name in ["dns-label", "ip"] {
        check(
            "string",
            &format!("+k8s:format={name}"),
            &[&format!(
                "error[kep-only] tag \"k8s:format\": unsupported validation format \"{name}\""
            )],
            &[&format!("format={name}")],
        );
    }
}

#[test]
fn nested_subfields() {
    let text = "type A struct {\n// +k8s:subfield(b)=+k8s:subfield(c)=+k8s:maxLength=3\nValue B `json:\"value\"`\n}\n\
                type B struct {\nB C `json:\"b\"`\n}\ntype C struct {\nC string `json:\"c\"`\n}";
    let upstream = declared(text, PACKAGE, Profile::Upstream);
    assert_eq!(
        upstream.findings(),
        [
            "error[kep-only] tag \"k8s:subfield\": nested +k8s:subfield tags are unsupported; apply validations directly to the nested type instead"
        ]
    );
    assert_eq!(
        upstream.below("Value "),
        ["subfield(b) > subfield(c) > maxLength=3"]
    );
    assert_eq!(
        declared(text, PACKAGE, Profile::Kep).findings(),
        Vec::<String>::new()
    );
}

#[test]
fn virtual_fields() {
    let warnings = [
        r#"warning[kep-only] validation-gen ignores "k8s:union""#,
        r#"warning[kep-only] validation-gen ignores "k8s:listMapItem""#,
    ];
    check(
        "[]Part",
        "+k8s:listType=map\n+k8s:listMapKey=name\n+k8s:union(union: done)\n+k8s:listMapItem(name: \"a\")=+k8s:memberOf(group: done)",
        &warnings,
        &[
            r#"kep: item{"name": "a"} > memberOf(group: done)"#,
            "listMapKey=name",
            "listType=map",
            "kep: union(union: done)",
        ],
    );
}

#[test]
fn conditions() {
    check(
        "string",
        "+k8s:ifSubresource(\"/status\")=+k8s:required\n+k8s:ifNotSubresource(resize)=+k8s:immutable",
        &[
            r#"warning[kep-only] validation-gen ignores "k8s:ifSubresource""#,
            r#"warning[kep-only] validation-gen ignores "k8s:ifNotSubresource""#,
        ],
        &[
            "kep: subresource(!/resize) > immutable",
            "kep: subresource(/status) > required",
        ],
    );
    check(
        "string",
        "+k8s:ifOptionEnabled(X)=+k8s:required\n+k8s:ifOptionDisabled(X)=+k8s:forbidden",
        &[
            r#"warning[kep-only] validation-gen ignores "k8s:ifOptionEnabled""#,
            r#"warning[kep-only] validation-gen ignores "k8s:ifOptionDisabled""#,
        ],
        &["kep: if(!X) > forbidden", "kep: if(X) > required"],
    );
}

#[test]
fn defaults_and_marks() {
    check(
        "int32",
        "+k8s:default=3\n+k8s:declarativeValidationNative",
        &[
            r#"warning[kep-only] validation-gen ignores "k8s:default""#,
            r#"warning[kep-only] validation-gen ignores "k8s:declarativeValidationNative""#,
        ],
        &["kep: default 3", "kep: declarativeValidationNative"],
    );
}

#[test]
fn in_a_chain_upstream_crashes() {
    check(
        "[]int32",
        "+k8s:eachVal=+k8s:exclusiveMinimum=3",
        &[
            r#"error[kep-only] tag "k8s:eachVal": validation-gen does not know "k8s:exclusiveMinimum" and crashes"#,
        ],
        &["eachVal > minimum=exclusive 3"],
    );
}

#[test]
fn errors_in_ignored_lines_are_warnings() {
    let found = field(
        "string",
        "+k8s:ifSubresource(\"/x\")=+k8s:minItems=3",
        Profile::Upstream,
    );
    assert_eq!(
        found.findings(),
        [
            r#"warning[kep-only] validation-gen ignores "k8s:ifSubresource""#,
            r#"warning[tag-misuse] tag "k8s:ifSubresource": tag "k8s:minItems": can only be used on list types (string)"#,
        ]
    );
}

/// Findings under the KEP's profile.
fn refused(ty: &str, tags: &str, findings: &[&str]) {
    assert_eq!(field(ty, tags, Profile::Kep).findings(), findings, "{tags}");
}

#[test]
fn places_that_the_kep_forbids() {
    let found = declared("// +k8s:immutable\ntype A string", PACKAGE, Profile::Kep);
    assert_eq!(
        found.findings(),
        [
            r#"error[tag-value] tag "k8s:immutable": KEP-5073 allows it on fields only, not on type declarations"#
        ]
    );
    let upstream = declared("// +k8s:immutable\ntype A string", PACKAGE, Profile::Upstream);
    assert_eq!(upstream.findings(), Vec::<String>::new());
    for (tag, name) in [("NoSet", "NoSet"), ("NoClear", "NoClear")] {
        refused(
            "map[string]string",
            &format!("+k8s:update={tag}"),
            &[&format!(
                "error[tag-value] tag \"k8s:update\": KEP-5073 does not allow {name} on lists and maps"
            )],
        );
    }
    refused(
        "[]string",
        "+k8s:listType=atomic\n+k8s:update=NoAddItem",
        &[
            "error[tag-misuse] +k8s:update=NoAddItem/+k8s:update=NoRemoveItem require listType=set, listType=map, unique=set, or unique=map to define item identity",
        ],
    );
}

#[test]
fn defaults_by_the_kep_fit_their_type_and_stand_alone() {
    refused(
        "int32",
        "+k8s:default=\"x\"",
        &[r"error[tag-value] the default must be a number, not a string"],
    );
    refused("*int32", "+k8s:default=1 // as long as nobody asks", &[]);
    refused("*string", "+k8s:default=\"http://a // b\"", &[]);
    refused(
        "*int32",
        "+k8s:default=1\n+default=1",
        &["error[tag-value] +default gives the field a default too"],
    );
    for tag in ["k8s:optional", "k8s:required"] {
        refused(
            "*int32",
            &format!("+k8s:default=1\n+{tag}"),
            &[&format!(
                "error[tag-value] +{tag} stands beside it, which KEP-5073 excludes"
            )],
        );
    }
}

#[test]
fn groups_have_a_union_and_members() {
    refused(
        "[]Part",
        "+k8s:listType=map\n+k8s:listMapKey=name\n+k8s:union(union: done)",
        &[r#"error[tag-value] the union "done" has no members"#],
    );
    refused(
        "[]Part",
        "+k8s:listType=map\n+k8s:listMapKey=name\n+k8s:listMapItem(name: \"a\")=+k8s:memberOf(group: done)",
        &[r#"error[tag-value] no +k8s:union declares the group "done""#],
    );
}

#[test]
fn spellings_of_the_kep() {
    let found = field(
        "string",
        "+k8s:ifSubresource('/status')=+k8s:required",
        Profile::Kep,
    );
    assert_eq!(found.findings(), Vec::<String>::new());
    assert_eq!(found.below("Value "), ["subresource(/status) > required"]);
    let found = field(
        "[]Part",
        "+k8s:listType=map\n+k8s:listMapKey=name\n+k8s:union(union: done)\n\
         +k8s:listMapItem(pairs: [[name,\"a\"]])=+k8s:memberOf(group: done)",
        Profile::Kep,
    );
    assert_eq!(found.findings(), Vec::<String>::new());
    assert_eq!(
        found.below("Value ")[0],
        r#"item{"name": "a"} > memberOf(group: done)"#
    );
}

#[test]
fn several_update_words_stand_in_one_tag() {
    let found = field("*string", "+k8s:update=NoModify,NoClear", Profile::Kep);
    assert_eq!(found.below("Value "), ["update=NoModify", "update=NoUnset"]);
}

/// The errors about defaults of declarations.
fn default_errors(text: &str, profile: Profile) -> Vec<String> {
    let found = declared(text, PACKAGE, profile).findings();
    let errors = found
        .into_iter()
        .filter(|text| text.starts_with("error[default-type]"));
    errors.collect()
}

#[test]
fn defaults_that_never_end_are_refused() {
    let endless =
        "error[default-type] the default never ends: the value it sets takes the same default inside";
    for (fields, expected) in [
        ("Next *Tree `json:\"next,omitempty\"`", 0),
        ("// +default={}\nNext *Tree `json:\"next,omitempty\"`", 1),
        (
            "// +default={\"leaf\":{}}\nNext *Tree `json:\"next,omitempty\"`\nLeaf Leaf `json:\"leaf\"`",
            2,
        ),
        ("// +default=[{}]\nList []Tree `json:\"list,omitempty\"`", 1),
        ("// +default=[]\nList []Tree `json:\"list,omitempty\"`", 0),
        (
            "// +default={\"a\":{}}\nMap map[string]Tree `json:\"map,omitempty\"`",
            1,
        ),
    ] {
        let text = format!(
            "type Tree struct {{\n{fields}\n}}\ntype Leaf struct {{\n// +default={{\"next\":{{}}}}\nNext *Tree `json:\"next,omitempty\"`\n}}\n"
        );
        let found = default_errors(&text, Profile::Kep);
        assert_eq!(found, vec![endless; expected], "{fields}");
        assert_eq!(
            default_errors(&text, Profile::Upstream),
            Vec::<String>::new(),
            "{fields}"
        );
    }
    // defaulter-gen gives such a type a function, which would call itself for ever.
    let object = "type Tree struct {\nTypeMeta string `json:\"t\"`\n// +default={}\nNext *Tree `json:\"next,omitempty\"`\n}\n";
    assert_eq!(default_errors(object, Profile::Upstream), [endless]);
}
