//! Which tags fit the type of a field or declaration, by the words of the catalogue.

use kindsmith_schema::{Owner, Scalar, Schema, Shape, TypeRef};
use kindsmith_tags::Tag;

/// What a tag is written on, in the catalogue's words; several for a pointer, or a list of structs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fitting {
    words: &'static [&'static str],
    is_pointer: bool,
}

impl Fitting {
    /// The type of what a comment belongs to; `None` if it has none, or any tag may fit it.
    pub(super) fn of(schema: &Schema, owner: Owner) -> Option<Self> {
        let ty = match owner {
            Owner::Field(id) => schema.field(id).ty.clone(),
            Owner::Type(id) => TypeRef::Named(id),
            Owner::Package(_) | Owner::Constant(..) => return None,
        };
        Some(Self {
            words: words(schema, &ty, 0)?,
            is_pointer: matches!(ty, TypeRef::Pointer(_)),
        })
    }

    /// Whether a tag is for such types.
    pub(super) fn takes(self, tag: &Tag) -> bool {
        let is_any = ["", "any type", "resources"].contains(&tag.types);
        is_any || parts(tag).any(|part| self.is(part))
    }

    fn is(self, part: &str) -> bool {
        match part {
            "pointers" => self.is_pointer,
            "anything but a struct by value" => self.is_pointer || !self.words.contains(&"structs"),
            _ => self.words.contains(&part),
        }
    }
}

/// The types that a tag is for. What stands after a semicolon is about other places.
fn parts(tag: &Tag) -> impl Iterator<Item = &'static str> {
    let types = tag.types.split(';').next().unwrap_or_default();
    types
        .split(", ")
        .flat_map(|part| part.split(" and "))
        .map(str::trim)
}

/// How far definitions are followed.
const MAX_DEPTH: usize = 16;

fn words(schema: &Schema, ty: &TypeRef, depth: usize) -> Option<&'static [&'static str]> {
    if depth > MAX_DEPTH {
        return None;
    }
    match ty {
        TypeRef::Pointer(ty) => words(schema, ty, depth + 1),
        TypeRef::Scalar(Scalar::String) => Some(&[
            "strings",
            "string types",
            "named string types",
            "scalars",
            "builtin scalars",
        ]),
        TypeRef::Scalar(Scalar::Bool) => Some(&[
            "booleans",
            "booleans that are not pointers",
            "scalars",
            "builtin scalars",
        ]),
        TypeRef::Scalar(Scalar::Float32 | Scalar::Float64) => {
            Some(&["numbers", "scalars", "builtin scalars"])
        }
        TypeRef::Scalar(_) => Some(&["integers", "numbers", "scalars", "builtin scalars"]),
        TypeRef::List(item) | TypeRef::Array(_, item) => {
            let is_struct = words(schema, item, depth + 1).is_some_and(|words| words.contains(&"structs"));
            Some(if is_struct {
                &["lists", "lists of structs"]
            } else {
                &["lists"]
            })
        }
        TypeRef::Map(..) => Some(&["maps", "objects"]),
        TypeRef::Named(id) => {
            let ty = schema.ty(*id);
            match &ty.shape {
                // Texts, numbers or both, whatever their Go members are.
                _ if ty.well_known.is_some() => None,
                Shape::Struct(_) => Some(&["structs", "objects"]),
                Shape::Def(of) | Shape::Alias(of) => words(schema, of, depth + 1),
                Shape::Hole => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_tags::catalogue::catalogue;

    use super::*;

    /// All words that the catalogue uses.
    const KNOWN: [&str; 19] = [
        "",
        "anything but a struct by value",
        "any type",
        "booleans",
        "booleans that are not pointers",
        "builtin scalars",
        "constants of an enum",
        "integers",
        "lists",
        "lists of structs",
        "maps",
        "named string types",
        "numbers",
        "objects",
        "packages",
        "pointers",
        "resources",
        "scalars",
        "string types",
    ];

    #[test]
    fn the_words_of_the_catalogue_are_known() {
        for tag in catalogue() {
            for part in parts(tag) {
                let is_known = KNOWN.contains(&part) || ["strings", "structs"].contains(&part);
                assert!(is_known, "{}: {part:?}", tag.name);
            }
        }
    }

    #[test]
    fn tags_are_for_some_types() {
        let strings = Fitting {
            words: &["strings", "scalars"],
            is_pointer: false,
        };
        let find = |name: &str| catalogue().find(|tag| tag.name == name).expect("a tag");
        assert!(strings.takes(find("k8s:maxLength")));
        assert!(!strings.takes(find("k8s:maxItems")));
        assert!(!strings.takes(find("k8s:minimum")));
        assert!(strings.takes(find("k8s:optional")));
        let structs = |is_pointer| Fitting {
            words: &["structs", "objects"],
            is_pointer,
        };
        assert!(!structs(false).takes(find("k8s:optional")));
        assert!(structs(true).takes(find("k8s:optional")));
    }
}
