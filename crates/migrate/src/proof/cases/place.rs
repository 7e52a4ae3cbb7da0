//! Parts of objects: set, taken over from others, found in a kind.

use std::collections::{HashMap, VecDeque};

use kindsmith_schema::{Schema, TypeId, TypeRef};
use serde_json::{Map, Value as Json, json};

use crate::proof::objects::{Draw, struct_of};
use crate::validation::PathStep;

/// Sets a value, with everything on the way to it; null removes it.
pub(super) fn set(object: &mut Json, path: &[PathStep], value: &Json) {
    let Some((first, rest)) = path.split_first() else {
        *object = value.clone();
        return;
    };
    match first {
        PathStep::Child(name) => {
            if !object.is_object() {
                *object = json!({});
            }
            let Json::Object(members) = object else { return };
            if rest.is_empty() && value.is_null() {
                members.remove(name);
                return;
            }
            set(members.entry(name.clone()).or_insert(Json::Null), rest, value);
        }
        PathStep::Index => {
            if object.as_array().is_none_or(Vec::is_empty) {
                *object = json!([{}]);
            }
            if let Some(item) = object.get_mut(0) {
                set(item, rest, value);
            }
        }
        PathStep::Key => {
            if object.as_object().is_none_or(Map::is_empty) {
                *object = json!({"abc": {}});
            }
            let first = object
                .as_object_mut()
                .and_then(|members| members.values_mut().next());
            if let Some(item) = first {
                set(item, rest, value);
            }
        }
    }
}

/// Takes a part over from another object.
pub(super) fn mix(object: &mut Json, other: &Json, draw: &mut Draw, depth: usize) {
    if let (Json::Object(members), Json::Object(others)) = (&mut *object, other) {
        let mut names: Vec<String> = members.keys().chain(others.keys()).cloned().collect();
        names.sort();
        names.dedup();
        names.retain(|name| name != "metadata");
        if names.is_empty() {
            return;
        }
        let name = names.swap_remove(draw.below(names.len()));
        match (members.get_mut(&name), others.get(&name)) {
            (Some(one), Some(two)) if depth < 6 && draw.percent(80) => mix(one, two, draw, depth + 1),
            (_, Some(two)) => {
                members.insert(name, two.clone());
            }
            (_, None) => {
                members.remove(&name);
            }
        }
        return;
    }
    *object = other.clone();
}

/// Where a kind holds the object of the function that reports an error.
pub(in crate::proof) fn locations(
    schema: &Schema,
    kind: TypeId,
    emit: &crate::validation::Emit,
) -> Vec<Vec<PathStep>> {
    let is_root = |id: TypeId| *schema.ty(id).name.name == *emit.root;
    let mut found = Vec::new();
    let mut pending: VecDeque<(TypeRef, Vec<PathStep>)> = [(TypeRef::Named(kind), Vec::new())].into();
    let mut visits: HashMap<TypeId, usize> = HashMap::new();
    while let Some((ty, path)) = pending.pop_front() {
        if found.len() >= 6 || path.len() > 14 {
            break;
        }
        match &ty {
            TypeRef::Pointer(of) => pending.push_front(((**of).clone(), path)),
            TypeRef::List(of) | TypeRef::Array(_, of) => {
                let path = path.iter().cloned().chain([PathStep::Index]).collect();
                pending.push_back(((**of).clone(), path));
            }
            TypeRef::Map(_, of) => {
                let path = path.iter().cloned().chain([PathStep::Key]).collect();
                pending.push_back(((**of).clone(), path));
            }
            TypeRef::Named(_) => {
                let Some(id) = struct_of(schema, &ty) else {
                    // A named list or map.
                    if let Some(of) = defined(schema, &ty) {
                        pending.push_front((of, path));
                    }
                    continue;
                };
                let count = visits.entry(id).or_insert(0);
                *count += 1;
                if *count > 4 {
                    continue;
                }
                if is_root(id) {
                    found.push(path.clone());
                }
                for (_, field) in schema.fields(id) {
                    let mut path = path.clone();
                    if !field.is_inline() {
                        let Some(name) = field.json_name() else { continue };
                        path.push(PathStep::Child(name.to_owned()));
                    }
                    pending.push_back((field.ty.clone(), path));
                }
            }
            _ => {}
        }
    }
    found
}

fn defined(schema: &Schema, ty: &TypeRef) -> Option<TypeRef> {
    let TypeRef::Named(id) = ty else { return None };
    match &schema.ty(*id).shape {
        kindsmith_schema::Shape::Def(of) | kindsmith_schema::Shape::Alias(of) => Some(of.clone()),
        _ => None,
    }
}
