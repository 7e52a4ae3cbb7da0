//! validation-gen's errors about types of imported packages, one small field per row.

use crate::linted;
use kindsmith_source::Severity;
use kindsmith_testkit::GoPackages;

/// The errors in a package that uses validation-gen and types of an imported package.
fn errors(field: &str, nolint: bool) -> Vec<String> {
    let library = "package q\n// +k8s:maxLength=3\ntype Name string\ntype Any interface{}\ntype Text *string\n\
                   type Part struct {\n\t// +k8s:minLength=3\n\tValue string `json:\"value\"`\n}\ntype Link *Part\n";
    let nolint = if nolint {
        "// +k8s:validation-gen-nolint\n"
    } else {
        ""
    };
    let doc = format!("// +k8s:validation-gen=*\n{nolint}package p\n");
    let types = format!("package p\nimport \"example.com/q\"\ntype T struct {{\n{field}\n}}\n");
    let packages = GoPackages::default()
        .module("example.com", "m")
        .file("m/p/doc.go", doc)
        .file("m/p/types.go", types)
        .file("m/q/types.go", library);
    let mut findings = linted::findings(&packages, "m/p");
    findings.retain(|finding| finding.severity == Severity::Error);
    findings.into_iter().map(|finding| finding.message).collect()
}

#[test]
fn types_of_libraries() {
    const FOREIGN: &str = "is in a non-included package; either add this package to validation-gen's --readonly-pkg flag, or add";
    let rows = [
        ("q.Link", "type example.com/q.Link", "+k8s:opaqueType"),
        ("q.Text", "", ""),
        ("q.Any", "", ""),
        (
            "[]q.Text",
            "value type example.com/q.Text",
            "+k8s:eachVal=+k8s:opaqueType",
        ),
        (
            "[]q.Any",
            "value type example.com/q.Any",
            "+k8s:eachVal=+k8s:opaqueType",
        ),
    ];
    for (ty, what, tag) in rows {
        let expected = if what.is_empty() {
            Vec::new()
        } else {
            vec![format!("{what} {FOREIGN} {tag} to the field to skip validation")]
        };
        assert_eq!(errors(&format!("A {ty} `json:\"a\"`"), true), expected, "{ty}");
    }
}

#[test]
fn rules_in_libraries_are_linted() {
    let field = "\t// +k8s:opaqueType\n\tA q.Part `json:\"a\"`";
    let text = "field with validation must have +k8s:optional, +k8s:required or +k8s:forbidden";
    assert_eq!(errors(field, false), [text]);
    assert_eq!(errors(field, true), Vec::<String>::new());
}
