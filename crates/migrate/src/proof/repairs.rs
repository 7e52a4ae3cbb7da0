//! Objects that a function refuses for an error above a field, without that error.
//!
//! Where a function refuses something first, it does not say what it thinks of the fields inside. Other values around the field
//! show it: its neighbors are removed, filled in and set to every constant, alone and together with what is there.

use std::collections::HashSet;

use kindsmith_schema::{Schema, Shape, TypeId, TypeRef};
use serde_json::{Map, Value as Json};

use super::cases::Case;
use super::judge::{Answer, Beside, Repair};
use super::objects::{Draw, Fill, Maker, Pools, struct_of};
use super::subjects::Subject;

/// Objects for one error that was left out: at least and at most.
const EACH: (usize, usize) = (24, 160);
/// Objects for all of them, unless there are very many.
const MOST: usize = 24_000;
/// Bytes of all of them, shared alike, and how many each error gets however large they are.
const BYTES: (usize, usize) = (96 << 20, 4);
/// Choices that are combined with others.
const CHOICES: usize = 12;
/// Neighbors of a field whose values are changed.
const NEIGHBORS: usize = 40;
/// Larger objects are not repaired.
const LARGEST: usize = 64 << 10;

/// Writes that keep the fields of errors that were left out, and change what is around them.
#[must_use]
pub fn repairs(
    schema: &Schema,
    subjects: &[Subject],
    cases: &[Case],
    answers: &[Answer],
    besides: &[Beside],
) -> Vec<Repair> {
    let mut made = Vec::new();
    let mut maker = Maker {
        schema,
        pools: Pools::new(),
        draw: Draw(11),
    };
    let most = (MOST / besides.len().max(1)).clamp(EACH.0, EACH.1);
    for (of, beside) in besides.iter().enumerate() {
        let (case, answer) = (&cases[beside.case], &answers[beside.case]);
        let Some(text) = answer.new.as_ref().filter(|text| text.len() <= LARGEST) else {
            continue;
        };
        let Ok(object) = serde_json::from_str::<Json>(text) else {
            continue;
        };
        let kind = subjects[case.subject].ty;
        let mut left = BYTES.0 / besides.len();
        for (number, new) in variants(&mut maker, kind, &object, beside, most)
            .into_iter()
            .enumerate()
        {
            if new.len() > left && number >= BYTES.1 {
                break;
            }
            left = left.saturating_sub(new.len());
            let new = new.into();
            let case = Case { new, ..case.clone() };
            made.push(Repair { case, of });
        }
    }
    made
}

/// A step to a part of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Member(String),
    /// The index of an item, or a key.
    Inside(String),
}

/// The parts on the way to a field.
fn parts(field: &str) -> Vec<Part> {
    let mut made = Vec::new();
    let mut rest = field;
    while !rest.is_empty() {
        if let Some(inside) = rest.strip_prefix('[') {
            let end = inside.find(']').unwrap_or(inside.len());
            made.push(Part::Inside(inside[..end].to_owned()));
            rest = inside.get(end + 1..).unwrap_or_default();
        } else {
            let name = rest.strip_prefix('.').unwrap_or(rest);
            let end = name.find(['.', '[']).unwrap_or(name.len());
            made.push(Part::Member(name[..end].to_owned()));
            rest = &name[end..];
        }
    }
    made
}

/// How soon a change is tried: what decides most often whether a function goes on comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Another constant, or an item without the others.
    Choice,
    Alone,
    AloneWith,
    /// Two choices.
    Choices,
    Without,
    With,
}

/// The object with other values around a field, from the holder of the part that was refused down to it.
fn variants(maker: &mut Maker<'_>, kind: TypeId, object: &Json, beside: &Beside, most: usize) -> Vec<String> {
    let mut found = changed(maker, kind, object, beside);
    // Behind the choice that is refused there may be another one that is wrong.
    let choices = found.iter().filter(|(rank, _)| *rank == Rank::Choice);
    let choices: Vec<Json> = choices.take(CHOICES).map(|(_, object)| object.clone()).collect();
    for object in &choices {
        let more = changed(maker, kind, object, beside).into_iter();
        let more = more.filter(|(rank, _)| *rank == Rank::Choice).take(CHOICES);
        found.extend(more.map(|(_, object)| (Rank::Choices, object)));
    }
    found.sort_by_key(|(rank, _)| *rank);
    let mut seen = HashSet::new();
    let texts = found.into_iter().map(|(_, object)| object.to_string());
    texts
        .filter(|text| seen.insert(text.clone()))
        .take(most)
        .collect()
}

/// The object with one change at each level.
fn changed(maker: &mut Maker<'_>, kind: TypeId, object: &Json, beside: &Beside) -> Vec<(Rank, Json)> {
    let way = parts(&beside.field);
    let first = parts(&beside.root).len().saturating_sub(1);
    let mut ty = TypeRef::Named(kind);
    let mut made = Vec::new();
    for (depth, part) in way.iter().enumerate() {
        if depth >= first {
            let holder = at(object, &way[..depth]);
            let changes = match part {
                Part::Member(name) => around(maker, &ty, holder, name),
                Part::Inside(key) => alone(holder, key)
                    .map(|value| (Rank::Choice, value))
                    .into_iter()
                    .collect(),
            };
            for (rank, value) in changes {
                let mut other = object.clone();
                if let Some(place) = at_mut(&mut other, &way[..depth]) {
                    *place = value;
                    made.push((rank, other));
                }
            }
        }
        let Some(inner) = inside(maker.schema, &ty, part) else {
            break;
        };
        ty = inner;
    }
    made
}

