//! Keywords that are not allowed in structural schemas: a schema that uses one has no compiled form.
//!
//! Same checks and order as `NewStructural` in `pkg/apiserver/schema/convert.go` of apiextensions-apiserver.

use std::fmt;

use kindsmith_schema::{Items, JsonSchema, SchemaOrBool};

use super::MAX_DEPTH;
use crate::default_count::MOST_DEFAULTED;

/// Why a schema has no structural form. `Display` is Kubernetes' text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotStructural {
    /// An unsupported keyword: `id`, `schema` (which is `$schema`), `$ref`, `patternProperties` …
    Keyword(&'static str),
    /// `items` by position.
    ItemsArray,
    /// `x-kubernetes-preserve-unknown-fields: false`.
    PreserveFalse,
    /// Deeper than the depth limit, which upstream does not have.
    TooDeep,
    /// Its completed defaults have too many values, which upstream does not limit.
    TooManyDefaults,
}

impl fmt::Display for NotStructural {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keyword(keyword) => write!(out, "OpenAPIV3Schema '{keyword}' is not supported"),
            Self::ItemsArray => out.write_str("OpenAPIV3Schema 'items' must be a schema, but is an array"),
            Self::PreserveFalse => out.write_str(
                "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined",
            ),
            Self::TooManyDefaults => write!(out, "defaults have more than {MOST_DEFAULTED} values together"),
            Self::TooDeep => write!(out, "schema is nested more than {MAX_DEPTH} levels deep"),
        }
    }
}

impl std::error::Error for NotStructural {}

impl NotStructural {
    /// Checks a whole schema without compiling it.
    ///
    /// # Errors
    /// The first part without a structural form.
    pub fn check(schema: &JsonSchema) -> Result<(), NotStructural> {
        nested(schema, 0)
    }

    /// Checks a node and its junctors, but not its items and members.
    ///
    /// # Errors
    /// The first part without a structural form.
    pub fn check_node(schema: &JsonSchema) -> Result<(), NotStructural> {
        check(schema, 0)
    }
}

/// Checks a node of the spine and its junctors, but not the spine below.
pub(super) fn check(schema: &JsonSchema, depth: usize) -> Result<(), NotStructural> {
    keywords(schema)?;
    junctors(schema, depth)?;
    extensions(schema)
}

fn keywords(schema: &JsonSchema) -> Result<(), NotStructural> {
    let reference = schema.reference.as_deref().unwrap_or_default();
    let used = [
        ("id", !schema.id.is_empty()),
        ("schema", !schema.schema.is_empty()),
        ("$ref", !reference.is_empty()),
        ("patternProperties", !schema.pattern_properties.is_empty()),
        ("dependencies", !schema.dependencies.is_empty()),
        ("additionalItems", schema.additional_items.is_some()),
        ("definitions", !schema.definitions.is_empty()),
    ];
    match used.into_iter().find(|(_, used)| *used) {
        Some((keyword, _)) => Err(NotStructural::Keyword(keyword)),
        None => Ok(()),
    }
}

fn junctors(schema: &JsonSchema, depth: usize) -> Result<(), NotStructural> {
    let lists = [&schema.all_of, &schema.any_of, &schema.one_of];
    schema
        .not
        .as_deref()
        .into_iter()
        .chain(lists.into_iter().flatten())
        .try_for_each(|nested| self::nested(nested, depth + 1))
}

/// Checks a schema in a junctor, and everything below.
fn nested(schema: &JsonSchema, depth: usize) -> Result<(), NotStructural> {
    if depth >= MAX_DEPTH {
        return Err(NotStructural::TooDeep);
    }
    check(schema, depth)?;
    if let Some(items) = schema.item() {
        nested(items, depth + 1)?;
    }
    for (_, property) in &schema.properties {
        nested(property, depth + 1)?;
    }
    match schema.additional_properties.as_deref() {
        Some(SchemaOrBool::Schema(additional)) => nested(additional, depth + 1),
        _ => Ok(()),
    }
}

fn extensions(schema: &JsonSchema) -> Result<(), NotStructural> {
    if schema.preserve_unknown_fields == Some(false) {
        return Err(NotStructural::PreserveFalse);
    }
    match schema.items.as_deref() {
        Some(Items::Positional(schemas)) if !schemas.is_empty() => Err(NotStructural::ItemsArray),
        _ => Ok(()),
    }
}
