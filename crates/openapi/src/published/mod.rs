//! OpenAPI documents as API servers publish them, v2 and v3: the kinds that they describe, and their schemas.
//!
//! A published kind can be turned into a CRD: parts that the document does not contain (the stored version,
//! columns) get harmless values.

mod error;
mod kinds;
mod resolve;

use kindsmith_json::{Object, Value};
use kindsmith_schema::JsonSchema;

use crate::crd::{Definition, Names, Spec, StatusSubresource, Subresources, Validation, Version};

pub use error::PublishedError;
pub use kinds::{Kind, Served};

/// An OpenAPI document.
#[derive(Debug, Clone, Copy)]
pub struct Published<'a> {
    schemas: Object<'a>,
    paths: Object<'a>,
}

impl<'a> Published<'a> {
    /// Reads a value as an OpenAPI document; `None` without `openapi: 3…` or `swagger: "2.0"` at the top.
    #[must_use]
    pub fn open(document: Value<'a>) -> Option<Self> {
        let says = |key, version| {
            let text = document.get(key).and_then(Value::as_str);
            text.is_some_and(|text: &str| text.starts_with(version))
        };
        let schemas = if says("openapi", "3.") {
            document.lookup(&["components", "schemas"])
        } else if says("swagger", "2.") {
            document.get("definitions")
        } else {
            return None;
        };
        let object = |value: Option<Value<'a>>| value.and_then(Value::as_object).unwrap_or_default();
        Some(Self {
            schemas: object(schemas),
            paths: object(document.get("paths")),
        })
    }

    /// The named schema with all references resolved. Where a schema contains itself, the inner one allows
    /// anything.
    ///
    /// # Errors
    /// When a schema is missing, invalid or too large.
    pub fn schema(&self, name: &str) -> Result<JsonSchema, PublishedError> {
        resolve::resolve(self.schemas, name)
    }

    /// The schema of a kind's objects, in the form of a CRD: `metadata` is just an object.
    ///
    /// # Errors
    /// When a schema is missing, invalid or too large.
    pub(crate) fn object_schema(&self, kind: &Kind<'a>) -> Result<JsonSchema, PublishedError> {
        resolve::resolve_object(self.schemas, kind.name)
    }

    /// A CRD with the versions of a kind as far as the document describes them; `None` for kinds without a
    /// path.
    ///
    /// # Errors
    /// When a schema is missing, invalid or too large.
    pub fn definition(&self, group: &str, kind: &str) -> Result<Option<Definition>, PublishedError> {
        let kinds = self.kinds();
        let mut names = None;
        let mut versions: Vec<Version> = Vec::new();
        for entry in kinds
            .iter()
            .filter(|entry| entry.group == group && entry.kind == kind)
        {
            let Some(served) = &entry.served else {
                continue;
            };
            names.get_or_insert((served.plural, served.namespaced));
            let schema = Some(Validation {
                open_api_v3_schema: Some(self.object_schema(entry)?.into()),
            });
            versions.push(Version {
                name: entry.version.into(),
                served: true,
                storage: versions.is_empty(),
                schema,
                subresources: served.status.then_some(Subresources {
                    status: Some(StatusSubresource {}),
                    scale: None,
                }),
                ..Version::default()
            });
        }
        Ok(names.map(|(plural, namespaced)| make_definition(group, kind, plural, namespaced, versions)))
    }
}

fn make_definition(
    group: &str,
    kind: &str,
    plural: &str,
    namespaced: bool,
    versions: Vec<Version>,
) -> Definition {
    let name = format!("{plural}.{group}");
    let arena = kindsmith_json::Arena::new();
    let mut metadata = Value::Object(Object::EMPTY);
    metadata.set(&arena, &["name"], Value::Str(&name));
    let mut definition = Definition {
        metadata: metadata.into(),
        spec: Spec {
            group: group.into(),
            names: Names {
                plural: plural.into(),
                kind: kind.into(),
                ..Names::default()
            },
            scope: if namespaced { "Namespaced" } else { "Cluster" }.into(),
            versions: versions.into(),
            ..Spec::default()
        },
        ..Definition::default()
    };
    definition.default_fields();
    definition
}
