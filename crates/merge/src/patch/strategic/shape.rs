//! How Go types merge: the type of a field, its strategy and its merge key.

use kindsmith_schema::{Field, TypeRef, View, WellKnown};

use super::Merger;
use crate::MAX_DEPTH;
use crate::patch::PatchError;

/// A field that was found.
#[derive(Clone, Copy)]
pub(super) struct Found<'s> {
    /// Its type; for a list, the type of its elements.
    pub(super) ty: &'s TypeRef,
    pub(super) strategy: Strategy,
    /// The merge key; empty if there is none.
    pub(super) merge_key: &'s str,
}

/// How two values are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strategy {
    /// No strategy: objects merge, lists are replaced.
    Usual,
    Merge,
    Replace,
}

impl<'s> Merger<'s, '_> {
    /// The field of a struct by its JSON name, ignoring case if there is no exact match.
    pub(super) fn field(self, of: &'s TypeRef, name: &str) -> Result<Found<'s>, PatchError> {
        let of = self.view.deref(of);
        let Some((id, _)) = self.view.members(of) else {
            let kind = self.kind(of);
            return Err(PatchError::Failed(format!(
                "merging an object in json but data type is not struct, instead is: {kind}"
            )));
        };
        let mut fields = Vec::new();
        members(self.view, of, &mut fields, 0);
        let is_called = |wanted: &dyn Fn(&str) -> bool| {
            fields
                .iter()
                .copied()
                .find(|field| field.json_name().is_some_and(wanted))
        };
        let exact = is_called(&|json| json == name);
        if let Some(field) = exact.or_else(|| is_called(&|json| json.eq_ignore_ascii_case(name))) {
            return Ok(found(field));
        }
        let ty = self.view.ty(id);
        // Metadata merges the same everywhere, even if its declaration was not read.
        if ty.well_known == Some(WellKnown::ObjectMeta) && fields.is_empty() {
            return Ok(Found {
                ty: &UNKNOWN_LIST,
                strategy: match name {
                    "finalizers" | "ownerReferences" => Strategy::Merge,
                    _ => Strategy::Usual,
                },
                merge_key: if name == "ownerReferences" { "uid" } else { "" },
            });
        }
        Err(PatchError::Failed(format!(
            "unable to find api field in struct {} for the json field {}",
            ty.name.name,
            kindsmith_gostd::quote::quote(name)
        )))
    }

    /// Same for a list: the type is that of its elements.
    pub(super) fn list_field(self, of: &'s TypeRef, name: &str) -> Result<Found<'s>, PatchError> {
        let found = self.field(of, name)?;
        match self.view.underlying(self.view.deref(found.ty)) {
            TypeRef::List(item) | TypeRef::Array(_, item) => {
                if let TypeRef::List(_) | TypeRef::Array(..) = self.view.underlying(item) {
                    return Err(PatchError::Failed("unexpected slice of slice".to_owned()));
                }
                Ok(Found { ty: item, ..found })
            }
            _ => {
                let kind = self.kind(self.view.deref(of));
                Err(PatchError::Failed(format!(
                    "expected slice or array type, but got: {kind}"
                )))
            }
        }
    }

    /// Go's name for the kind of a type (`reflect.Kind`).
    pub(super) fn kind(self, of: &'s TypeRef) -> &'static str {
        match self.view.underlying(of) {
            TypeRef::Named(_) => "struct",
            TypeRef::Scalar(scalar) => scalar.name(),
            TypeRef::Pointer(_) => "ptr",
            TypeRef::List(_) => "slice",
            TypeRef::Array(..) => "array",
            TypeRef::Map(..) => "map",
            TypeRef::Any { .. } | TypeRef::Interface => "interface",
            TypeRef::Unsupported { .. } => "invalid",
        }
    }
}

static UNKNOWN_LIST: std::sync::LazyLock<TypeRef> =
    std::sync::LazyLock::new(|| TypeRef::List(Box::new(TypeRef::Any { spelled_out: false })));

/// The fields of a struct, those of inlined structs in their place.
fn members<'s>(view: View<'s>, of: &'s TypeRef, fields: &mut Vec<&'s Field>, depth: usize) {
    let Some((_, own)) = view.members(of).filter(|_| depth < MAX_DEPTH) else {
        return;
    };
    for field in own {
        if field.is_inline() {
            members(view, view.deref(&field.ty), fields, depth + 1);
        } else {
            fields.push(field);
        }
    }
}

fn found(field: &Field) -> Found<'_> {
    let text = field.patch.strategy.as_deref().unwrap_or_default();
    let strategy = text
        .split(',')
        .map(|word| match word {
            "merge" => Strategy::Merge,
            "replace" => Strategy::Replace,
            _ => Strategy::Usual,
        })
        .find(|strategy| *strategy != Strategy::Usual);
    Found {
        ty: &field.ty,
        strategy: strategy.unwrap_or(Strategy::Usual),
        merge_key: field.patch.merge_key.as_deref().unwrap_or_default(),
    }
}
