//! The schema as Kubernetes' generators see it: kinds of types, and types with names resolved.

use std::fmt::Write as _;

use crate::all_types::AllTypes;
use crate::{Builder, Field, Scalar, Schema, Shape, Type, TypeId, TypeRef, WellKnown};

/// Where the text of a type ends: aliases that refer to themselves have no end, and those that double take long.
const LONGEST_TEXT: usize = 64 << 10;
const DEEPEST_TEXT: usize = 1_000;

/// Reads types, both while a schema is built and afterwards.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    types: Types<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Types<'a> {
    /// Those known so far.
    SoFar(&'a [Type]),
    All(&'a AllTypes),
}

/// The kind of a type in the words of Kubernetes' generators (gengo `types.Kind`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GoKind {
    /// A builtin scalar.
    Builtin,
    /// A struct, or a named type over one.
    Struct,
    /// A named type over a scalar, list or map.
    Alias,
    /// `*T`, or a named type over one.
    Pointer,
    /// `[]T`.
    Slice,
    /// `[N]T`, or a named type over one.
    Array,
    /// `map[K]V`.
    Map,
    /// An interface, or a named type over one.
    Interface,
    /// A channel.
    Chan,
    /// A function.
    Func,
    /// Types that the generators do not support.
    Unsupported,
    /// A named type whose declaration was not found.
    Unknown,
}

impl Schema {
    /// A view of this schema.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        View {
            types: Types::All(&self.types),
        }
    }
}

impl Builder {
    /// A view of the types known so far.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        View {
            types: Types::SoFar(self.types()),
        }
    }
}

