//! A resource with one field under test, in a package that all generators read.

use kindsmith_schema::{Facet, Family, Field, Rule, TypeName, Wrap};
use kindsmith_tags::Profile;

use crate::declared::{Declared, PACKAGE, declared};

const DOC: &str = "\
// +k8s:openapi-gen=true
// +k8s:defaulter-gen=TypeMeta
// +groupName=example.org
package v1
";

const TYPES: &str = "
// +kubebuilder:validation:MaxLength=9
type Word string

type Number int32

type Words []string

type Labels map[string]string

type Part struct {
    // +optional
    A string `json:\"a,omitempty\"`
    B *int32 `json:\"b,omitempty\"`
}
";

/// Reads a package with a resource whose field `S` has the declaration `field` and these markers, one per line.
pub(crate) fn resource(field: &str, markers: &str, rest: &str) -> Declared {
    let comments: String = markers
        .lines()
        .map(|line| format!("    // {}\n", line.trim()))
        .collect();
    let text = format!(
        "{DOC}type Thing struct {{\n    metav1.TypeMeta `json:\",inline\"`\n    metav1.ObjectMeta `json:\"metadata,omitempty\"`\n{comments}    S {field}\n}}\n{TYPES}{rest}"
    );
    declared(&text, PACKAGE, Profile::Upstream)
}

/// Compares the findings about a field.
pub(crate) fn check(ty: &str, markers: &str, expected: &[&str]) {
    let field = format!("{ty} `json:\"s,omitempty\"`");
    let found = resource(&field, markers, "");
    assert_eq!(found.findings(), expected, "{ty}: {markers}");
}

/// The field under test.
pub(crate) fn field(found: &Declared) -> &Field {
    let id = found
        .schema
        .find(&TypeName::new(PACKAGE, "Thing"))
        .expect("declared");
    let fields = found.schema.ty(id).fields();
    fields.iter().find(|field| &*field.name == "S").expect("declared")
}

/// Compares the rules of a field's markers; there must be no findings.
pub(crate) fn meaning(ty: &str, markers: &str, expected: &[(Family, &[Wrap], Facet)]) {
    let found = resource(&format!("{ty} `json:\"s,omitempty\"`"), markers, "");
    let expected: Vec<Rule> = expected
        .iter()
        .map(|(family, wraps, facet)| Rule {
            family: *family,
            wraps: wraps.to_vec(),
            facet: facet.clone(),
        })
        .collect();
    assert_eq!(field(&found).rules, expected, "{ty}: {markers}");
    assert_eq!(found.findings(), [""; 0], "{ty}: {markers}");
}
