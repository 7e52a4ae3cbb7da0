//! The rules that CRDs have for Kubernetes' types: those that code over k8s-openapi's structs repeats.

use std::fmt::Write;
use std::path::Path;

use kindsmith::rust::kubernetes_schemas;
use kindsmith_schema::{Items, JsonSchema, SchemaOrBool};

/// All rules of a schema and of what is below, one a line; defaults and the forms of values are no rules.
fn rules(path: &str, schema: &JsonSchema, found: &mut String) {
    let mut add = |rule: String| writeln!(found, "{path} {rule}").expect("text");
    if let Some(limit) = schema.min_length {
        add(format!("minLength {limit}"));
    }
    if let Some(limit) = schema.max_length {
        add(format!("maxLength {limit}"));
    }
    if let Some(limit) = schema.minimum {
        add(format!("minimum {limit}"));
    }
    if let Some(limit) = schema.maximum {
        add(format!("maximum {limit}"));
    }
    if let Some(limit) = schema.min_items {
        add(format!("minItems {limit}"));
    }
    if let Some(limit) = schema.max_items {
        add(format!("maxItems {limit}"));
    }
    if !schema.pattern.is_empty() {
        add(format!("pattern {}", schema.pattern));
    }
    for value in &schema.enum_values {
        add(format!("enum {}", value.as_str()));
    }
    if let Some(list_type) = schema
        .list_type
        .as_deref()
        .filter(|list_type| *list_type != "atomic")
    {
        add(format!(
            "list of type {list_type} {:?}",
            schema.list_map_keys.to_vec()
        ));
    }
    let is_known_form = matches!(&*schema.format, "" | "int32" | "int64" | "byte" | "date-time");
    if !is_known_form {
        add(format!("format {}", schema.format));
    }
    for rule in &schema.validations {
        add(format!("rule {}", rule.rule));
    }
    let others = JsonSchema {
        min_properties: schema.min_properties,
        max_properties: schema.max_properties,
        multiple_of: schema.multiple_of,
        unique_items: schema.unique_items,
        all_of: schema.all_of.clone(),
        one_of: schema.one_of.clone(),
        not: schema.not.clone(),
        ..JsonSchema::default()
    };
    if others != JsonSchema::default() || (!schema.any_of.is_empty() && !schema.int_or_string) {
        add("another rule".to_owned());
    }
    for (name, property) in &schema.properties {
        rules(&format!("{path}.{name}"), property, found);
    }
    if let Some(Items::Each(items)) = schema.items.as_deref() {
        rules(&format!("{path}[]"), items, found);
    }
    if let Some(SchemaOrBool::Schema(values)) = schema.additional_properties.as_deref() {
        rules(&format!("{path}{{}}"), values, found);
    }
}

/// A new rule needs code in `src/rust/kubernetes/rules.rs`; then `UPDATE=1` writes the list.
#[test]
fn all_rules_of_kubernetes_types_are_known() {
    let mut found = String::new();
    for (path, schema) in kubernetes_schemas() {
        rules(&path["k8s_openapi::".len()..], &schema, &mut found);
    }
    assert!(
        found.contains("meta::v1::Condition.reason minLength 1"),
        "{found}"
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kubernetes_rules.txt");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &found).expect("it can be written");
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(known == found, "{} is stale", path.display());
}

/// Only types that are called so in `src/rust/kubernetes_types.rs` have rules.
#[test]
fn types_that_are_called_free_have_no_rules() {
    let source = include_str!("../src/rust/kubernetes_types.rs");
    let blocks = source.split("$each!").filter(|block| block.contains(", free:"));
    let free: Vec<&str> = blocks
        .filter_map(|block| block.split(", free:").nth(1))
        .filter_map(|names| names.split('}').next())
        .flat_map(str::split_whitespace)
        .collect();
    assert!(free.contains(&"LabelSelector"));
    let schemas = kubernetes_schemas();
    for name in free {
        let of = |(path, _): &&(String, JsonSchema)| path.rsplit("::").next() == Some(name);
        let (path, schema) = schemas.iter().find(of).unwrap_or_else(|| panic!("{name}"));
        let mut found = String::new();
        rules(path, schema, &mut found);
        assert_eq!(found, "");
    }
}

/// Whatever tags the types around it have.
#[test]
fn a_type_of_kubernetes_has_the_schema_that_crds_give_it() {
    #[derive(kindsmith_derive::Resource)]
    #[k8s(group = "park.example.org", version = "v1", kind = "Gate")]
    struct GateSpec {
        #[k8s(max_bytes = 63)]
        name: String,
        #[k8s(go_type = "k8s.io/api/core/v1.PreferredSchedulingTerm")]
        near: Option<serde_json::Value>,
    }

    let crd = kindsmith::crd::<GateSpec>().unwrap_or_else(|error| panic!("{error}"));
    let required = "                required:\n                - preference\n                - weight\n";
    assert!(crd.contains(required) && !crd.contains("default"), "{crd}");
}

#[test]
fn a_marker_that_does_not_fit_is_told() {
    #[derive(kindsmith_derive::Resource)]
    #[k8s(group = "park.example.org", version = "v1", kind = "Gate")]
    struct GateSpec {
        #[k8s(max_bytes = 63)]
        name: String,
        #[k8s(
            pattern = "^[0-9]+(cm|m)?$",
            go_type = "k8s.io/apimachinery/pkg/util/intstr.IntOrString"
        )]
        width: Option<serde_json::Value>,
    }

    let error = kindsmith::crd::<GateSpec>().expect_err("the pattern would be lost");
    assert_eq!(
        error.to_string(),
        "GateSpec.width: must apply pattern to a textual value, found type \"\""
    );
}
