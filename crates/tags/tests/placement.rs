//! Unknown, misspelt and misplaced tags, and the switches of generators.

use crate::declared::{PACKAGE, declared, field};
use kindsmith_source::Safety;
use kindsmith_tags::Profile;

fn findings(text: &str) -> Vec<String> {
    declared(text, PACKAGE, Profile::Upstream).findings()
}

#[test]
fn misspelt_tags_are_reported() {
    let found = field(
        "int32",
        "+k8s:minimun=3\n+k8s:nonsense\n+mytool:thing\n+optinal",
        Profile::Upstream,
    );
    assert_eq!(
        found.findings(),
        [
            r#"warning[unknown-tag] unknown tag "k8s:minimun""#,
            r#"warning[unknown-tag] unknown tag "k8s:nonsense""#,
            r#"warning[unknown-tag] unknown tag "optinal""#,
        ]
    );
    assert_eq!(found.diagnostics[0].help, ["did you mean +k8s:minimum?"]);
}

#[test]
fn tags_with_a_blank_after_the_plus_are_reported() {
    let found = field("int32", "+ k8s:minimum=3\n+ more text", Profile::Upstream);
    assert_eq!(
        found.findings(),
        [r#"warning[unknown-tag] "k8s:minimum" is not read as a tag: a blank follows the `+`"#]
    );
    assert_eq!(found.diagnostics[0].help, ["write +k8s:minimum"]);
}

#[test]
fn only_misspelled_names_are_fixed_without_asking() {
    for (line, safe) in [
        ("+k8s:minimmu=3", true),
        ("+K8s:minimum=3", true),
        ("+k8s:minimu=3", true),
        ("+k8s:minimun=3", false),
        ("+kubebuilder:validation:AnyOneOf=a;b", false),
    ] {
        let found = field("int32", line, Profile::Upstream);
        let fix = found.diagnostics.iter().find_map(|finding| finding.fix.as_ref());
        let expected = if safe { Safety::Safe } else { Safety::Unsafe };
        assert_eq!(fix.map(|fix| fix.safety), Some(expected), "{line}");
    }
}

#[test]
fn a_detached_comment_is_not_read() {
    assert_eq!(
        findings("// +k8s:enum\n\n// T is a type.\ntype T string"),
        [r#"warning[detached-tag] "k8s:enum" is not read here: the comment does not touch the declaration"#]
    );
}

#[test]
fn misplaced_tags_name_the_right_place() {
    let text = "type T struct {\n// +k8s:supportsSubresource=\"/x\"\nA string `json:\"a\"`\n}";
    let found = declared(text, PACKAGE, Profile::Upstream);
    assert_eq!(
        found.findings(),
        [r#"warning[misplaced-tag] "k8s:supportsSubresource" has no meaning on struct fields"#]
    );
    assert_eq!(
        found.diagnostics[0].help,
        ["+k8s:supportsSubresource belongs on type definitions"]
    );
    assert_eq!(
        findings("// +k8s:required\npackage a"),
        [r#"warning[misplaced-tag] "k8s:required" has no meaning on packages"#]
    );
}

#[test]
fn tags_of_unexported_fields_are_not_errors() {
    assert_eq!(
        findings("type T struct {\n// +k8s:minItems=3\na string\n}"),
        [r#"warning[tag-misuse] tag "k8s:minItems": can only be used on list types (string)"#]
    );
}

#[test]
fn package_switches() {
    let check = |tags: &[&str], expected: &str| {
        let comments: String = tags.iter().map(|tag| format!("// +{tag}\n")).collect();
        let found = declared(&format!("{comments}package a\n"), "p.org/a", Profile::Upstream);
        let upstream: Vec<&str> = found
            .diagnostics
            .iter()
            .filter_map(|found| found.upstream.as_deref())
            .collect();
        let expected = if expected.is_empty() {
            vec![]
        } else {
            vec![expected]
        };
        assert_eq!(upstream, expected, "{tags:?}");
    };
    check(
        &[
            "k8s:validation-gen=TypesWithField=TypeMeta",
            "k8s:validation-gen=TypesWithSuffix=Spec",
            "k8s:validation-gen-nolint // soon",
            "k8s:validation-gen-input=k8s.io/api/apps/v1",
            "k8s:validation-gen-scheme-registry=nil",
            "k8s:validation-gen-test-fixture=validateFalse",
            "k8s:validation-gen-test-targets",
            "k8s:deepcopy-gen=package",
            "k8s:openapi-gen=true",
        ],
        "",
    );
    check(
        &["k8s:validation-gen"],
        r#"p.org/a: found package tag "k8s:validation-gen" with no value"#,
    );
    check(
        &["k8s:validation-gen=*", "k8s:validation-gen"],
        r#"p.org/a: unknown value for package tag "k8s:validation-gen": """#,
    );
    check(
        &["k8s:validation-gen=TypeMeta"],
        r#"p.org/a: unknown value for package tag "k8s:validation-gen": "TypeMeta""#,
    );
    check(
        &["k8s:validation-gen=TypesWithSuffix="],
        r#"p.org/a: found package tag "k8s:validation-gen=TypesWithSuffix=" with empty value"#,
    );
    check(
        &["k8s:validation-gen=*", "k8s:validation-gen=false"],
        r#"+k8s:validation-gen: cannot mix "false" with other values; got [* false]"#,
    );
    check(
        &["k8s:defaulter-gen=TypeMeta", "k8s:defaulter-gen=false"],
        r#"+k8s:defaulter-gen: cannot mix "false" with other values; got [TypeMeta false]"#,
    );
    check(
        &["k8s:validation-gen-input=../other"],
        r#"+k8s:validation-gen-input: relative path "../other" is not supported; use the full package import path"#,
    );
    check(
        &[
            "k8s:validation-gen-scheme-registry=a.B",
            "k8s:validation-gen-scheme-registry=a.C",
        ],
        r#"panic: Package "p.org/a" contains more than one usage of "k8s:validation-gen-scheme-registry""#,
    );
    check(
        &["k8s:validation-gen-test-fixture=other"],
        r#"panic: Package "p.org/a": k8s:validation-gen-test-fixture must be one of '[validateFalse]', but got: other"#,
    );
}

#[test]
fn type_switches() {
    assert_eq!(
        findings(
            "// +k8s:supportsSubresource=\"/a\"\n// +k8s:deepcopy-gen:interfaces=x.Y\n\n// +k8s:supportsSubresource=\"/b\"\ntype T struct {\n}"
        ),
        Vec::<String>::new()
    );
    assert_eq!(
        findings("// +k8s:isSubresource=\"/a\"\n// +k8s:isSubresource=\"/b\"\ntype T struct {\n}"),
        [r#"error[tag-misuse] Type "example.com/api.T" contains more than one usage of "k8s:isSubresource""#]
    );
}
