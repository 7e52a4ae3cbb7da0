//! Markers of openapi-gen: their meaning, and misuse with its messages.

use crate::resource::{check, meaning, resource};
use kindsmith_schema::{CelRule, Facet, Family, ListType, MapType, Wrap};

const VALIDATION: &str = "error[validation-misuse] ";

fn bad(ty: &str, markers: &str, message: &str) {
    check(ty, markers, &[&format!("{VALIDATION}{message}")]);
}

fn rules(ty: &str, markers: &str, facets: &[Facet]) {
    let expected: Vec<_> = facets
        .iter()
        .map(|facet| (Family::OpenApi, &[][..], facet.clone()))
        .collect();
    meaning(ty, markers, &expected);
}

#[test]
fn markers_have_a_meaning() {
    rules("string", "+optional", &[Facet::Optional]);
    rules("string", "+required", &[Facet::Required]);
    meaning(
        "*string",
        "+nullable",
        &[(Family::Kubebuilder, &[], Facet::Nullable)],
    );
    rules(
        "[]Part",
        "+listMapKey=a\n+listType=map",
        &[Facet::ListType(ListType::Map), Facet::ListMapKey("a".into())],
    );
    rules(
        "map[string]string",
        "+mapType=atomic",
        &[Facet::MapType(MapType::Atomic)],
    );
    rules(
        "Part",
        "+structType=granular",
        &[Facet::StructType(MapType::Granular)],
    );
    let extension = |name: &str, value: &str| Facet::Extension {
        name: name.into(),
        value: value.into(),
    };
    rules(
        "string",
        "+k8s:openapi-gen=x-kubernetes-basket:a",
        &[extension("x-kubernetes-basket", "a")],
    );
    rules(
        "string",
        "+validations=a",
        &[extension("x-kubernetes-validations", "a")],
    );
    rules(
        "string",
        "+unionDiscriminator",
        &[Facet::UnionDiscriminator { union: None }],
    );
    rules(
        "string",
        "+unionDeprecated",
        &[Facet::UnionMember {
            union: None,
            member_name: None,
        }],
    );
}

#[test]
fn validations_have_a_meaning() {
    rules("string", "+k8s:validation:maxLength=5", &[Facet::MaxLength(5)]);
    meaning(
        "[]string",
        "+k8s:validation:items:pattern=\"^a\"",
        &[(Family::OpenApi, &[Wrap::EachVal], Facet::Pattern("^a".into()))],
    );
    meaning(
        "Part",
        "+k8s:validation:properties:a:minLength=1",
        &[(
            Family::OpenApi,
            &[Wrap::Subfield("a".into())],
            Facet::MinLength(1),
        )],
    );
    rules(
        "string",
        "+k8s:validation:cel[0]:rule>self\n+k8s:validation:cel[0]:rule>!= ''\n+k8s:validation:cel[0]:message=\"m\"",
        &[Facet::Cel(CelRule {
            rule: "self\n!= ''".into(),
            message: Some("m".into()),
            ..CelRule::default()
        })],
    );
}

#[test]
fn conflicts_are_reported() {
    check(
        "string",
        "+optional\n+required",
        &["error[marker-conflict] member S cannot be both optional and required"],
    );
    check(
        "string",
        "+k8s:openapi-gen=x-kubernetes-a:1\n+k8s:openapi-gen=x-kubernetes-a:2",
        &["error[marker-duplicate] the extension `x-kubernetes-a` is given twice"],
    );
    let patch = |tag: &str, markers: &str, count: usize| {
        let found = resource(&format!("[]string `json:\"s,omitempty\"{tag}`"), markers, "");
        assert_eq!(found.findings().len(), count, "{:?}", found.findings());
        found.diagnostics.first().map(|found| found.message.clone())
    };
    assert_eq!(
        patch(" patchStrategy:\"replace\"", "+patchStrategy=merge", 1).as_deref(),
        Some("Tags in comment and struct should match for member (S) of (example.com/api.Thing)")
    );
    patch(" patchStrategy:\"merge\"", "+patchStrategy=merge", 0);
    patch(" patchStrategy:\"merge\"", "S is a list.", 1);
}

#[test]
fn validations_are_checked() {
    bad(
        "int32",
        "+k8s:validation:maxLength=5",
        "maxLength can only be used on string types",
    );
    bad(
        "string",
        "+k8s:validation:minimum=5",
        "minimum can only be used on numeric types",
    );
    bad(
        "string",
        "+k8s:validation:items:maxLength=1",
        "items can only be used on array types",
    );
    bad(
        "Part",
        "+k8s:validation:minProperties=-1",
        "minProperties cannot be negative",
    );
    bad(
        "int32",
        "+k8s:validation:minimum=5\n+k8s:validation:maximum=1",
        "minimum 5.000000 is greater than maximum 1.000000",
    );
    bad(
        "string",
        "+k8s:validation:pattern=\"[\"",
        "invalid pattern \"[\": error parsing regexp: missing closing ]: `[`",
    );
    bad(
        "string",
        "+k8s:validation:maxLength=\"5\"",
        "json: cannot unmarshal string into Go struct field commentTags.maxLength of type int64",
    );
    bad("int32", "+k8s:validation:multipleOf=0", "multipleOf cannot be 0");
    bad(
        "Part",
        "+k8s:validation:properties:x:minLength=1",
        "property used in comment tag \"x\" not found in struct example.com/api.Part",
    );
    bad(
        "string",
        "+k8s:validation:cel[0]:rule=\"true\"",
        "invalid CEL tag at index 0: message or messageExpression must be set",
    );
    bad(
        "string",
        "+k8s:validation:cel[0]:message=\"m\"",
        "invalid CEL tag at index 0: rule cannot be empty",
    );
    bad(
        "string",
        "+k8s:validation:maxLength=five",
        "failed to parse value for key maxLength as JSON: invalid character 'i' in literal false (expecting 'a')",
    );
    check("[]string", "+k8s:validation:uniqueItems=false", &[]);
    check(
        "string",
        "+k8s:validation:other=1",
        &["warning[unknown-tag] openapi-gen ignores the key `other`"],
    );
}

#[test]
fn unions_are_checked() {
    let union = |members: &str, expected: &[&str]| {
        let rest = format!("// +union\ntype U struct {{\n{members}\n}}");
        let found = resource("U `json:\"s,omitempty\"`", "", &rest);
        assert_eq!(found.findings(), expected, "{members}");
    };
    union(
        "// +unionDiscriminator\n// +optional\nKind string `json:\"kind,omitempty\"`\n// +optional\nA *string `json:\"a,omitempty\"`",
        &[],
    );
    union(
        "A *string `json:\"a\"`",
        &["warning[union-misuse] union members must be optional: example.com/api.U.A"],
    );
    union(
        "// +unionDiscriminator\nKind string `json:\"kind,omitempty\"`\n// +unionDiscriminator\nType string `json:\"type,omitempty\"`",
        &["warning[union-misuse] at least two discriminators found: type and kind"],
    );
}
