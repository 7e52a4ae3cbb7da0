//! Defaults as they are served: without the parts that pruning would remove (`PruneDefaults` of
//! `pkg/apiserver/schema/defaulting/prune.go` in apiextensions-apiserver).
//!
//! Every default is placed into an object of its own, all the way from the root. The object is coerced and
//! pruned; what is left at the place of the default is the served default.

use std::borrow::Cow;
use std::fmt;

use kindsmith_cel::dialect::Dialect;
use kindsmith_json::{Arena, Entry, Object, Path, Value, parse_str};
use kindsmith_object::Release;
use kindsmith_schema::{Items, Json, JsonSchema, SchemaOrBool, Shared};

use super::NotStructural;
use super::coerce::Coercion;
use super::layout::StructuralSchema;
use kindsmith_object::meta::Malformed;

/// Why a schema cannot be served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotServable {
    /// It has no structural form.
    StructuralSchema(NotStructural),
    /// The default of the root is not an object.
    RootDefault,
}

impl fmt::Display for NotServable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StructuralSchema(reason) => reason.fmt(out),
            Self::RootDefault => out
                .write_str("failed to prune default value: object root default value must be of object type"),
        }
    }
}

impl std::error::Error for NotServable {}

impl From<NotStructural> for NotServable {
    fn from(reason: NotStructural) -> Self {
        Self::StructuralSchema(reason)
    }
}

impl StructuralSchema {
    /// Compiles a schema as it is served, with its defaults pruned and its rules in a dialect.
    ///
    /// # Errors
    /// When it has no structural form, or the default of the root is not an object.
    pub fn serve(schema: &JsonSchema, dialect: Dialect) -> Result<StructuralSchema, NotServable> {
        Self::serve_for(schema, dialect, Release::NEWEST)
    }

    /// Compiles a schema as a release serves it, whose formats count.
    ///
    /// # Errors
    /// As [`StructuralSchema::serve`].
    pub fn serve_for(
        schema: &JsonSchema,
        dialect: Dialect,
        release: Release,
    ) -> Result<StructuralSchema, NotServable> {
        let shape = StructuralSchema::shape_for(schema, release)?;
        match shape.prune_defaults(schema)? {
            Cow::Borrowed(_) => Ok(shape.with_rules(schema, dialect)),
            Cow::Owned(pruned) => Ok(StructuralSchema::compile_for(&pruned, dialect, release)?),
        }
    }

    /// Prunes the defaults of the schema that this was compiled from: unknown fields are dropped, and
    /// metadata of resources is rewritten as the server does. A schema without such defaults is returned
    /// unchanged.
    ///
    /// # Errors
    /// When the default of the root is not an object.
    pub fn prune_defaults<'s>(&self, schema: &'s JsonSchema) -> Result<Cow<'s, JsonSchema>, NotServable> {
        let mut pruning = Pruning {
            structure: self,
            steps: Vec::new(),
        };
        Ok(match pruning.node(schema)? {
            Some(changed) => Cow::Owned(changed),
            None => Cow::Borrowed(schema),
        })
    }
}

/// A walk down the spine.
struct Pruning<'p> {
    structure: &'p StructuralSchema,
    steps: Vec<Step<'p>>,
}

/// The path from the root to a default.
#[derive(Clone, Copy)]
enum Step<'p> {
    Key(&'p str),
    Element,
}

/// A key for all members that are not in `properties`.
const ANY: &str = "*";

impl<'p> Pruning<'p> {
    /// The pruned schema; `None` if it is unchanged. The compiled schema limits the depth.
    fn node<'s: 'p>(&mut self, schema: &'s JsonSchema) -> Result<Option<JsonSchema>, NotServable> {
        let mut changed: Option<JsonSchema> = None;
        if let Some(default) = &schema.default
            && let Some(pruned) = self.default(default)?
        {
            changed.get_or_insert_with(|| schema.clone()).default = pruned;
        }
        if let Some(additional) = schema.additional()
            && let Some(pruned) = self.below(Step::Key(ANY), additional)?
        {
            let slot = &mut changed
                .get_or_insert_with(|| schema.clone())
                .additional_properties;
            *slot = Some(Shared::new(SchemaOrBool::Schema(pruned)));
        }
        if let Some(items) = schema.item()
            && let Some(pruned) = self.below(Step::Element, items)?
        {
            changed.get_or_insert_with(|| schema.clone()).items = Some(Shared::new(Items::Each(pruned)));
        }
        for (position, (name, property)) in schema.properties.iter().enumerate() {
            if let Some(pruned) = self.below(Step::Key(name), property)? {
                changed.get_or_insert_with(|| schema.clone()).properties[position].1 = pruned;
            }
        }
        Ok(changed)
    }

    fn below<'s: 'p>(
        &mut self,
        step: Step<'s>,
        schema: &'s JsonSchema,
    ) -> Result<Option<JsonSchema>, NotServable> {
        self.steps.push(step);
        let pruned = self.node(schema);
        self.steps.pop();
        pruned
    }

    /// The pruned default, which may be absent; `None` if it is unchanged.
    fn default(&self, default: &Json) -> Result<Option<Option<Json>>, NotServable> {
        let arena = Arena::new();
        let value = parse_str(&arena, default.as_str()).unwrap_or_default();
        if value.is_null() {
            return Ok(None);
        }
        let object = self.surround(&arena, value);
        if !matches!(object, Value::Object(_)) {
            return Err(NotServable::RootDefault);
        }
        let how = Coercion {
            resource: true,
            malformed: Malformed::Drop,
            unknown: None,
        };
        let coerced = self.structure.coerce(&arena, object, &Path::NIL, how);
        // Cannot fail, because values that do not fit are dropped.
        let pruned = self.structure.prune(&arena, coerced.unwrap_or(object), true);
        let found = self.find(pruned).filter(|value| !value.is_null());
        Ok((found != Some(value)).then(|| found.map(Json::exact)))
    }

    fn surround<'a>(&self, arena: &'a Arena, value: Value<'a>) -> Value<'a>
    where
        'p: 'a,
    {
        self.steps.iter().rev().fold(value, |value, step| match *step {
            Step::Element => Value::Array(arena.alloc_slice_copy(&[value])),
            Step::Key(key) => {
                let entries = arena.alloc_slice_copy(&[Entry { key, value }]);
                Value::Object(Object::from_entries(arena, entries))
            }
        })
    }

    fn find<'a>(&self, object: Value<'a>) -> Option<Value<'a>> {
        self.steps.iter().try_fold(object, |value, step| match *step {
            Step::Element => value.at(0),
            Step::Key(key) => value.get(key),
        })
    }
}
