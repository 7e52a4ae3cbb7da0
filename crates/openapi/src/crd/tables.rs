//! The fields of the CRD types in the order Go declares them.
//!
//! Keys and types after apiextensions-apiserver's `pkg/apis/apiextensions/{v1,v1beta1}/types.go`; Go names after the
//! internal types beside them.

use super::internal::{InternalConversion, InternalDefinition, InternalSpec};
use super::types::{
    ClientConfig, Column, Condition, Conversion, Definition, Names, Scale, SelectableField, Service, Spec,
    Status, StatusSubresource, Subresources, Validation, Version, Webhook,
};
use crate::record::{Element, Field, Record, field};

macro_rules! record {
    ($ty:ty, $name:literal, [$($field:expr),* $(,)?]) => {
        impl Record for $ty {
            const NAME: &'static str = $name;
            const FIELDS: &'static [Field<Self>] = &[$($field),*];
        }
    };
}

macro_rules! element {
    ($ty:ty, $name:literal) => {
        impl Element for $ty {
            const TYPE: &'static str = $name;
        }
    };
}

/// The caller handles the fields that every object has.
impl Record for Definition {
    const NAME: &'static str = "CustomResourceDefinition";
    const FIELDS: &'static [Field<Self>] = &[
        field!("metadata", "ObjectMeta", "v1.ObjectMeta", metadata, always),
        field!("spec", "Spec", "$CustomResourceDefinitionSpec", spec, always),
        field!("status", "Status", "$CustomResourceDefinitionStatus", status, always),
    ];
    const IGNORED: &'static [&'static str] = &["kind", "apiVersion"];
}

record!(Spec, "CustomResourceDefinitionSpec", [
    field!("group", "Group", "string", group, always),
    field!("names", "Names", "$CustomResourceDefinitionNames", names, always),
    field!("scope", "Scope", "$ResourceScope", scope, always),
    field!("versions", "Versions", "[]$CustomResourceDefinitionVersion", versions, always),
    field!("conversion", "Conversion", "$CustomResourceConversion", conversion),
    field!("preserveUnknownFields", "PreserveUnknownFields", "bool", preserve_unknown_fields),
]);

record!(Names, "CustomResourceDefinitionNames", [
    field!("plural", "Plural", "string", plural, always),
    field!("singular", "Singular", "string", singular),
    field!("shortNames", "ShortNames", "[]string", short_names),
    field!("kind", "Kind", "string", kind, always),
    field!("listKind", "ListKind", "string", list_kind),
    field!("categories", "Categories", "[]string", categories),
]);

record!(Version, "CustomResourceDefinitionVersion", [
    field!("name", "Name", "string", name, always),
    field!("served", "Served", "bool", served, always),
    field!("storage", "Storage", "bool", storage, always),
    field!("deprecated", "Deprecated", "bool", deprecated),
    field!("deprecationWarning", "DeprecationWarning", "string", deprecation_warning),
    field!("schema", "Schema", "$CustomResourceValidation", schema),
    field!("subresources", "Subresources", "$CustomResourceSubresources", subresources),
    field!("additionalPrinterColumns", "AdditionalPrinterColumns", "[]$CustomResourceColumnDefinition", additional_printer_columns),
    field!("selectableFields", "SelectableFields", "[]$SelectableField", selectable_fields),
]);
element!(Version, "$CustomResourceDefinitionVersion");

record!(
    Validation,
    "CustomResourceValidation",
    [field!("openAPIV3Schema", "OpenAPIV3Schema", "$JSONSchemaProps", open_api_v3_schema),]
);

record!(Subresources, "CustomResourceSubresources", [
    field!("status", "Status", "$CustomResourceSubresourceStatus", status),
    field!("scale", "Scale", "$CustomResourceSubresourceScale", scale),
]);

record!(StatusSubresource, "CustomResourceSubresourceStatus", []);

record!(Scale, "CustomResourceSubresourceScale", [
    field!("specReplicasPath", "SpecReplicasPath", "string", spec_replicas_path, always),
    field!("statusReplicasPath", "StatusReplicasPath", "string", status_replicas_path, always),
    field!("labelSelectorPath", "LabelSelectorPath", "string", label_selector_path),
]);

