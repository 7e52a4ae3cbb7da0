//! Rules that differ between versions of a type.

use kindsmith_lint::{Config, Input};
use kindsmith_testkit::GoPackages;

fn check(v1: &str, v1beta1: &str, settings: &str, expected: &[&str]) {
    check_all(&[("v1", v1), ("v1beta1", v1beta1)], settings, expected);
}

/// Checks versions of a package by the tags of one field.
fn check_all(versions: &[(&str, &str)], settings: &str, expected: &[&str]) {
    let config = Config::parse(settings).expect("valid settings");
    let mut packages = GoPackages::default().module("example.com", "m");
    for (version, tags) in versions {
        let doc = format!(
            "// +groupName=example.com\n// +k8s:validation-gen=*\n// +k8s:protobuf-gen=package\npackage {version}\n"
        );
        let tags: String = tags.split('|').map(|tag| format!("\t// +{tag}\n")).collect();
        let types = format!(
            "package {version}\n\ntype Spec struct {{\n{tags}\tName *string `json:\"name,omitempty\"`\n}}\n"
        );
        packages = packages.file(&format!("m/{version}/doc.go"), doc);
        packages = packages.file(&format!("m/{version}/types.go"), types);
    }
    let read = packages.read("m/...");
    let input = Input::new(&read.schema, &read.origins);
    let input = input
        .with_source(&read.sources, &read.declarations)
        .with_config(&config);
    let found: Vec<String> = kindsmith_lint::lint(input, Vec::new())
        .into_iter()
        .filter(|finding| finding.code() == "version-drift")
        .map(|finding| finding.message)
        .collect();
    assert_eq!(found, expected, "{versions:?}");
}

#[test]
fn versions_are_compared_field_by_field() {
    check("k8s:optional", "k8s:optional", "", &[]);
    check(
        "k8s:optional|k8s:maxLength=63",
        "k8s:optional",
        "",
        &["field `Spec.Name` lacks `+k8s:maxLength=63`, unlike the other version"],
    );
    check(
        "k8s:optional",
        "k8s:optional|k8s:maxLength=63",
        "",
        &["field `Spec.Name` has `+k8s:maxLength=63`, unlike the other version"],
    );
}

#[test]
fn levels_and_exceptions_do_not_count() {
    check(
        "k8s:optional",
        "k8s:alpha(since: \"1.35\")=+k8s:optional",
        "",
        &[],
    );
    check(
        "k8s:optional|k8s:maxLength=63",
        "k8s:optional",
        "[lint.rules.version-drift]\nexceptions = [\"Spec.Name\"]",
        &[],
    );
}

#[test]
fn the_odd_one_out_of_several_versions_is_named() {
    let rule = "k8s:optional|k8s:maxLength=63";
    check_all(
        &[("v1", rule), ("v1alpha1", "k8s:optional"), ("v1beta1", rule)],
        "",
        &["field `Spec.Name` lacks `+k8s:maxLength=63`, unlike the other versions"],
    );
    check_all(
        &[
            ("v1", "k8s:optional"),
            ("v1alpha1", "k8s:optional"),
            ("v1beta1", rule),
        ],
        "",
        &["field `Spec.Name` has `+k8s:maxLength=63`, unlike the other versions"],
    );
}
