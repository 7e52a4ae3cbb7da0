//! Markers in custom resources that controller-gen rejects, one small field per row, with its messages.

use crate::linted;
use kindsmith_source::{Diagnostic, Severity};
use kindsmith_testkit::GoPackages;

fn findings(source: &str) -> Vec<Diagnostic> {
    let packages = GoPackages::default()
        .module("example.com", "m")
        .file("m/v1/doc.go", "// +groupName=shop.example.org\npackage v1\n")
        .file("m/v1/types.go", source);
    linted::findings(&packages, "m/...")
}

/// A resource with a field `Value` of this type and these comment lines, on the field or the resource.
fn resource(ty: &str, on_field: &str, on_type: &str) -> Vec<Diagnostic> {
    findings(&format!(
        "package v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n{on_type}\ntype Cart struct {{\n\tmetav1.TypeMeta   `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\n{on_field}\n\tValue {ty} `json:\"value,omitempty\"`\n}}\n\ntype Part struct {{\n\tName string `json:\"name\"`\n}}\n\ntype Word string\n"
    ))
}

fn check(what: &str, found: &[Diagnostic], expected: &str) -> Option<String> {
    let errors: Vec<&str> = found
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| finding.message.as_str())
        .collect();
    let right = if expected.is_empty() {
        errors.is_empty()
    } else {
        errors.contains(&expected)
    };
    (!right).then(|| format!("{what}\n  wanted: {expected}\n  found:  {errors:?}\n"))
}

/// Type of the field, its marker, and the error.
const FIELDS: &[(&str, &str, &str)] = &[
    (
        "string",
        "kubebuilder:validation:Maximum=3",
        "must apply maximum to a numeric value, found string",
    ),
    (
        "string",
        "kubebuilder:validation:Minimum=3",
        "must apply minimum to a numeric value, found string",
    ),
    (
        "int32",
        "kubebuilder:validation:Maximum=3.5",
        "cannot apply non-integral maximum validation (3.5) to integer value",
    ),
    (
        "int32",
        "kubebuilder:validation:Minimum=3.5",
        "cannot apply non-integral minimum validation (3.5) to integer value",
    ),
    (
        "string",
        "kubebuilder:validation:ExclusiveMaximum=true",
        "must apply exclusivemaximum to a numeric value, found string",
    ),
    (
        "string",
        "kubebuilder:validation:ExclusiveMinimum=true",
        "must apply exclusiveminimum to a numeric value, found string",
    ),
    (
        "string",
        "kubebuilder:validation:MultipleOf=3",
        "must apply multipleof to a numeric value, found string",
    ),
    (
        "string",
        "kubebuilder:validation:MinProperties=3",
        "must apply minproperties to an object",
    ),
    (
        "string",
        "kubebuilder:validation:MaxProperties=3",
        "must apply maxproperties to an object",
    ),
    (
        "int32",
        "kubebuilder:validation:MaxLength=3",
        "must apply maxlength to a textual value, found type \"integer\"",
    ),
    (
        "int32",
        "kubebuilder:validation:MinLength=3",
        "must apply minlength to a textual value, found type \"integer\"",
    ),
    (
        "int32",
        "kubebuilder:validation:Pattern=`a`",
        "must apply pattern to a textual value, found type \"integer\"",
    ),
    (
        "string",
        "kubebuilder:validation:MaxItems=3",
        "must apply maxitem to an array",
    ),
    (
        "string",
        "kubebuilder:validation:MinItems=3",
        "must apply minitems to an array",
    ),
    (
        "string",
        "kubebuilder:validation:UniqueItems=true",
        "must apply uniqueitems to an array",
    ),
    (
        "string",
        "kubebuilder:validation:items:MaxLength=3",
        "must apply kubebuilder:validation:items:MaxLength to an array value, found string",
    ),
    (
        "string",
        "kubebuilder:validation:XValidation:rule=\"true\",reason=\"Because\"",
        "invalid reason Because, valid values are FieldValueRequired, FieldValueInvalid, FieldValueForbidden and FieldValueDuplicate",
    ),
    (
        "string",
        "listType=set",
        "must apply listType to an array, found string",
    ),
    (
        "[]string",
        "listType=bag",
        "ListType must be either \"map\", \"set\" or \"atomic\"",
    ),
    (
        "string",
        "listMapKey=name",
        "must apply listMapKey to an array, found string",
    ),
    (
        "[]Part",
        "listMapKey=name",
        "must apply listMapKey to an associative-list",
    ),
    ("string", "mapType=atomic", "must apply mapType to an object"),
    (
        "map[string]string",
        "mapType=odd",
        "MapType must be either \"granular\" or \"atomic\"",
    ),
    (
        "string",
        "structType=atomic",
        "must apply structType to an object; either explicitly set or defaulted through an empty schema type",
    ),
    (
        "Part",
        "structType=odd",
        "StructType must be either \"granular\" or \"atomic\"",
    ),
    ("Word", "k8s:enum", "k8s:enum must be set on a type, not a field"),
    ("string", "kubebuilder:title=3", "expected string, got int"),
    ("string", "kubebuilder:validation:MaxLength=3", ""),
    ("Word", "kubebuilder:validation:MaxLength=3", ""),
    ("[]string", "kubebuilder:validation:items:MaxLength=3", ""),
];

