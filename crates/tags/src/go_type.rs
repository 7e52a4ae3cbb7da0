//! Types as validation-gen sees them: with typedefs and pointers resolved (validation-gen `util.NativeType`,
//! gengo `types.Type`).

use std::collections::HashSet;

use kindsmith_schema::{Field, GoKind, Scalar, Shape, TypeRef, View};

/// A type with its typedefs resolved, and the number of pointers removed.
#[derive(Debug, Clone, Copy)]
pub struct Resolved<'a> {
    /// Number of pointers.
    pub pointers: usize,
    /// The target: never a pointer; a name only of a struct, an interface, an array or a hole.
    pub base: &'a TypeRef,
}

/// Follows typedefs and pointers.
#[must_use]
pub fn resolved<'a>(view: View<'a>, of: &'a TypeRef) -> Resolved<'a> {
    let mut pointers = 0;
    let mut at = of;
    // Longer chains are circular; the text of the type limits pointers.
    for _ in 0..MAX_LINKS {
        at = view.unalias(at);
        match at {
            TypeRef::Pointer(inner) => {
                pointers += 1;
                at = inner;
            }
            TypeRef::Named(id) => match &view.ty(*id).shape {
                // Upstream treats a typedef of a struct as a struct of its own, and it keeps its name.
                Shape::Def(target) if view.kind(at) != GoKind::Struct => at = target,
                _ => break,
            },
            _ => break,
        }
    }
    let underlying = view.underlying(at);
    let base = match underlying {
        TypeRef::Scalar(_) | TypeRef::List(_) | TypeRef::Map(..) => underlying,
        _ => at,
    };
    Resolved { pointers, base }
}

const MAX_LINKS: usize = 64;

impl<'a> Resolved<'a> {
    /// The kind, including pointers.
    #[must_use]
    pub fn kind(self, view: View<'a>) -> GoKind {
        if self.pointers > 0 {
            GoKind::Pointer
        } else {
            view.kind(self.base)
        }
    }

    /// The scalar behind all pointers.
    #[must_use]
    pub fn scalar(self) -> Option<Scalar> {
        match self.base {
            TypeRef::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// Whether the type is text behind all pointers.
    #[must_use]
    pub fn is_string(self) -> bool {
        self.scalar() == Some(Scalar::String)
    }

    /// The integer type behind all pointers. `uintptr` and `rune` do not count (gengo `types.IsInteger`).
    #[must_use]
    pub fn integer(self) -> Option<Scalar> {
        self.scalar()
            .filter(|scalar| scalar.is_integer() && !matches!(scalar, Scalar::Uintptr | Scalar::Rune))
    }

    /// Whether a value can be nil: pointers, lists, maps, interfaces.
    #[must_use]
    pub fn is_nilable(self, view: View<'a>) -> bool {
        matches!(
            self.kind(view),
            GoKind::Pointer | GoKind::Slice | GoKind::Map | GoKind::Interface
        )
    }

    /// The members of the struct behind all pointers.
    #[must_use]
    pub fn fields(self, view: View<'a>) -> Option<&'a [Field]> {
        view.members(self.base).map(|(_, fields)| fields)
    }
}

/// The member with this JSON name. Members of inlined structs are not found, as upstream.
#[must_use]
pub fn member<'a>(fields: &'a [Field], json: &str) -> Option<&'a Field> {
    fields
        .iter()
        .find(|field| field.json_name().unwrap_or_default() == json)
}

/// Whether values are compared with `==`: no pointer, list or map inside.
#[must_use]
pub fn is_comparable<'a>(view: View<'a>, of: &'a TypeRef) -> bool {
    let mut seen = HashSet::new();
    let mut work = vec![of];
    while let Some(next) = work.pop() {
        match view.underlying(next) {
            TypeRef::Scalar(_) => {}
            TypeRef::Array(_, inner) => work.push(inner),
            other => match view.members(other) {
                // A struct that was visited is not visited again, so recursion ends.
                Some((id, fields)) => {
                    if seen.insert(id) {
                        work.extend(fields.iter().map(|field| &field.ty));
                    }
                }
                None => return false,
            },
        }
    }
    true
}

/// A type as upstream's messages show it. gengo treats all 8-bit integers as `byte`.
#[must_use]
pub fn text(view: View<'_>, of: &TypeRef) -> String {
    match of {
        TypeRef::Scalar(Scalar::Int8 | Scalar::Uint8) => "byte".to_owned(),
        TypeRef::Pointer(inner) => format!("*{}", text(view, inner)),
        TypeRef::List(inner) => format!("[]{}", text(view, inner)),
        TypeRef::Map(key, value) => format!("map[{}]{}", text(view, key), text(view, value)),
        _ => match view.unalias(of) {
            same if same == of => view.text(of),
            other => text(view, other),
        },
    }
}

/// A type and the type that it resolves to (validation-gen `rootTypeString`).
#[must_use]
pub(crate) fn root_text(view: View<'_>, of: &TypeRef, resolved: &TypeRef) -> String {
    let (from, to) = (text(view, of), text(view, resolved));
    if from == to {
        from
    } else {
        format!("{from} -> {to}")
    }
}
