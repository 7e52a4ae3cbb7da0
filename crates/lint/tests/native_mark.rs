//! `+k8s:declarativeValidationNative`, as KEP-5073 describes it.

use crate::linted;
use kindsmith_source::Severity;
use kindsmith_testkit::GoPackages;

#[test]
fn only_stable_tags_stand_beside_the_native_mark() {
    let found = |package: &str, tag: &str| {
        let packages = GoPackages::default()
            .module("example.com", "m")
            .profile(kindsmith_tags::Profile::Kep);
        let doc = format!("// +k8s:validation-gen=*\npackage {package}\n");
        let types = format!(
            "package {package}\n\ntype T struct {{\n\t// +k8s:declarativeValidationNative\n\t// +k8s:optional\n\t// +{tag}\n\
             \tF *string `json:\"f,omitempty\"`\n}}\n"
        );
        let packages = packages.file(&format!("m/{package}/doc.go"), doc);
        let packages = packages.file(&format!("m/{package}/types.go"), types);
        linted::findings(&packages, "m/...")
            .into_iter()
            .filter(|finding| finding.severity == Severity::Error)
            .map(|finding| finding.message)
            .collect::<Vec<_>>()
    };
    assert_eq!(found("v1", "k8s:maxLength=3"), Vec::<String>::new());
    let beside = |level| {
        format!(
            "tag \"k8s:{}\" with stability level \"{level}\" cannot stand beside \"k8s:declarativeValidationNative\"",
            if level == "Alpha" { "neq" } else { "forbidden" }
        )
    };
    assert_eq!(found("v1", "k8s:neq=\"x\""), [beside("Alpha")]);
    assert_eq!(found("v1", "k8s:forbidden"), [beside("Beta")]);
    assert_eq!(found("v1beta1", "k8s:forbidden"), Vec::<String>::new());
    assert_eq!(found("v1beta1", "k8s:neq=\"x\""), [beside("Alpha")]);
}
