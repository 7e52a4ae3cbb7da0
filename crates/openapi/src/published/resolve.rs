//! Resolves references into whole schemas.

use kindsmith_json::Object;
use kindsmith_schema::{Dependency, Items, JsonSchema, SchemaOrBool, Str};

use super::PublishedError;
use crate::schema;

/// The maximum number of nodes in a resolved schema: the largest built-in kinds have a few thousand.
const MAX_NODES: usize = 100_000;

/// The maximum nesting of schemas.
const MAX_DEPTH: usize = 200;

const OBJECT_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

pub(super) fn resolve(schemas: Object<'_>, name: &str) -> Result<JsonSchema, PublishedError> {
    Resolver::new(schemas, name).named(name)
}

/// Like [`resolve`], for an object with its own metadata.
pub(super) fn resolve_object(schemas: Object<'_>, name: &str) -> Result<JsonSchema, PublishedError> {
    let mut resolver = Resolver::new(schemas, name);
    let mut schema = resolver.read(name)?;
    hide_metadata(&mut schema);
    resolver.open.push(name.into());
    resolver.walk(&mut schema)?;
    Ok(schema)
}

struct Resolver<'a> {
    schemas: Object<'a>,
    root: Str,
    /// Names whose schemas are being resolved, outermost first.
    open: Vec<Str>,
    nodes: usize,
    depth: usize,
}

impl<'a> Resolver<'a> {
    fn new(schemas: Object<'a>, root: &str) -> Self {
        Self {
            schemas,
            root: root.into(),
            open: Vec::new(),
            nodes: 0,
            depth: 0,
        }
    }

    fn read(&self, name: &str) -> Result<JsonSchema, PublishedError> {
        let value = self
            .schemas
            .get(name)
            .ok_or_else(|| PublishedError::Missing { name: name.into() })?;
        let read = schema::read(value).map_err(|error| PublishedError::Schema {
            name: name.into(),
            error,
        })?;
        Ok(read.0)
    }

    fn named(&mut self, name: &str) -> Result<JsonSchema, PublishedError> {
        if self.open.iter().any(|open| &**open == name) {
            return Ok(anything());
        }
        let mut schema = self.read(name)?;
        self.open.push(name.into());
        self.walk(&mut schema)?;
        self.open.pop();
        Ok(schema)
    }

    /// Replaces references at the node and below.
    fn walk(&mut self, schema: &mut JsonSchema) -> Result<(), PublishedError> {
        self.nodes += 1;
        if self.nodes > MAX_NODES || self.depth >= MAX_DEPTH {
            return Err(PublishedError::TooLarge {
                name: self.root.clone(),
            });
        }
        if schema.embedded_resource {
            hide_metadata(schema);
        }
        self.depth += 1;
        if let Some(name) = referenced(schema) {
            let target = self.named(&name)?;
            overlay(schema, target);
        } else {
            unify_int_or_string(schema);
            self.below(schema)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn below(&mut self, schema: &mut JsonSchema) -> Result<(), PublishedError> {
        match schema.items.as_deref_mut() {
            Some(Items::Each(item)) => self.walk(item)?,
            Some(Items::Positional(items)) => self.all(items)?,
            None => {}
        }
        self.all(&mut schema.all_of)?;
        self.all(&mut schema.one_of)?;
        self.all(&mut schema.any_of)?;
        self.all(schema.not.as_deref_mut())?;
        self.all(schema.properties.iter_mut().map(|(_, schema)| schema))?;
        self.all(schema.pattern_properties.iter_mut().map(|(_, schema)| schema))?;
        self.all(schema.definitions.iter_mut().map(|(_, schema)| schema))?;
        for either in [&mut schema.additional_properties, &mut schema.additional_items] {
            if let Some(SchemaOrBool::Schema(schema)) = either.as_deref_mut() {
                self.walk(schema)?;
            }
        }
        for (_, dependency) in &mut schema.dependencies {
            if let Dependency::Schema(schema) = dependency {
                self.walk(schema)?;
            }
        }
        Ok(())
    }

    fn all<'s>(
        &mut self,
        schemas: impl IntoIterator<Item = &'s mut JsonSchema>,
    ) -> Result<(), PublishedError> {
        schemas.into_iter().try_for_each(|schema| self.walk(schema))
    }
}

/// The name that a node refers to: directly, or in an `allOf` that leaves room for other keywords.
fn referenced(schema: &JsonSchema) -> Option<Str> {
    let reference = match (&schema.reference, schema.all_of.as_slice()) {
        (Some(reference), _) => reference,
        (None, [only]) => only.reference.as_ref()?,
        _ => return None,
    };
    let name = ["#/components/schemas/", "#/definitions/"]
        .iter()
        .find_map(|prefix| reference.strip_prefix(prefix))?;
    // JSON pointers escape `/` and `~` in keys.
    Some(name.replace("~1", "/").replace("~0", "~").into())
}

/// Replaces a reference by the resolved schema; keywords beside the reference win.
fn overlay(schema: &mut JsonSchema, target: JsonSchema) {
    let beside = std::mem::replace(schema, target);
    if !beside.description.is_empty() {
        schema.description = beside.description;
    }
    if beside.default.is_some() {
        schema.default = beside.default;
    }
    if !beside.title.is_empty() {
        schema.title = beside.title;
    }
    schema.nullable |= beside.nullable;
}

/// Used where a schema contains itself.
fn anything() -> JsonSchema {
    JsonSchema {
        preserve_unknown_fields: Some(true),
        ..JsonSchema::default()
    }
}

/// Built-in types use a format where CRDs use an extension.
fn unify_int_or_string(schema: &mut JsonSchema) {
    if &*schema.format != "int-or-string" {
        return;
    }
    *schema = JsonSchema {
        int_or_string: true,
        description: schema.description.clone(),
        default: schema.default.take(),
        ..JsonSchema::default()
    };
}

/// CRDs imply metadata: it is just an object.
fn hide_metadata(schema: &mut JsonSchema) {
    let metadata = schema
        .properties
        .iter_mut()
        .find(|(name, _)| &**name == "metadata");
    let Some((_, metadata)) = metadata else {
        return;
    };
    if referenced(metadata).is_some_and(|name| &*name == OBJECT_META) {
        *metadata = JsonSchema {
            ty: "object".into(),
            ..JsonSchema::default()
        };
    }
}
