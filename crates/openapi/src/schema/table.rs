//! The fields of `JSONSchemaProps` in the order Go declares them.
//!
//! Keys and types after apiextensions-apiserver's `pkg/apis/apiextensions/v1/types_jsonschema.go`; Go names after the
//! internal type beside it.

use kindsmith_schema::{JsonSchema, ValidationRule};

use crate::record::{Element, Field, Record, field};

impl Record for JsonSchema {
    const NAME: &'static str = "JSONSchemaProps";
    const DECLARED_BEHIND: Option<(&'static str, &'static str)> = Some(("nullable", "type"));
    const FIELDS: &'static [Field<Self>] = &[
        field!("id", "ID", "string", id),
        field!("$schema", "Schema", "$JSONSchemaURL", schema),
        field!("$ref", "Ref", "string", reference),
        field!("description", "Description", "string", description),
        field!("type", "Type", "string", ty),
        field!("format", "Format", "string", format),
        field!("title", "Title", "string", title),
        field!("default", "Default", "$JSON", default),
        field!("maximum", "Maximum", "float64", maximum),
        field!("exclusiveMaximum", "ExclusiveMaximum", "bool", exclusive_maximum),
        field!("minimum", "Minimum", "float64", minimum),
        field!("exclusiveMinimum", "ExclusiveMinimum", "bool", exclusive_minimum),
        field!("maxLength", "MaxLength", "int64", max_length),
        field!("minLength", "MinLength", "int64", min_length),
        field!("pattern", "Pattern", "string", pattern),
        field!("maxItems", "MaxItems", "int64", max_items),
        field!("minItems", "MinItems", "int64", min_items),
        field!("uniqueItems", "UniqueItems", "bool", unique_items),
        field!("multipleOf", "MultipleOf", "float64", multiple_of),
        field!("enum", "Enum", "[]$JSON", enum_values),
        field!("maxProperties", "MaxProperties", "int64", max_properties),
        field!("minProperties", "MinProperties", "int64", min_properties),
        field!("required", "Required", "[]string", required),
        field!("items", "Items", "$JSONSchemaPropsOrArray", items),
        field!("allOf", "AllOf", "[]$JSONSchemaProps", all_of),
        field!("oneOf", "OneOf", "[]$JSONSchemaProps", one_of),
        field!("anyOf", "AnyOf", "[]$JSONSchemaProps", any_of),
        field!("not", "Not", "$JSONSchemaProps", not),
        field!("properties", "Properties", "map[string]$JSONSchemaProps", properties),
        field!("additionalProperties", "AdditionalProperties", "$JSONSchemaPropsOrBool", additional_properties),
        field!("patternProperties", "PatternProperties", "map[string]$JSONSchemaProps", pattern_properties),
        field!("dependencies", "Dependencies", "$JSONSchemaDependencies", dependencies),
        field!("additionalItems", "AdditionalItems", "$JSONSchemaPropsOrBool", additional_items),
        field!("definitions", "Definitions", "$JSONSchemaDefinitions", definitions),
        field!("externalDocs", "ExternalDocs", "$ExternalDocumentation", external_docs),
        field!("example", "Example", "$JSON", example),
        field!("nullable", "Nullable", "bool", nullable),
        field!("x-kubernetes-preserve-unknown-fields", "XPreserveUnknownFields", "bool", preserve_unknown_fields),
        field!("x-kubernetes-embedded-resource", "XEmbeddedResource", "bool", embedded_resource),
        field!("x-kubernetes-int-or-string", "XIntOrString", "bool", int_or_string),
        field!("x-kubernetes-list-map-keys", "XListMapKeys", "[]string", list_map_keys),
        field!("x-kubernetes-list-type", "XListType", "string", list_type),
        field!("x-kubernetes-map-type", "XMapType", "string", map_type),
        field!("x-kubernetes-validations", "XValidations", "$ValidationRules", validations),
    ];
}

impl Element for JsonSchema {
    const TYPE: &'static str = "$JSONSchemaProps";
}

impl Record for ValidationRule {
    const NAME: &'static str = "ValidationRule";
    const FIELDS: &'static [Field<Self>] = &[
        field!("rule", "Rule", "string", rule, always),
        field!("message", "Message", "string", message),
        field!("messageExpression", "MessageExpression", "string", message_expression),
        field!("reason", "Reason", "$FieldValueErrorReason", reason),
        field!("fieldPath", "FieldPath", "string", field_path),
        field!("optionalOldSelf", "OptionalOldSelf", "bool", optional_old_self),
    ];
}

impl Element for ValidationRule {
    const TYPE: &'static str = "$ValidationRule";
}
