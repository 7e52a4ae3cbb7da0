//! Schemas as CRDs and OpenAPI documents publish them: the other form of a type, without Go behind it.
//!
//! A [`JsonSchema`] says everything a `JSONSchemaProps` of `apiextensions.k8s.io/v1` can say, right or wrong: whether it
//! is structural is for its readers to judge. It knows neither documents (`openapi` reads and writes those) nor values.

use crate::{ExternalDocs, Json, Shared, SharedVec, Str};

/// One node of a published schema. Empty texts and lists are absent, as in the API. Copies share what is below them
/// until they change it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JsonSchema {
    /// `id`.
    pub id: Str,
    /// `$schema`.
    pub schema: Str,
    /// `$ref`; `None` is absent, as an empty one is not.
    pub reference: Option<Str>,
    /// Text for people.
    pub description: Str,
    /// `string`, `object` …; any text an author wrote.
    pub ty: Str,
    /// Named format of a scalar.
    pub format: Str,
    /// Title for people.
    pub title: Str,
    /// Value of an absent member. JSON `null` is no default.
    pub default: Option<Json>,
    /// Upper bound.
    pub maximum: Option<f64>,
    /// Whether the upper bound itself is refused.
    pub exclusive_maximum: bool,
    /// Lower bound.
    pub minimum: Option<f64>,
    /// Whether the lower bound itself is refused.
    pub exclusive_minimum: bool,
    /// At most so many characters.
    pub max_length: Option<i64>,
    /// At least so many characters.
    pub min_length: Option<i64>,
    /// Regular expression found somewhere in the text.
    pub pattern: Str,
    /// At most so many items.
    pub max_items: Option<i64>,
    /// At least so many items.
    pub min_items: Option<i64>,
    /// No two items are equal.
    pub unique_items: bool,
    /// A multiple of the number.
    pub multiple_of: Option<f64>,
    /// Allowed values, `null` among them where written.
    pub enum_values: SharedVec<Json>,
    /// At most so many members.
    pub max_properties: Option<i64>,
    /// At least so many members.
    pub min_properties: Option<i64>,
    /// Members that must be there.
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
    /// What the presence of a member asks for.
    pub dependencies: SharedVec<(Str, Dependency)>,
    /// Items behind those of an array of schemas.
    pub additional_items: Option<Shared<SchemaOrBool>>,
    /// Named schemas.
    pub definitions: SharedVec<(Str, JsonSchema)>,
    /// Link to documentation.
    pub external_docs: Option<ExternalDocs>,
    /// A sample value. JSON `null` is none.
    pub example: Option<Json>,
    /// `null` is a value.
    pub nullable: bool,
    /// `x-kubernetes-preserve-unknown-fields`.
    pub preserve_unknown_fields: Option<bool>,
    /// `x-kubernetes-embedded-resource`.
    pub embedded_resource: bool,
    /// `x-kubernetes-int-or-string`.
    pub int_or_string: bool,
    /// `x-kubernetes-list-map-keys`.
    pub list_map_keys: SharedVec<Str>,
    /// `x-kubernetes-list-type`; any text an author wrote.
    pub list_type: Option<Str>,
    /// `x-kubernetes-map-type`; any text an author wrote.
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
    /// By position, which no CRD may use. An empty list stands for what was neither object nor array: `items` that
    /// is there and says nothing.
    Positional(Vec<JsonSchema>),
}

/// A schema, or a plain yes or no.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "the rare variant is the small one")]
pub enum SchemaOrBool {
    /// Anything, or nothing.
    Allowed(bool),
    /// What the schema allows.
    Schema(JsonSchema),
}

/// What the presence of a member asks for.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "the rare variant is the small one")]
pub enum Dependency {
    /// The whole object follows the schema.
    Schema(JsonSchema),
    /// Other members are there too.
    Members(Vec<Str>),
}

/// One of `x-kubernetes-validations`, as written: a CRD with a wrong reason still reads.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ValidationRule {
    /// The expression.
    pub rule: Str,
    /// Fixed failure text; empty is absent.
    pub message: Str,
    /// Expression for the failure text; empty is absent.
    pub message_expression: Str,
    /// Kind of the failure.
    pub reason: Option<Str>,
    /// Where the failure is reported; empty is absent.
    pub field_path: Str,
    /// Whether `oldSelf` is optional.
    pub optional_old_self: Option<bool>,
}

impl JsonSchema {
    /// The schema of a member.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&JsonSchema> {
        self.properties
            .iter()
            .find_map(|(key, schema)| (&**key == name).then_some(schema))
    }

    /// The schema of all items, where there is one.
    #[must_use]
    pub fn item(&self) -> Option<&JsonSchema> {
        match self.items.as_deref() {
            Some(Items::Each(schema)) => Some(schema),
            _ => None,
        }
    }

    /// The schema of members that are not named, where there is one.
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
