//! Defaults against the rules of their own field.

use kindsmith_lint::Input;
use kindsmith_tags::Profile;
use kindsmith_testkit::GoPackages;

fn check(ty: &str, tags: &str, expected: &[&str]) {
    let tags: String = tags.split('|').map(|tag| format!("\t// +{tag}\n")).collect();
    let types = format!(
        "// +groupName=example.com\n// +k8s:validation-gen=*\npackage v1\n\ntype Spec struct {{\n{tags}\
         \tF {ty} `json:\"f,omitempty\"`\n}}\n\n// +k8s:enum\ntype Color string\n\nconst Red Color = \"red\"\n"
    );
    let packages = GoPackages::default()
        .module("example.com", "m")
        .profile(Profile::Kep);
    let read = packages.file("m/v1/doc.go", types).read("m/...");
    let input = Input::new(&read.schema, &read.origins).with_source(&read.sources, &read.declarations);
    let found: Vec<String> = kindsmith_lint::lint(input, Vec::new())
        .into_iter()
        .filter(|finding| finding.code() == "default-pattern")
        .map(|finding| finding.message)
        .collect();
    let expected: Vec<String> = expected
        .iter()
        .map(|problem| format!("the default of field `Spec.F` {problem}"))
        .collect();
    assert_eq!(found, expected, "{ty} {tags}");
}

#[test]
fn defaults_satisfy_the_rules_of_their_field() {
    check("*int32", "k8s:default=1|k8s:minimum=1", &[]);
    check(
        "*int32",
        "k8s:default=0|k8s:minimum=1",
        &["is below the minimum 1"],
    );
    check(
        "*int32",
        "k8s:optional|default=0|k8s:minimum=1",
        &["is below the minimum 1"],
    );
    check(
        "string",
        "k8s:default=\"abcd\"|k8s:maxLength=3",
        &["has more than 3 characters"],
    );
    check(
        "string",
        "k8s:default=\"a b\"|k8s:format=k8s-short-name",
        &["is not a valid `k8s-short-name`"],
    );
    check(
        "Color",
        "k8s:default=\"blue\"",
        &["is not a value of the enum `Color`"],
    );
    check("Color", "k8s:default=\"red\"", &[]);
}

#[test]
fn defaults_satisfy_the_rules_of_their_elements() {
    let each = "k8s:eachVal=+k8s:maxLength=3";
    check("[]string", &format!("k8s:default=[\"abc\"]|{each}"), &[]);
    check(
        "[]string",
        &format!("k8s:default=[\"abc\", \"abcd\"]|{each}"),
        &["has an element that has more than 3 characters"],
    );
    check(
        "map[string]string",
        &format!("k8s:default={{\"a\": \"abcd\"}}|{each}"),
        &["has an element that has more than 3 characters"],
    );
    check("[]string", "k8s:default=[\"a\", \"b\"]|k8s:listType=set", &[]);
    check(
        "[]string",
        "k8s:default=[\"a\", \"a\"]|k8s:listType=set",
        &["has an element twice, and the list is a set"],
    );
}
