//! Which stability levels tags may have in which version, and tags that exclude each other.

use crate::linted;
use kindsmith_source::Severity;
use kindsmith_tags::Profile;
use kindsmith_testkit::GoPackages;

/// Errors about a field with these tags, separated by `|`, in a version.
fn found(profile: Profile, version: &str, tags: &str) -> Vec<String> {
    let tags: String = tags.split('|').map(|tag| format!("\t// +{tag}\n")).collect();
    let doc = format!("// +k8s:validation-gen=*\npackage {version}\n");
    let types =
        format!("package {version}\n\ntype T struct {{\n{tags}\tF *string `json:\"f,omitempty\"`\n}}\n");
    let packages = GoPackages::default()
        .module("example.com", "m")
        .profile(profile)
        .file(&format!("m/{version}/doc.go"), doc)
        .file(&format!("m/{version}/types.go"), types);
    linted::findings_as(profile, &packages, "m/...")
        .into_iter()
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| finding.message)
        .collect()
}

#[test]
fn tags_are_as_stable_as_their_version() {
    const ALPHA: &str = "k8s:neq=\"x\"";
    for (profile, version, tag, told) in [
        (Profile::Upstream, "v1", "k8s:maxLength=3", None),
        (
            Profile::Upstream,
            "v1",
            ALPHA,
            Some("neq\" with stability level \"Alpha\" cannot be used in Stable"),
        ),
        (
            Profile::Upstream,
            "v1",
            "k8s:forbidden",
            Some("forbidden\" with stability level \"Beta\" cannot be used in Stable"),
        ),
        (
            Profile::Upstream,
            "v1beta1",
            ALPHA,
            Some("neq\" with stability level \"Alpha\" cannot be used in Beta"),
        ),
        (Profile::Upstream, "v1beta1", "k8s:forbidden", None),
        (Profile::Upstream, "v1alpha1", ALPHA, None),
        (
            Profile::Kep,
            "v1",
            ALPHA,
            Some("neq\" with stability level \"Alpha\" cannot be used in Stable"),
        ),
        (
            Profile::Kep,
            "v1",
            "k8s:forbidden",
            Some("forbidden\" with stability level \"Beta\" cannot be used in Stable"),
        ),
        (Profile::Kep, "v1beta1", ALPHA, None),
        (Profile::Kep, "v1beta1", "k8s:forbidden", None),
        (Profile::Kep, "v1alpha1", ALPHA, None),
        (Profile::Kep, "v1alpha1", "k8s:forbidden", None),
    ] {
        let optional = if tag == "k8s:forbidden" {
            String::new()
        } else {
            "k8s:optional|".to_owned()
        };
        let errors = found(profile, version, &format!("{optional}{tag}"));
        let expected: Vec<String> = told
            .iter()
            .map(|told| format!("tag \"k8s:{told} validation"))
            .collect();
        assert_eq!(errors, expected, "{profile:?} {version} {tag}");
    }
    // A chain is as stable as its least stable tag.
    let chain = found(
        Profile::Upstream,
        "v1",
        "k8s:optional|k8s:ifEnabled(X)=+k8s:neq=\"x\"",
    );
    assert_eq!(
        chain,
        [r#"tag "k8s:neq" with stability level "Alpha" cannot be used in Beta validation"#]
    );
}

#[test]
fn a_field_is_optional_or_required_or_neither() {
    let both = "k8s:optional|k8s:required";
    assert_eq!(
        found(Profile::Upstream, "v1", both),
        Vec::<String>::new(),
        "both rules run"
    );
    assert_eq!(
        found(Profile::Kep, "v1", both),
        ["+k8s:optional and +k8s:required exclude each other"]
    );
    assert_eq!(found(Profile::Kep, "v1", "k8s:maxLength=3"), Vec::<String>::new());
    assert_eq!(
        found(Profile::Upstream, "v1", "k8s:maxLength=3"),
        ["field with validation must have +k8s:optional, +k8s:required or +k8s:forbidden"]
    );
}
