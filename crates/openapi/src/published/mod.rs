//! OpenAPI documents as API servers publish them, v2 and v3: which kinds they describe, and the schemas of those.
//!
//! A published kind can stand in for a definition: what the document does not say (which version is stored, columns)
//! is filled with what is least in the way.

mod kinds;
mod resolve;

use std::fmt;

use kindsmith_json::{Object, Value};
use kindsmith_schema::{JsonSchema, Str};

use crate::crd::{Definition, Names, Spec, StatusSubresource, Subresources, Validation, Version};
use crate::record::DecodeError;

pub use kinds::{Kind, Served};

/// An OpenAPI document.
#[derive(Debug, Clone, Copy)]
pub struct Published<'a> {
    schemas: Object<'a>,
    paths: Object<'a>,
}

/// Why a schema cannot be had.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PublishedError {
    /// The document has no schema of that name.
    Missing {
        /// The name.
        name: Str,
    },
    /// A schema does not decode.
    Schema {
        /// Its name.
        name: Str,
        /// What is wrong with it.
        error: DecodeError,
    },
    /// References make more of a schema than anyone can use.
    TooLarge {
        /// Its name.
        name: Str,
    },
}

impl fmt::Display for PublishedError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { name } => write!(out, "the document has no schema `{name}`"),
            Self::Schema { name, error } => write!(out, "schema `{name}`: {error}"),
            Self::TooLarge { name } => {
                write!(out, "schema `{name}` is too large with its references resolved")
            }
        }
    }
}

impl std::error::Error for PublishedError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Schema { error, .. } => Some(error),
            _ => None,
        }
    }
}

impl<'a> Published<'a> {
    /// Takes a value for an OpenAPI document, if it is one: `openapi: 3…` or `swagger: "2.0"` at the top.
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

    /// The schema of a name with all references resolved. Where a schema contains itself, anything goes.
    ///
    /// # Errors
    /// When a schema is missing, wrong or endless.
    pub fn schema(&self, name: &str) -> Result<JsonSchema, PublishedError> {
        resolve::resolve(self.schemas, name)
    }

    /// The schema of an object of a kind, in the form of a definition: its metadata is an object and no more.
    ///
    /// # Errors
    /// When a schema is missing, wrong or endless.
    pub fn object_schema(&self, kind: &Kind<'a>) -> Result<JsonSchema, PublishedError> {
        resolve::resolve_object(self.schemas, kind.name)
    }

    /// A definition that says of the versions of a kind what the document does; none for kinds without a path.
    ///
    /// # Errors
    /// When a schema is missing, wrong or endless.
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