#[test]
fn fields() {
    let rows = FIELDS.iter().filter_map(|(ty, marker, expected)| {
        let found = resource(ty, &format!("\t// +{marker}"), "// +kubebuilder:object:root=true");
        check(&format!("{ty} +{marker}"), &found, expected)
    });
    let wrong: String = rows.collect();
    assert!(wrong.is_empty(), "not as controller-gen:\n{wrong}");
}

/// Markers of the resource, and the error.
const TYPES: &[(&str, &str)] = &[
    (
        "kubebuilder:validation:AtMostOneOf=value.name",
        "kubebuilder:validation:AtMostOneOf: cannot reference nested fields: value.name",
    ),
    (
        "kubebuilder:metadata:annotations=\"x\"",
        "annotation x is not in 'xxx=xxx' format",
    ),
    ("kubebuilder:subresource:status", ""),
];

#[test]
fn types() {
    let rows = TYPES.iter().filter_map(|(marker, expected)| {
        let found = resource(
            "string",
            "",
            &format!("// +kubebuilder:object:root=true\n// +{marker}"),
        );
        check(marker, &found, expected)
    });
    let wrong: String = rows.collect();
    assert!(wrong.is_empty(), "not as controller-gen:\n{wrong}");
}

#[test]
fn markers_in_block_comments_are_not_seen() {
    let found = resource(
        "string",
        "\t/* +kubebuilder:validation:Maximum=3 */",
        "// +kubebuilder:object:root=true",
    );
    let messages: Vec<_> = found
        .iter()
        .map(|finding| (finding.severity, finding.message.as_str()))
        .collect();
    let text = "controller-gen does not see \"kubebuilder:validation:Maximum\" in a `/* */` comment";
    assert_eq!(messages, [(Severity::Warning, text)]);
}

#[test]
fn shapes() {
    let float = resource("float64", "", "// +kubebuilder:object:root=true");
    let severities: Vec<_> = float
        .iter()
        .map(|finding| (finding.severity, finding.code()))
        .collect();
    assert_eq!(severities, [(Severity::Note, "crd-float")]);
    let rows = [
        (
            "time.Time",
            "encountered struct field \"wall\" without JSON tag in type \"Time\"",
        ),
        (
            "map[int]string",
            "map keys must be strings or implement encoding.TextMarshaler, not int",
        ),
    ];
    for (ty, expected) in rows {
        let found = findings(&format!(
            "package v1\n\nimport (\n\t\"time\"\n\n\tmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n)\n\nvar _ time.Time\n\n// +kubebuilder:object:root=true\ntype Cart struct {{\n\tmetav1.TypeMeta   `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\n\tValue {ty} `json:\"value\"`\n}}\n"
        ));
        assert_eq!(check(ty, &found, expected), None);
    }
}
