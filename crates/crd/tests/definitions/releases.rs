//! What differs between releases of Kubernetes in CRDs.

use kindsmith_crd::definition::{DefinitionValidation, create};

use super::sample;

/// A CRD whose spec has this schema, as a release sees it.
fn judge(minor: u8, schema: &str) -> DefinitionValidation {
    let version = format!("{{name: v1, served: true, storage: true, schema: {{openAPIV3Schema: {schema}}}}}");
    let definition = sample::definition(&format!("spec: {{versions: [{version}]}}"));
    create(&mut definition.to_internal(), sample::of_release(minor))
}

fn rule(expression: &str) -> String {
    format!(
        r#"{{"type": "object", "properties": {{"a": {{"type": "array", "maxItems": 3, "items": {{"type": "string", "maxLength": 3}},
            "x-kubernetes-validations": [{{"rule": "{expression}"}}]}}}}}}"#
    )
}

#[test]
fn new_rules_may_use_a_library_one_release_after_it_came() {
    for (expression, first) in [
        ("self.distinct() == self", 35),
        ("self.sortBy(x, x) == self", 35),
        ("self.includes('a')", 38),
    ] {
        for minor in 34..=38 {
            let errors = judge(minor, &rule(expression)).errors;
            assert_eq!(
                errors.is_empty(),
                minor >= first,
                "1.{minor} {expression}: {errors:?}"
            );
        }
    }
}

#[test]
fn warnings_came_one_by_one() {
    let warned = |minor, schema: &str| judge(minor, schema).warnings.len();
    let number = r#"{"type": "object", "properties": {"a": {"type": "integer", "format": "odd"}}}"#;
    let text = r#"{"type": "object", "properties": {"a": {"type": "string", "format": "odd"}}}"#;
    let set = r#"{"type": "object", "properties": {"a": {"type": "array", "x-kubernetes-list-type": "set",
        "items": {"type": "object", "x-kubernetes-map-type": "atomic"}}}}"#;
    let counts = |schema: &str| [34, 35, 36, 37, 38].map(|minor| warned(minor, schema));
    assert_eq!(counts(number), [0, 0, 1, 1, 1]);
    assert_eq!(counts(text), [1, 1, 1, 1, 1]);
    assert_eq!(counts(set), [0, 0, 0, 1, 1]);
}