impl<'a> View<'a> {
    /// The type behind an id.
    #[must_use]
    pub fn ty(self, id: TypeId) -> &'a Type {
        match self.types {
            Types::SoFar(types) => &types[id.index()],
            Types::All(types) => types.at(id.index()),
        }
    }

    fn count(self) -> usize {
        match self.types {
            Types::SoFar(types) => types.len(),
            Types::All(types) => types.len(),
        }
    }

    /// Follows `type A = B` aliases.
    #[must_use]
    pub fn unalias(self, mut of: &'a TypeRef) -> &'a TypeRef {
        for _ in 0..=self.count() {
            match self.named(of).map(|ty| &ty.shape) {
                Some(Shape::Alias(target)) => of = target,
                _ => break,
            }
        }
        of
    }

    /// Follows aliases and typedef links to the end; only a struct or a hole keeps its name.
    #[must_use]
    pub fn underlying(self, mut of: &'a TypeRef) -> &'a TypeRef {
        // A chain without repetition cannot be longer than the number of types.
        for _ in 0..=self.count() {
            match self.named(of) {
                Some(Type {
                    shape: Shape::Alias(target) | Shape::Def(target),
                    ..
                }) => of = target,
                Some(ty) if ty.shape == Shape::Hole => return well_known_underlying(ty).unwrap_or(of),
                _ => break,
            }
        }
        of
    }

    /// The kind of a type.
    #[must_use]
    pub fn kind(self, of: &'a TypeRef) -> GoKind {
        let of = self.unalias(of);
        let named = matches!(of, TypeRef::Named(_));
        let underlying = self.underlying(of);
        match underlying {
            TypeRef::Scalar(_) | TypeRef::List(_) | TypeRef::Map(..) if named => GoKind::Alias,
            TypeRef::Scalar(_) => GoKind::Builtin,
            TypeRef::List(_) => GoKind::Slice,
            TypeRef::Map(..) => GoKind::Map,
            TypeRef::Pointer(_) => GoKind::Pointer,
            TypeRef::Array(..) => GoKind::Array,
            TypeRef::Any { .. } | TypeRef::Interface => GoKind::Interface,
            TypeRef::Unsupported { kind: "Chan", .. } => GoKind::Chan,
            TypeRef::Unsupported { kind: "Func", .. } => GoKind::Func,
            TypeRef::Unsupported { .. } => GoKind::Unsupported,
            TypeRef::Named(id) => match self.ty(*id) {
                Type {
                    shape: Shape::Struct(_),
                    ..
                }
                | Type {
                    well_known: Some(_), ..
                } => GoKind::Struct,
                _ => GoKind::Unknown,
            },
        }
    }

    /// The struct behind a type, through aliases and typedef links: the type that holds the members, and the
    /// members.
    #[must_use]
    pub fn members(self, of: &'a TypeRef) -> Option<(TypeId, &'a [Field])> {
        let TypeRef::Named(id) = self.underlying(of) else {
            return None;
        };
        match &self.ty(*id).shape {
            Shape::Struct(members) => Some((*id, &members.fields)),
            _ => None,
        }
    }

    /// The scalar behind a type, through aliases and typedef links.
    #[must_use]
    pub fn scalar(self, of: &'a TypeRef) -> Option<Scalar> {
        match self.underlying(of) {
            TypeRef::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// The type without its outermost pointer, if it is one.
    #[must_use]
    pub fn deref(self, of: &'a TypeRef) -> &'a TypeRef {
        match self.unalias(of) {
            TypeRef::Pointer(inner) => inner,
            other => other,
        }
    }

    /// The type in full, as messages of the generators show it.
    #[must_use]
    pub fn text(self, of: &TypeRef) -> String {
        let mut text = String::new();
        self.write_text(of, &mut text, 0);
        text
    }

    fn write_text(self, of: &TypeRef, out: &mut String, depth: usize) {
        if depth > DEEPEST_TEXT || out.len() > LONGEST_TEXT {
            return;
        }
        match of {
            TypeRef::Named(id) => match self.ty(*id) {
                Type {
                    shape: Shape::Alias(target),
                    ..
                } => self.write_text(target, out, depth + 1),
                ty => write!(out, "{}", ty.name).expect("writing to a string succeeds"),
            },
            TypeRef::Scalar(scalar) => out.push_str(scalar.name()),
            TypeRef::Pointer(inner) => {
                out.push('*');
                self.write_text(inner, out, depth + 1);
            }
            TypeRef::List(inner) => {
                out.push_str("[]");
                self.write_text(inner, out, depth + 1);
            }
            TypeRef::Array(len, inner) => {
                write!(out, "[{len}]").expect("writing to a string succeeds");
                self.write_text(inner, out, depth + 1);
            }
            TypeRef::Map(key, value) => {
                out.push_str("map[");
                self.write_text(key, out, depth + 1);
                out.push(']');
                self.write_text(value, out, depth + 1);
            }
            TypeRef::Any { spelled_out: true } => out.push_str("interface{}"),
            TypeRef::Any { spelled_out: false } => out.push_str("any"),
            TypeRef::Interface => out.push_str("interface{...}"),
            TypeRef::Unsupported { text, .. } => out.push_str(text),
        }
    }

    fn named(self, of: &TypeRef) -> Option<&'a Type> {
        match of {
            TypeRef::Named(id) => Some(self.ty(*id)),
            _ => None,
        }
    }
}

/// The underlying types of library types that are not structs.
fn well_known_underlying(ty: &Type) -> Option<&'static TypeRef> {
    const NANOSECONDS: &TypeRef = &TypeRef::Scalar(Scalar::Int64);
    static BYTES: std::sync::LazyLock<TypeRef> =
        std::sync::LazyLock::new(|| TypeRef::Scalar(Scalar::Byte).list());
    match ty.well_known? {
        WellKnown::GoDuration => Some(NANOSECONDS),
        WellKnown::RawMessage => Some(&BYTES),
        _ => None,
    }
}

impl GoKind {
    /// The name that the generators print.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Builtin => "Builtin",
            Self::Struct => "Struct",
            Self::Alias => "Alias",
            Self::Pointer => "Pointer",
            Self::Slice => "Slice",
            Self::Array => "Array",
            Self::Map => "Map",
            Self::Interface => "Interface",
            Self::Chan => "Chan",
            Self::Func => "Func",
            Self::Unsupported => "Unsupported",
            Self::Unknown => "Unknown",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Struct, TypeName};

    fn builder() -> (Builder, impl Fn(&mut Builder, &str, Shape) -> TypeRef) {
        let define = |builder: &mut Builder, text: &str, shape: Shape| {
            let name = TypeName::new("x.org/a", text);
            let id = builder.declare(&name);
            builder.define(id, Type::new(name, shape));
            TypeRef::Named(id)
        };
        (Builder::default(), define)
    }

    #[test]
    fn kinds_follow_names() {
        let (mut builder, define) = builder();
        let string = TypeRef::Scalar(Scalar::String);
        let name = define(&mut builder, "Name", Shape::Def(string.clone()));
        let chain = define(&mut builder, "Chain", Shape::Def(name.clone()));
        let same = define(&mut builder, "Same", Shape::Alias(string.clone()));
        let object = define(&mut builder, "Object", Shape::Struct(Struct::default()));
        let copy = define(&mut builder, "Copy", Shape::Def(object.clone()));
        let pointer = define(&mut builder, "Pointer", Shape::Def(string.clone().pointer()));
        let hole = define(&mut builder, "Hole", Shape::Hole);
        let view = builder.view();
        for (of, kind) in [
            (&string, GoKind::Builtin),
            (&name, GoKind::Alias),
            (&chain, GoKind::Alias),
            (&same, GoKind::Builtin),
            (&object, GoKind::Struct),
            (&copy, GoKind::Struct),
            (&pointer, GoKind::Pointer),
            (&hole, GoKind::Unknown),
            (&name.clone().list(), GoKind::Slice),
        ] {
            assert_eq!(view.kind(of), kind, "{}", view.text(of));
        }
        assert_eq!(view.underlying(&chain), &string);
        assert_eq!(view.text(&chain.list().map(string)), "map[string][]x.org/a.Chain");
        assert_eq!(view.text(&same.pointer()), "*string");
    }

    #[test]
    fn circular_types_end() {
        let (mut builder, define) = builder();
        let target = TypeRef::Named(builder.declare(&TypeName::new("x.org/a", "B")));
        let a = define(&mut builder, "A", Shape::Def(target));
        define(&mut builder, "B", Shape::Def(a.clone()));
        assert_eq!(builder.view().kind(&a), GoKind::Unknown);
    }
}