/// A struct whose members are changed, all but one: that one alone, and others removed or with other values.
fn around(maker: &mut Maker<'_>, ty: &TypeRef, holder: Option<&Json>, kept: &str) -> Vec<(Rank, Json)> {
    let schema = maker.schema;
    let Some(Json::Object(members)) = holder else {
        return Vec::new();
    };
    let Some(id) = struct_of(schema, ty) else {
        return Vec::new();
    };
    let only: Map<String, Json> = members
        .iter()
        .filter(|(name, _)| *name == kept)
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let mut made = vec![(Rank::Alone, Json::Object(only.clone()))];
    let mut fields = Vec::new();
    fields_of(schema, id, 0, &mut fields);
    fields.retain(|(name, _)| name != kept && name != "metadata");
    for (name, ty) in fields.into_iter().take(NEIGHBORS) {
        let constants = named(&ty).map_or_else(Vec::new, |id| maker.constants(id));
        let (rank, values) = if constants.is_empty() {
            (Rank::With, vec![maker.value(&ty, None, Fill::Full, 2)])
        } else {
            (Rank::Choice, constants)
        };
        for value in values.into_iter().filter(|value| !value.is_null()) {
            for (rank, base) in [(rank, members), (Rank::AloneWith, &only)] {
                let mut other = base.clone();
                other.insert(name.clone(), value.clone());
                made.push((rank, Json::Object(other)));
            }
        }
        if members.contains_key(&name) {
            let mut other = members.clone();
            other.remove(&name);
            made.push((Rank::Without, Json::Object(other)));
        }
    }
    made
}

/// A list or map with one of its values only.
fn alone(holder: Option<&Json>, key: &str) -> Option<Json> {
    match holder? {
        Json::Array(items) if items.len() > 1 => {
            let item = items.get(key.parse::<usize>().ok()?)?;
            Some(Json::Array(vec![item.clone()]))
        }
        Json::Object(members) if members.len() > 1 => {
            let value = members.get(key)?;
            Some(Json::Object(
                [(key.to_owned(), value.clone())].into_iter().collect(),
            ))
        }
        _ => None,
    }
}

/// The members of a struct: names in JSON and types.
fn fields_of(schema: &Schema, id: TypeId, depth: usize, made: &mut Vec<(String, TypeRef)>) {
    for (_, field) in schema.fields(id) {
        match (field.is_inline(), struct_of(schema, &field.ty)) {
            (true, Some(inner)) if depth < 4 => fields_of(schema, inner, depth + 1, made),
            (true, _) => {}
            (false, _) => {
                made.extend(field.json_name().map(|name| (name.to_owned(), field.ty.clone())));
            }
        }
    }
}

/// The named type behind pointers.
fn named(ty: &TypeRef) -> Option<TypeId> {
    match ty {
        TypeRef::Pointer(inner) => named(inner),
        TypeRef::Named(id) => Some(*id),
        _ => None,
    }
}

/// The type of a part.
fn inside(schema: &Schema, ty: &TypeRef, part: &Part) -> Option<TypeRef> {
    match (part, ty) {
        (_, TypeRef::Pointer(of)) => inside(schema, of, part),
        (Part::Member(name), _) => {
            let mut fields = Vec::new();
            fields_of(schema, struct_of(schema, ty)?, 0, &mut fields);
            fields.into_iter().find(|(own, _)| own == name).map(|(_, ty)| ty)
        }
        (Part::Inside(_), TypeRef::List(of) | TypeRef::Array(_, of) | TypeRef::Map(_, of)) => {
            Some((**of).clone())
        }
        (Part::Inside(_), TypeRef::Named(id)) => match &schema.ty(*id).shape {
            Shape::Def(of) | Shape::Alias(of) => inside(schema, of, part),
            _ => None,
        },
        _ => None,
    }
}

fn at<'o>(object: &'o Json, way: &[Part]) -> Option<&'o Json> {
    way.iter().try_fold(object, |object, part| match (part, object) {
        (Part::Inside(index), Json::Array(items)) => items.get(index.parse::<usize>().ok()?),
        (Part::Member(name) | Part::Inside(name), object) => object.get(name),
    })
}

fn at_mut<'o>(object: &'o mut Json, way: &[Part]) -> Option<&'o mut Json> {
    way.iter().try_fold(object, |object, part| match (part, object) {
        (Part::Inside(index), Json::Array(items)) => items.get_mut(index.parse::<usize>().ok()?),
        (Part::Member(name) | Part::Inside(name), object) => object.get_mut(name),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{alone, at, parts};

    #[test]
    fn parts_are_members_items_and_keys() {
        let object = json!({"spec": {"lamps": [{"tags": {"a.b/c": 1}}, {"tags": {"a.b/c": 2, "d": 3}}]}});
        let way = parts("spec.lamps[1].tags[a.b/c]");
        assert_eq!(at(&object, &way), Some(&json!(2)));
        assert_eq!(
            alone(at(&object, &way[..way.len() - 1]), "d"),
            Some(json!({"d": 3}))
        );
        let lamps = at(&object, &way[..2]);
        assert_eq!(alone(lamps, "0"), Some(json!([{"tags": {"a.b/c": 1}}])));
        assert_eq!(at(&object, &parts("spec.lamps[7].tags")), None);
    }
}