record!(Column, "CustomResourceColumnDefinition", [
    field!("name", "Name", "string", name, always),
    field!("type", "Type", "string", ty, always),
    field!("format", "Format", "string", format),
    field!("description", "Description", "string", description),
    field!("priority", "Priority", "int32", priority),
    field!("jsonPath" / "JSONPath", "JSONPath", "string", json_path, always),
]);
element!(Column, "$CustomResourceColumnDefinition");

record!(
    SelectableField,
    "SelectableField",
    [field!("jsonPath", "JSONPath", "string", json_path, always),]
);
element!(SelectableField, "$SelectableField");

record!(Conversion, "CustomResourceConversion", [
    field!("strategy", "Strategy", "$ConversionStrategyType", strategy, always),
    field!("webhook", "Webhook", "$WebhookConversion", webhook),
]);

record!(Webhook, "WebhookConversion", [
    field!("clientConfig", "ClientConfig", "$WebhookClientConfig", client_config),
    field!("conversionReviewVersions", "ConversionReviewVersions", "[]string", conversion_review_versions, always),
]);

record!(ClientConfig, "WebhookClientConfig", [
    field!("url", "URL", "string", url),
    field!("service", "Service", "$ServiceReference", service),
    field!("caBundle", "CABundle", "[]uint8", ca_bundle),
]);

record!(Service, "ServiceReference", [
    field!("namespace", "Namespace", "string", namespace, always),
    field!("name", "Name", "string", name, always),
    field!("path", "Path", "string", path),
    field!("port", "Port", "int32", port),
]);

record!(Status, "CustomResourceDefinitionStatus", [
    field!("conditions", "Conditions", "[]$CustomResourceDefinitionCondition", conditions, always),
    field!("acceptedNames", "AcceptedNames", "$CustomResourceDefinitionNames", accepted_names, always),
    field!("storedVersions", "StoredVersions", "[]string", stored_versions, always),
    field!("observedGeneration", "ObservedGeneration", "int64", observed_generation),
]);

record!(Condition, "CustomResourceDefinitionCondition", [
    field!("type", "Type", "$CustomResourceDefinitionConditionType", ty, always),
    field!("status", "Status", "$ConditionStatus", status, always),
    field!("lastTransitionTime", "LastTransitionTime", "v1.Time", last_transition_time, always),
    field!("reason", "Reason", "string", reason),
    field!("message", "Message", "string", message),
    field!("observedGeneration", "ObservedGeneration", "int64", observed_generation),
]);
element!(Condition, "$CustomResourceDefinitionCondition");

impl Record for InternalDefinition {
    const NAME: &'static str = "CustomResourceDefinition";
    const FIELDS: &'static [Field<Self>] = &[
        field!("metadata", "ObjectMeta", "v1.ObjectMeta", metadata, always),
        field!("spec", "Spec", "$CustomResourceDefinitionSpec", spec, always),
        field!("status", "Status", "$CustomResourceDefinitionStatus", status, always),
    ];
    const IGNORED: &'static [&'static str] = &["kind", "apiVersion"];
}

// `v1beta1` has the shape of the internal form.
record!(InternalSpec, "CustomResourceDefinitionSpec", [
    field!("group", "Group", "string", group, always),
    field!("version", "Version", "string", version),
    field!("names", "Names", "$CustomResourceDefinitionNames", names, always),
    field!("scope", "Scope", "$ResourceScope", scope, always),
    field!("validation", "Validation", "$CustomResourceValidation", validation),
    field!("subresources", "Subresources", "$CustomResourceSubresources", subresources),
    field!("versions", "Versions", "[]$CustomResourceDefinitionVersion", versions),
    field!("additionalPrinterColumns", "AdditionalPrinterColumns", "[]$CustomResourceColumnDefinition", additional_printer_columns),
    field!("selectableFields", "SelectableFields", "[]$SelectableField", selectable_fields),
    field!("conversion", "Conversion", "$CustomResourceConversion", conversion),
    field!("preserveUnknownFields", "PreserveUnknownFields", "bool", preserve_unknown_fields),
]);

record!(InternalConversion, "CustomResourceConversion", [
    field!("strategy", "Strategy", "$ConversionStrategyType", strategy, always),
    field!("webhookClientConfig", "WebhookClientConfig", "$WebhookClientConfig", webhook_client_config),
    field!("conversionReviewVersions", "ConversionReviewVersions", "[]string", conversion_review_versions),
]);
