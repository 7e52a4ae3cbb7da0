//! Parts of an object, found in the types that have the tags.
//!
//! Validation may use other types than clients do (Kubernetes' internal ones): types are found by their name, fields by
//! their name in Go.

use kindsmith_schema::{Field, FieldId, Schema, Shape, TypeId, TypeRef};

use super::value::{PathStep, Place, Step};

/// A part of an object in one version of the API.
#[derive(Debug, Clone)]
pub(crate) struct Target<'s> {
    pub(crate) schema: &'s Schema,
    /// The field that holds it.
    pub(crate) field: FieldId,
    /// The field of the innermost struct, which may be that of a library.
    pub(crate) innermost: FieldId,
    /// Items and keys inside that field.
    pub(crate) trail: Vec<Step>,
    /// What to write before a tag on the field: `+k8s:eachVal=` for an item.
    pub(crate) wraps: String,
    /// Its type.
    pub(crate) ty: TypeRef,
    /// Where it is in JSON.
    pub(crate) path: Vec<PathStep>,
}

impl Target<'_> {
    pub(crate) fn of(&self) -> &Field {
        self.schema.field(self.field)
    }
}

/// Types of this name in the packages that were asked for.
fn types<'s>(schema: &'s Schema, name: &'s str) -> impl Iterator<Item = TypeId> + 's {
    let is_input = |package: &str| schema.package(package).is_some_and(|package| package.input);
    let named = schema
        .types()
        .filter(move |(_, ty)| &*ty.name.name == name && is_input(&ty.name.package));
    named.map(|(id, _)| id)
}

/// Whether a struct has this name.
pub(super) fn is_struct(schema: &Schema, name: &str) -> bool {
    types(schema, name).any(|id| !schema.ty(id).fields().is_empty())
}

/// The part in every version that has it.
pub(crate) fn targets<'s>(schema: &'s Schema, place: &'s Place) -> Vec<Target<'s>> {
    types(schema, &place.root)
        .filter_map(|root| target(schema, root, &place.steps))
        .collect()
}

fn target<'s>(schema: &'s Schema, root: TypeId, steps: &[Step]) -> Option<Target<'s>> {
    let mut ty = TypeRef::Named(root);
    let mut path = Vec::new();
    let mut last: Option<FieldId> = None;
    let mut wraps = String::new();
    let mut innermost = None;
    let mut trail = Vec::new();
    for step in steps {
        trail.push(step.clone());
        let under = underlying(schema, &ty)?;
        match (step, under) {
            (Step::Field(name), TypeRef::Named(id)) => {
                let (at, field) = find(schema, id, name, 0)?;
                innermost = Some(at);
                trail.clear();
                if !field.is_inline() {
                    path.push(PathStep::Child(field.json_name()?.to_owned()));
                }
                ty = field.ty.clone();
                let package = &schema.ty(id).name.package;
                let is_ours = schema.package(package).is_some_and(|package| package.input);
                match last {
                    // Types of libraries get no tags; the field that uses them does.
                    Some(_) if !is_ours => wraps.push_str(&format!("+k8s:subfield({})=", field.json_name()?)),
                    _ => {
                        last = Some(at);
                        wraps.clear();
                    }
                }
            }
            (Step::Item, TypeRef::List(of) | TypeRef::Array(_, of)) => {
                path.push(PathStep::Index);
                wraps.push_str("+k8s:eachVal=");
                ty = *of;
            }
            (Step::Item, TypeRef::Map(_, of)) => {
                path.push(PathStep::Key);
                wraps.push_str("+k8s:eachVal=");
                ty = *of;
            }
            (Step::Key, TypeRef::Map(of, _)) => {
                // Errors about keys name the map.
                wraps.push_str("+k8s:eachKey=");
                ty = *of;
            }
            _ => return None,
        }
    }
    Some(Target {
        schema,
        field: last?,
        innermost: innermost?,
        trail,
        wraps,
        ty,
        path,
    })
}

/// Whether a type is a struct, not a pointer to one.
pub(super) fn is_struct_value(schema: &Schema, ty: &TypeRef) -> bool {
    !matches!(ty, TypeRef::Pointer(_)) && matches!(underlying(schema, ty), Some(TypeRef::Named(_)))
}

/// Whether a type is a map.
pub(super) fn is_map(schema: &Schema, ty: &TypeRef) -> bool {
    matches!(underlying(schema, ty), Some(TypeRef::Map(..)))
}

/// The member of a part that has a name in JSON.
pub(super) fn member(schema: &Schema, place: &Place, json: &str) -> Option<Place> {
    let holders: Vec<TypeRef> = if place.steps.is_empty() {
        types(schema, &place.root).map(TypeRef::Named).collect()
    } else {
        targets(schema, place)
            .into_iter()
            .map(|target| target.ty)
            .collect()
    };
    let TypeRef::Named(id) = underlying(schema, holders.first()?)? else {
        return None;
    };
    let go = named_in_json(schema, id, json, 0)?;
    Some(place.then(Step::Field(go.to_owned())))
}

fn named_in_json<'s>(schema: &'s Schema, id: TypeId, json: &str, depth: usize) -> Option<&'s str> {
    let own = schema
        .fields(id)
        .find(|(_, field)| field.json_name() == Some(json));
    if let Some((_, field)) = own {
        return Some(&field.name);
    }
    if depth > 4 {
        return None;
    }
    let mut inline = schema.fields(id).filter(|(_, field)| field.is_inline());
    inline.find_map(|(_, field)| match underlying(schema, &field.ty)? {
        TypeRef::Named(inner) => named_in_json(schema, inner, json, depth + 1),
        _ => None,
    })
}

/// The name in JSON of a field of a list's items.
pub(super) fn item_member<'s>(schema: &'s Schema, list: &TypeRef, name: &str) -> Option<&'s str> {
    let TypeRef::List(item) = underlying(schema, list)? else {
        return None;
    };
    match underlying(schema, &item)? {
        TypeRef::Named(id) => find(schema, id, name, 0)?.1.json_name(),
        _ => None,
    }
}

/// A field by its name, also those of embedded structs.
fn find<'s>(schema: &'s Schema, id: TypeId, name: &str, depth: usize) -> Option<(FieldId, &'s Field)> {
    if let Some(found) = schema.fields(id).find(|(_, field)| &*field.name == name) {
        return Some(found);
    }
    if depth > 4 {
        return None;
    }
    let mut embedded = schema.fields(id).filter(|(_, field)| field.embedded);
    embedded.find_map(|(_, field)| match underlying(schema, &field.ty)? {
        TypeRef::Named(inner) => find(schema, inner, name, depth + 1),
        _ => None,
    })
}

/// The struct, list, map or scalar behind names and pointers.
fn underlying(schema: &Schema, ty: &TypeRef) -> Option<TypeRef> {
    let mut at = ty.clone();
    for _ in 0..32 {
        at = match at {
            TypeRef::Pointer(inner) => *inner,
            TypeRef::Named(id) => match &schema.ty(id).shape {
                Shape::Def(of) | Shape::Alias(of) => of.clone(),
                _ => return Some(TypeRef::Named(id)),
            },
            other => return Some(other),
        };
    }
    None
}
