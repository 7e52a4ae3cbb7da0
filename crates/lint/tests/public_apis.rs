//! What public APIs do on purpose, and what rules said about it although it was right.

use kindsmith_lint::{Config, Input};
use kindsmith_testkit::GoPackages;

/// The codes of all findings in a package of custom resources.
fn check(types: &str, expected: &[&str]) {
    let config = Config::default();
    let packages = GoPackages::default()
        .module("example.com", "m")
        .file(
            "m/v1/doc.go",
            "// +groupName=example.com\n// +k8s:openapi-gen=true\npackage v1\n",
        )
        .file("m/v1/types.go", format!("package v1\n\n{types}"));
    let mut read = packages.read("m/...");
    let diagnostics = std::mem::take(&mut read.diagnostics);
    let input = Input::new(&read.schema, &read.origins);
    let input = input
        .with_source(&read.sources, &read.declarations)
        .with_config(&config);
    let found = kindsmith_lint::lint(input, diagnostics);
    let found: Vec<&str> = found.iter().map(kindsmith_source::Diagnostic::code).collect();
    assert_eq!(found, expected, "{types}");
}

/// Cilium: on the field the marker leaves the field out of comparisons, on the type it leaves out a method.
#[test]
fn switches_of_generators_on_a_field_and_its_type_are_not_repeated() {
    let types = |marker: &str| {
        format!(
            "type Pool struct {{\n\t// status of it.\n\t// {marker}\n\tStatus Status `json:\"status\"`\n}}\n\n\
             // {marker}\ntype Status string\n"
        )
    };
    check(&types("+deepequal-gen=false"), &[]);
    check(
        &types("+kubebuilder:validation:MaxLength=3"),
        &["repeated-marker"],
    );
}

/// Keda: a type is not optional, its fields are.
#[test]
fn optional_fields_of_an_optional_type_are_not_repeated() {
    let field = "\t// +optional\n\tRollout Rollout `json:\"rollout,omitempty\"`\n";
    let types = format!("type Spec struct {{\n{field}}}\n\n// +optional\ntype Rollout string\n");
    check(&types, &[]);
}

/// OpenShift: two addresses of different families, whichever comes first.
#[test]
fn rules_about_two_items_in_either_order_are_not_ordered() {
    let types = |rule: &str| {
        format!(
            "type Spec struct {{\n\t// +listType=set\n\t// +kubebuilder:validation:MaxItems=2\n\
             \t// +kubebuilder:validation:XValidation:rule=\"{rule}\"\n\tIPs []string `json:\"ips\"`\n}}\n"
        )
    };
    check(
        &types("size(self) == 2 ? ip(self[0]).family() != ip(self[1]).family() : true"),
        &[],
    );
    check(
        &types("size(self) == 2 ? self[0] < self[1] : true"),
        &["ordered-rule"],
    );
}

/// Training operator, linted before its modules were downloaded.
#[test]
fn keys_of_a_type_that_was_not_found_may_be_texts() {
    check(
        "import \"example.org/missing\"\n\ntype Spec struct {\n\tLimits map[missing.Name]string `json:\"limits\"`\n}\n",
        &["go-import"],
    );
}
