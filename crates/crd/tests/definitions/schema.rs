//! Rules for schemas, one small case each.

use std::sync::Arc;

use kindsmith_openapi::crd::Validation;
use kindsmith_schema::JsonSchema;

use super::sample::{expect, judge_create, with_schema};

#[track_caller]
fn check(schema: &str, expected: &[&str]) {
    expect(&judge_create(&with_schema(schema)), expected, schema);
}

/// A property `a` of an object at the root.
#[track_caller]
fn property(schema: &str, expected: &[&str]) {
    let expected: Vec<String> = expected
        .iter()
        .map(|text| match text.strip_prefix('A') {
            Some(rest) if rest.starts_with(['.', ':']) => format!("P.properties[a]{rest}"),
            _ => (*text).to_owned(),
        })
        .collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    check(&format!("type: object\nproperties:\n  a: {schema}"), &expected);
}

#[test]
fn types_are_required() {
    check("{}", &["P.type: Required value: must not be empty at the root"]);
    check(
        "type: string",
        &[r#"P.type: Invalid value: "string": must be object at the root"#],
    );
    property(
        "{}",
        &["A.type: Required value: must not be empty for specified object fields"],
    );
    property(
        "{type: array, items: {}}",
        &["A.items.type: Required value: must not be empty for specified array items"],
    );
    property("{type: array}", &["A.items: Required value: must be specified"]);
    property("{x-kubernetes-int-or-string: true}", &[]);
    property("{x-kubernetes-preserve-unknown-fields: true}", &[]);
    property(
        "{type: text}",
        &[
            r#"A.type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string""#,
        ],
    );
}

#[test]
fn null_is_not_a_type() {
    property(
        "{type: 'null'}",
        &[
            r#"A.type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string""#,
            "A.type: Forbidden: type cannot be set to null, use nullable as an alternative",
        ],
    );
}

#[test]
fn extensions_exclude_each_other() {
    property(
        "{x-kubernetes-int-or-string: true, x-kubernetes-preserve-unknown-fields: true}",
        &[
            "A.x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true",
        ],
    );
    property(
        "{type: object, x-kubernetes-embedded-resource: true, additionalProperties: true}",
        &[
            "A.additionalProperties: Forbidden: must not be used if x-kubernetes-embedded-resource is set",
            "A.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
        ],
    );
    property(
        "{x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}",
        &["A.type: Required value: must be object if x-kubernetes-embedded-resource is true"],
    );
    property(
        "{type: object, x-kubernetes-preserve-unknown-fields: false}",
        &["A.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined"],
    );
}

#[test]
fn metadata_of_the_root_may_only_restrict_names() {
    let forbidden = "P.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified";
    let metadata = |schema: &str| format!("type: object\nproperties:\n  metadata: {schema}");
    check(&metadata("{type: object}"), &[]);
    check(
        &metadata("{type: object, properties: {name: {type: string, maxLength: 9}}}"),
        &[],
    );
    check(&metadata("{type: object, description: d}"), &[forbidden]);
    check(
        &metadata("{type: object, properties: {labels: {type: object}}}"),
        &[forbidden],
    );
    check(
        "type: object\nproperties:\n  kind: {type: integer}",
        &[r#"P.properties[kind].type: Invalid value: "integer": must be string"#],
    );
}

#[test]
fn junctors_must_not_describe_structure() {
    property(
        "{type: string, anyOf: [{type: string, title: t}, {nullable: true}]}",
        &[
            "A.anyOf[0].title: Forbidden: must be empty to be structural",
            "A.anyOf[0].type: Forbidden: must be empty to be structural",
            "A.anyOf[1].nullable: Forbidden: must be false to be structural",
        ],
    );
    property(
        "{anyOf: [{type: integer}, {type: string}], x-kubernetes-int-or-string: true}",
        &[],
    );
    property(
        "{type: string, allOf: [{anyOf: [{type: integer}, {type: string}]}, {maxLength: 3}]}",
        &[],
    );
    property(
        "{anyOf: [{type: string}, {type: integer}], x-kubernetes-int-or-string: true}",
        &[
            "A.anyOf[0].type: Forbidden: must be empty to be structural",
            "A.anyOf[1].type: Forbidden: must be empty to be structural",
        ],
    );
}

#[test]
fn fields_in_the_roots_junctors_must_exist() {
    check(
        "type: object\nanyOf: [{properties: {b: {minLength: 1}}}]",
        &[
            "P.properties[b]: Required value: because it is defined in spec.validation.openAPIV3Schema.anyOf[0].properties[b]",
        ],
    );
    property("{type: object, anyOf: [{properties: {b: {minLength: 1}}}]}", &[]);
}

#[test]
fn forbidden_keywords_are_rejected() {
    property(
        "{type: object, definitions: {x: {type: object}}}",
        &["A.definitions: Forbidden: definitions is not supported"],
    );
    property(
        "{type: string, $ref: '#/x'}",
        &["A.$ref: Forbidden: $ref is not supported"],
    );
    property(
        "{type: string, $schema: x}",
        &[r#"P: Invalid value: "": OpenAPIV3Schema 'schema' is not supported"#],
    );
    property(
        "{type: array, items: [{type: string}]}",
        &["A.items: Forbidden: items must be a schema object and not an array"],
    );
    property(
        "{type: array, items: {type: string}, uniqueItems: true}",
        &[
            "A.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
        ],
    );
    property(
        "{type: object, properties: {b: {type: string}}, additionalProperties: {type: string}}",
        &["A.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive"],
    );
    property(
        "{type: object, properties: {b: {type: string}}, additionalProperties: true}",
        &[],
    );
    check(
        "type: object\nnullable: true",
        &["P.nullable: Forbidden: nullable cannot be true at the root"],
    );
    property(
        "{type: string, pattern: '('}",
        &[
            "A.pattern: Invalid value: \"(\": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): `(`",
        ],
    );
}

#[test]
fn lists_have_types() {
    property(
        "{type: array, items: {type: object}, x-kubernetes-list-type: set}",
        &[
            "A.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set",
        ],
    );
    property(
        "{type: array, items: {type: string}, x-kubernetes-list-type: bag}",
        &[r#"A.x-kubernetes-list-type: Unsupported value: "bag": supported values: "atomic", "set", "map""#],
    );
    property(
        "{type: string, x-kubernetes-map-type: big}",
        &[
            r#"A.type: Invalid value: "string": must be object if x-kubernetes-map-type is specified"#,
            r#"A.x-kubernetes-map-type: Unsupported value: "big": supported values: "atomic", "granular""#,
        ],
    );
    property(
        "{type: array, items: {type: object, properties: {k: {type: string}}}, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k, k, z]}",
        &[
            r#"A.x-kubernetes-list-map-keys: Invalid value: ["k","k","z"]: must not contain duplicate entries"#,
            r#"A.x-kubernetes-list-map-keys: Invalid value: ["k","k","z"]: entries must all be names of item properties"#,
            "A.items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
            "A.items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
        ],
    );
}

#[test]
fn defaults_are_values_of_their_schema() {
    property(
        "{type: string, default: 5}",
        &[r#"A.default: Invalid value: "integer":  in body must be of type string: "integer""#],
    );
    property("{x-kubernetes-int-or-string: true, default: true}", &[]);
    property(
        "{type: object, additionalProperties: {type: string, default: 5}}",
        &[],
    );
    property(
        "{type: object, default: {x: 1}}",
        &[r#"A.default: Invalid value: {"x":1}: must not have unknown fields"#],
    );
    property(
        "{type: object, required: [b], properties: {b: {type: string, default: x}}, default: {}}",
        &["A.default.b: Required value"],
    );
    check(
        "type: object\ndefault: {}",
        &[
            "P.default.apiVersion: Required value",
            "P.default.kind: Required value",
        ],
    );
    check(
        "type: object\nproperties:\n  kind: {type: string, default: K}",
        &["P.properties[kind].default: Forbidden: must not be set in top-level kind"],
    );
    property("{type: string, default: null}", &[]);
}

#[test]
fn rules_of_a_default_are_those_below_it() {
    // A property is not a resource: its `metadata` is an ordinary field.
    property(
        "{type: object, default: {metadata: {c: 1}}, properties: {metadata: {type: object, properties: {c: {type: integer}}}}, x-kubernetes-validations: [{rule: self.metadata.c == 1}]}",
        &[],
    );
    property(
        "{type: integer, default: 1, x-kubernetes-validations: [{rule: self > 5}]}",
        &["A.default: Invalid value: 1: failed rule: self > 5"],
    );
}

#[test]
fn fields_of_rules() {
    let rule = |fields: &str| {
        format!(
            "{{type: object, properties: {{b: {{type: string}}}}, x-kubernetes-validations: [{{{fields}}}]}}"
        )
    };
    let check = |fields: &str, expected: &[&str]| property(&rule(fields), expected);
    const R: &str = "A.x-kubernetes-validations[0]";
    check(
        "rule: ' '",
        &[&format!("{R}.rule: Required value: rule is not specified")],
    );
    check(
        "rule: 'true', message: ' '",
        &[&format!(
            r#"{R}.message: Invalid value: " ": must be non-empty if specified"#
        )],
    );
    check(
        "rule: 'true', reason: Other",
        &[&format!(
            r#"{R}.reason: Unsupported value: "Other": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired""#
        )],
    );
    check(
        "rule: 'true', fieldPath: .c",
        &[&format!(
            r#"{R}.fieldPath: Invalid value: ".c": must be a valid path"#
        )],
    );
    check("rule: 'true', fieldPath: .b", &[]);
    check(
        "rule: 'true', optionalOldSelf: false",
        &[&format!(
            "{R}.optionalOldSelf: Invalid value: false: may not be set if oldSelf is not used in rule"
        )],
    );
}

#[test]
fn rules_are_compiled_only_for_valid_schemas() {
    property(
        "{type: object, properties: {b: {type: array, items: {type: string}, uniqueItems: true}}, x-kubernetes-validations: [{rule: self.nope}]}",
        &[
            "A.properties[b].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
        ],
    );
    property(
        "{x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: 'true'}]}",
        &[
            "A.x-kubernetes-validations: Internal error: internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations",
        ],
    );
}

#[test]
fn schemas_of_any_depth_get_a_response() {
    let deep = |levels: usize| {
        let mut schema = JsonSchema::default();
        for _ in 0..levels {
            schema = JsonSchema {
                ty: "object".into(),
                properties: vec![("a".into(), schema)].into(),
                not: Some(Default::default()),
                ..JsonSchema::default()
            };
        }
        let mut definition = with_schema("type: object");
        definition.spec.versions.make()[0].schema = Some(Validation {
            open_api_v3_schema: Some(Arc::new(schema)),
        });
        judge_create(&definition)
    };
    assert!(
        deep(100)
            .errors
            .iter()
            .any(|error| error.to_string().contains("must not be empty"))
    );
    expect(
        &deep(300),
        &["spec.versions: Invalid value: a schema is nested more than 256 levels deep"],
        "300 levels",
    );
}
