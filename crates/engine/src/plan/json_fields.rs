//! Which members of a struct appear in its JSON, and under which names, when structs are embedded.

use kindsmith_schema::{Field, GoKind, TypeRef};

use kindsmith_checks::Types;

/// A field that competes for a name: the indices that lead to it.
struct Candidate {
    name: String,
    path: Vec<u32>,
    tagged: bool,
}

/// Embedding deeper than this is not followed.
const MAX_DEPTH: usize = 50;

/// The fields below a struct that lose their name to another field: Go takes the least embedded one, then the
/// one with a name in its tag, and no field if several are left (encoding/json, `typeFields`).
pub(super) fn lost(types: Types<'_>, of: &TypeRef) -> Vec<Vec<u32>> {
    let mut candidates = Vec::new();
    collect(types, of, &mut Vec::new(), &mut Vec::new(), &mut candidates);
    candidates.sort_by(|left, right| {
        (&left.name, left.path.len(), !left.tagged).cmp(&(&right.name, right.path.len(), !right.tagged))
    });
    let mut lost = Vec::new();
    for group in candidates.chunk_by(|left, right| left.name == right.name) {
        let rank = |candidate: &Candidate| (candidate.path.len(), candidate.tagged);
        let clash = group.len() > 1 && rank(&group[0]) == rank(&group[1]);
        let losers = if clash { group } else { &group[1..] };
        lost.extend(losers.iter().map(|candidate| candidate.path.clone()));
    }
    lost.sort();
    lost
}

fn collect(
    types: Types<'_>,
    of: &TypeRef,
    path: &mut Vec<u32>,
    seen: &mut Vec<TypeRef>,
    candidates: &mut Vec<Candidate>,
) {
    let of = types.non_pointer(of);
    if seen.contains(&of) || path.len() > MAX_DEPTH {
        return;
    }
    let Some((_, fields)) = types.members(&of) else {
        return;
    };
    seen.push(of);
    for (index, field) in fields.iter().enumerate() {
        path.push(index as u32);
        if is_merged(types, field) {
            collect(types, &field.ty, path, seen, candidates);
        } else if let Some(name) = key(types, field) {
            candidates.push(Candidate {
                name: name.to_owned(),
                path: path.clone(),
                tagged: field.json.names_field(),
            });
        }
        path.pop();
    }
    seen.pop();
}

/// Whether a field's members appear among its parent's in JSON. Only structs are merged.
pub(super) fn is_merged(types: Types<'_>, field: &Field) -> bool {
    field.embedded
        && !field.json.skip
        && !field.json.names_field()
        && types.kind(&types.non_pointer(&field.ty)) == GoKind::Struct
        && types.members(&field.ty).is_some()
}

/// The field's key in JSON, if it is encoded under one.
pub(super) fn key<'f>(types: Types<'_>, field: &'f Field) -> Option<&'f str> {
    if field.json.skip || is_merged(types, field) || !field.is_exported() {
        return None;
    }
    if field.json.names_field() {
        return Some(&field.json.name);
    }
    Some(&field.name)
}
