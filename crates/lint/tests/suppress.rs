//! Directives that silence findings.

use kindsmith_lint::{Config, Input};
use kindsmith_testkit::GoPackages;

fn check(fields: &str, expected: &[&str]) {
    let config = Config::parse("[lint]\nselect = [\"nofloats\", \"integers\"]").expect("valid settings");
    let packages = GoPackages::default()
        .module("example.com", "m")
        .file("m/v1/doc.go", "// +groupName=example.com\npackage v1\n")
        .file(
            "m/v1/types.go",
            format!("package v1\n\ntype Spec struct {{\n{fields}}}\n"),
        );
    let read = packages.read("m/...");
    let input = Input::new(&read.schema, &read.origins);
    let input = input
        .with_source(&read.sources, &read.declarations)
        .with_config(&config);
    let found = kindsmith_lint::lint(input, Vec::new());
    let found: Vec<&str> = found.iter().map(kindsmith_source::Diagnostic::code).collect();
    assert_eq!(found, expected, "{fields}");
}

const FIELD: &str = "\tRatio float64 `json:\"ratio\"`\n";

#[test]
fn a_directive_silences_the_declaration_below_or_its_own_line() {
    check(FIELD, &["float-field"]);
    check(
        &format!("\t//kindsmith:ignore float-field the device says so\n{FIELD}"),
        &[],
    );
    check(
        &format!("\t//kindsmith:ignore nofloats the device says so\n{FIELD}"),
        &[],
    );
    check(
        &format!(
            "\t// ratio of it.\n\t//kindsmith:ignore float-field,integer-width the device says so\n\t// +optional\n{FIELD}"
        ),
        &[],
    );
    check(
        "\tRatio float64 `json:\"ratio\"` //kindsmith:ignore float-field why not\n",
        &[],
    );
    let other = "\tOther float64 `json:\"other\"`\n";
    check(
        &format!("\t//kindsmith:ignore float-field the device says so\n{FIELD}{other}"),
        &["float-field"],
    );
}

#[test]
fn a_directive_needs_a_code_and_a_reason() {
    check(
        &format!("\t//kindsmith:ignore float-field\n{FIELD}"),
        &["float-field", "ignore-reason"],
    );
    check(
        &format!("\t//kindsmith:ignore\n{FIELD}"),
        &["float-field", "ignore-reason"],
    );
}

#[test]
fn a_directive_without_a_finding_is_told_unless_its_rule_did_not_run() {
    let fine = "\tCount int32 `json:\"count\"`\n";
    check(
        &format!("\t//kindsmith:ignore float-field once\n{fine}"),
        &["unused-ignore"],
    );
    check(&format!("\t//kindsmith:ignore bool-field once\n{fine}"), &[]);
    check(&format!("\t//kindsmith:ignored float-field once\n{fine}"), &[]);
}
