//! Schemas as CRDs and OpenAPI documents publish them: the second form of a type, independent of Go.
//!
//! A [`JsonSchema`] can hold everything that `JSONSchemaProps` of `apiextensions.k8s.io/v1` can, valid or
//! not: others check whether it is structural. It knows neither documents (`openapi` reads and writes those)
//! nor values.

use crate::{ExternalDocs, Json, Shared, SharedVec, Str};

/// One node of a published schema. Empty texts and lists are absent, as in the API. Clones share the nodes
/// below until they change them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JsonSchema {
    /// `id`.
    pub id: Str,
    /// `$schema`.
    pub schema: Str,
    /// `$ref`; an empty one is not absent.
    pub reference: Option<Str>,
    /// Description.
    pub description: Str,
    /// `string`, `object` …; any text, even an invalid one.
    pub ty: Str,
    /// Named format of a scalar.
    pub format: Str,
    /// Title.
    pub title: Str,
    /// Default of an absent member. JSON `null` means no default.
    pub default: Option<Json>,
    /// Upper bound.
    pub maximum: Option<f64>,
    /// Whether the upper bound itself is rejected.
    pub exclusive_maximum: bool,
    /// Lower bound.
    pub minimum: Option<f64>,
    /// Whether the lower bound itself is rejected.
    pub exclusive_minimum: bool,
    /// At most this many characters.
    pub max_length: Option<i64>,
    /// At least this many characters.
    pub min_length: Option<i64>,
    /// Regular expression that must match somewhere in the text.
    pub pattern: Str,
    /// At most this many items.
    pub max_items: Option<i64>,
    /// At least this many items.
    pub min_items: Option<i64>,
    /// No two items are equal.
    pub unique_items: bool,
    /// A multiple of the number.
    pub multiple_of: Option<f64>,
    /// Allowed values, including `null` where written.
    pub enum_values: SharedVec<Json>,
    /// At most this many members.
    pub max_properties: Option<i64>,
    /// At least this many members.
    pub min_properties: Option<i64>,
    /// Members that must be present.
    pub required: SharedVec<Str>,
    /// Schema of the items.
    pub items: Option<Shared<Items>>,
    /// All of these hold.
    pub all_of: SharedVec<JsonSchema>,
    /// Exactly one of these holds.
    pub one_of: SharedVec<JsonSchema>,
    /// At least one of these holds.
    pub any_of: SharedVec<JsonSchema>,
    /// This does not hold.
    pub not: Option<Shared<JsonSchema>>,
    /// Members by name, in the order of the document.
    pub properties: SharedVec<(Str, JsonSchema)>,
    /// Members that are not in `properties`.
    pub additional_properties: Option<Shared<SchemaOrBool>>,
    /// Members by pattern.
    pub pattern_properties: SharedVec<(Str, JsonSchema)>,
    /// Requirements when a member is present.
    pub dependencies: SharedVec<(Str, Dependency)>,
    /// Items after those of an array of schemas.
    pub additional_items: Option<Shared<SchemaOrBool>>,
    /// Named schemas.
    pub definitions: SharedVec<(Str, JsonSchema)>,
    /// Link to documentation.
    pub external_docs: Option<ExternalDocs>,
    /// A sample value. JSON `null` means none.
    pub example: Option<Json>,
    /// `null` is allowed.
    pub nullable: bool,
    /// `x-kubernetes-preserve-unknown-fields`.
    pub preserve_unknown_fields: Option<bool>,
    /// `x-kubernetes-embedded-resource`.
    pub embedded_resource: bool,
    /// `x-kubernetes-int-or-string`.
    pub int_or_string: bool,
    /// `x-kubernetes-list-map-keys`.
    pub list_map_keys: SharedVec<Str>,
    /// `x-kubernetes-list-type`; any text, even an invalid one.
    pub list_type: Option<Str>,
    /// `x-kubernetes-map-type`; any text, even an invalid one.
    pub map_type: Option<Str>,
    /// `x-kubernetes-validations`.
    pub validations: SharedVec<ValidationRule>,
}

/// `items`: one schema for all, or one by position.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "the rare variant is the small one")]
pub enum Items {
    /// For all items.
    Each(JsonSchema),
    /// By position, which CRDs may not use. An empty list means `items` that was neither object nor array.
    Positional(Vec<JsonSchema>),
}

/// A schema, or a boolean.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "the rare variant is the small one")]
pub enum SchemaOrBool {
    /// Everything, or nothing.
    Allowed(bool),
    /// Whatever the schema allows.
    Schema(JsonSchema),
}

/// Requirements when a member is present.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "the rare variant is the small one")]
pub enum Dependency {
    /// The whole object follows the schema.
    Schema(JsonSchema),
    /// Other members must be present too.
    Members(Vec<Str>),
}

/// One of `x-kubernetes-validations`, as written: a CRD with an invalid reason can still be read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ValidationRule {
    /// The expression.
    pub rule: Str,
    /// Fixed message; empty is absent.
    pub message: Str,
    /// Expression for the message; empty is absent.
    pub message_expression: Str,
    /// Machine-readable reason of the failure.
    pub reason: Option<Str>,
    /// Where the failure is reported; empty is absent.
    pub field_path: Str,
    /// Whether `oldSelf` is optional.
    pub optional_old_self: Option<bool>,
    /// How the rule behaves where a server cannot find the old value: known while a CRD is generated, never published.
    pub without_old: WithoutOld,
}

/// How a rule behaves where a server cannot find the old value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum WithoutOld {
    /// It stays.
    #[default]
    Same,
    /// It is left out.
    Dropped,
    /// It is left out, because it is controller-gen's rule for `+k8s:immutable`. Where tags are carried over, the tag's
    /// own rules replace it.
    Immutable,
    /// It has this expression.
    Plain(Str),
}

impl JsonSchema {
    /// The schema of a member.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&JsonSchema> {
        self.properties
            .iter()
            .find_map(|(key, schema)| (&**key == name).then_some(schema))
    }

    /// The schema of all items, if there is one.
    #[must_use]
    pub fn item(&self) -> Option<&JsonSchema> {
        match self.items.as_deref() {
            Some(Items::Each(schema)) => Some(schema),
            _ => None,
        }
    }

    /// The schema of additional properties, if there is one.
    #[must_use]
    pub fn additional(&self) -> Option<&JsonSchema> {
        match self.additional_properties.as_deref() {
            Some(SchemaOrBool::Schema(schema)) => Some(schema),
            _ => None,
        }
    }

    /// Whether unknown members are kept.
    #[must_use]
    pub fn preserves_unknown_fields(&self) -> bool {
        self.preserve_unknown_fields == Some(true)
    }

    /// Schemas directly below, on the structural spine and in junctors, in the order of the API's fields.
    pub fn children(&self) -> impl Iterator<Item = &JsonSchema> {
        let items = self.items.as_deref().into_iter().flat_map(|items| match items {
            Items::Each(schema) => std::slice::from_ref(schema),
            Items::Positional(schemas) => schemas,
        });
        fn named(schemas: &[(Str, JsonSchema)]) -> impl Iterator<Item = &JsonSchema> {
            schemas.iter().map(|(_, schema)| schema)
        }
        items
            .chain(self.all_of.iter().chain(&self.one_of).chain(&self.any_of))
            .chain(self.not.as_deref())
            .chain(named(&self.properties))
            .chain(self.additional())
            .chain(named(&self.pattern_properties))
            .chain(named(&self.definitions))
    }
}
