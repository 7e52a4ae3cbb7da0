//! Coercion of embedded resources: `apiVersion` and `kind` must be strings, `metadata` is decoded and written
//! back (`CoerceWithOptions` of `pkg/apiserver/schema/objectmeta/algorithm.go` in apiextensions-apiserver).
//!
//! Knows where embedded resources are; [`kindsmith_object::meta`] decodes the metadata. Runs after pruning
//! and the removal of nulls, before defaults.

use kindsmith_json::path::PathBuf;
use kindsmith_json::{Arena, ArrayEdit, Object, Path, Value};

use super::layout::{Additional, Below, Flags, NodeId, StructuralSchema};
use kindsmith_object::FieldError;
use kindsmith_object::meta::{self, Malformed, UnknownFields, shown};

/// How embedded resources are coerced.
#[derive(Debug)]
pub struct Coercion<'c> {
    /// Whether to coerce the object itself. False for the object of a request, whose own metadata is decoded
    /// separately.
    pub resource: bool,
    /// How values that do not fit are handled.
    pub malformed: Malformed,
    /// Collects unknown fields of metadata, sorted: `e.metadata.stray`, and `m[key].metadata.stray` in maps.
    pub unknown: Option<&'c mut Vec<PathBuf>>,
}

impl StructuralSchema {
    /// Coerces the embedded resources of an object at `path`.
    ///
    /// # Errors
    /// With [`Malformed::Refuse`], the first value that does not fit; with [`Malformed::Drop`] it is dropped
    /// instead.
    pub fn coerce<'a>(
        &'a self,
        arena: &'a Arena,
        object: Value<'a>,
        path: &Path<'_>,
        how: Coercion<'_>,
    ) -> Result<Value<'a>, Box<FieldError>> {
        if !how.resource && !self.root().below.has(Below::EMBEDDED) {
            return Ok(object);
        }
        let mut found = Vec::new();
        let mut coercing = Coercing {
            structure: self,
            arena,
            resource: how.resource,
            malformed: how.malformed,
            unknown: how.unknown.is_some().then_some(&mut found),
        };
        let coerced = coercing.value(self.root, object, path)?;
        found.sort_by_cached_key(PathBuf::dotted);
        if let Some(unknown) = how.unknown {
            unknown.append(&mut found);
        }
        Ok(coerced.unwrap_or(object))
    }
}

struct Coercing<'c, 'a> {
    structure: &'a StructuralSchema,
    arena: &'a Arena,
    resource: bool,
    malformed: Malformed,
    unknown: Option<&'c mut Vec<PathBuf>>,
}

/// The coerced value; `None` if it is unchanged.
type Coerced<'a> = Result<Option<Value<'a>>, Box<FieldError>>;

/// The result for a member of a resource.
enum Meta<'a> {
    /// Unchanged.
    Same,
    /// Dropped.
    Gone,
    /// Replaced by a value that needs no further coercion.
    New(Value<'a>),
}

impl<'a> Coercing<'_, 'a> {
    fn value(&mut self, id: NodeId, value: Value<'a>, path: &Path<'_>) -> Coerced<'a> {
        let node = self.structure.node(id);
        let is_resource = node.flags.has(Flags::EMBEDDED) || (self.resource && node.flags.has(Flags::ROOT));
        if !is_resource && !node.below.has(Below::EMBEDDED) {
            return Ok(None);
        }
        match (value, node.items) {
            (Value::Object(object), _) => self.object(id, is_resource, object, path),
            (Value::Array(items), Some(child)) => self.array(child, items, path),
            _ => Ok(None),
        }
    }

    fn array(&mut self, child: NodeId, items: &'a [Value<'a>], path: &Path<'_>) -> Coerced<'a> {
        let mut edit = ArrayEdit::new(self.arena, items);
        for (index, &item) in items.iter().enumerate() {
            if let Some(coerced) = self.value(child, item, &path.index(index))? {
                edit.set(index, coerced);
            }
        }
        Ok(edit.is_changed().then(|| Value::Array(edit.finish())))
    }

    fn object(&mut self, id: NodeId, is_resource: bool, object: Object<'a>, path: &Path<'_>) -> Coerced<'a> {
        let (structure, node) = (self.structure, self.structure.node(id));
        let mut edit = object.edit(self.arena);
        let mut near = 0;
        for (key, value) in object {
            let named = structure.position_near(node, key, &mut near);
            let (child, below) = match (named, node.additional) {
                (Some(position), _) => (Some(structure.properties(node)[position].node), path.child(key)),
                (None, Additional::Schema(child)) => (Some(child), path.key(key)),
                (None, _) => (None, path.child(key)),
            };
            let meta = if is_resource {
                self.meta(key, value, path)?
            } else {
                Meta::Same
            };
            // The content of metadata is coerced even if it is replaced, to report its errors.
            let coerced = match child {
                Some(child) => self.value(child, value, &below)?,
                None => None,
            };
            match (meta, coerced) {
                (Meta::Gone, _) => drop(edit.remove(key)),
                (Meta::New(value), _) | (Meta::Same, Some(value)) => drop(edit.insert(key, value)),
                (Meta::Same, None) => {}
            }
        }
        Ok(edit.is_changed().then(|| Value::Object(edit.finish())))
    }

    fn meta(&mut self, key: &str, value: Value<'a>, path: &Path<'_>) -> Result<Meta<'a>, Box<FieldError>> {
        match (key, value) {
            ("apiVersion" | "kind", Value::Str(_)) => Ok(Meta::Same),
            ("apiVersion" | "kind", _) if self.malformed == Malformed::Drop => Ok(Meta::Gone),
            ("apiVersion" | "kind", _) => Err(Box::new(FieldError::invalid(
                &path.child(key),
                shown(value),
                "must be a string",
            ))),
            ("metadata", _) => self.metadata(value, &path.child(key)),
            _ => Ok(Meta::Same),
        }
    }

    fn metadata(&mut self, value: Value<'a>, path: &Path<'_>) -> Result<Meta<'a>, Box<FieldError>> {
        let listing = match self.unknown {
            Some(_) => UnknownFields::List,
            None => UnknownFields::Ignore,
        };
        match meta::decode(self.arena, value, self.malformed, listing) {
            Ok(decoded) => {
                if let Some(unknown) = &mut self.unknown {
                    unknown.extend(decoded.unknown.into_iter().map(|field| {
                        let mut whole = path.to_owned();
                        whole.extend(field);
                        whole
                    }));
                }
                let is_same = matches!(value, Value::Object(object)
                    if std::ptr::eq(object.entries(), decoded.object.entries()));
                if is_same {
                    Ok(Meta::Same)
                } else {
                    Ok(Meta::New(Value::Object(decoded.object)))
                }
            }
            // A value that is not an object is left to validation.
            Err(_) if self.malformed == Malformed::Drop => Ok(Meta::Same),
            Err(error) => Err(Box::new(FieldError::invalid(
                path,
                shown(value),
                error.to_string(),
            ))),
        }
    }
}
