//! Go types as the generators see them. Knows no rules.

use kindsmith_schema::{Field, FieldId, GoKind, Scalar, Schema, Shape, TypeId, TypeRef, View, WellKnown};

/// A type with names and pointers removed.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// Number of pointers removed.
    pub pointers: usize,
    /// A scalar, list, map, struct, interface or unknown type.
    pub base: TypeRef,
}

/// Questions about the types of a schema.
#[derive(Debug, Clone, Copy)]
pub struct Types<'s> {
    /// The schema.
    pub schema: &'s Schema,
    view: View<'s>,
}

impl<'s> Types<'s> {
    /// The types of a schema.
    #[must_use]
    pub fn new(schema: &'s Schema) -> Self {
        Self {
            schema,
            view: schema.view(),
        }
    }

    /// Follows names and pointers, as validation-gen's `util.NativeType` does.
    #[must_use]
    pub fn resolved(self, of: &TypeRef) -> Resolved {
        let mut pointers = 0;
        let mut here = self.underlying(of);
        while let TypeRef::Pointer(inner) = here {
            pointers += 1;
            here = self.underlying(&inner);
        }
        Resolved { pointers, base: here }
    }

    /// Follows names, but stops at a pointer.
    #[must_use]
    pub fn underlying(self, of: &TypeRef) -> TypeRef {
        let mut here = of.clone();
        // A chain without repetition cannot be longer than the number of types.
        for _ in 0..=self.schema.types().len() {
            let TypeRef::Named(id) = here else { break };
            match &self.schema.ty(id).shape {
                Shape::Alias(target) | Shape::Def(target) => here = target.clone(),
                Shape::Struct(_) => break,
                Shape::Hole => {
                    // Some library types are known without their source code.
                    return match self.schema.ty(id).well_known {
                        Some(WellKnown::GoDuration) => TypeRef::Scalar(Scalar::Int64),
                        Some(WellKnown::RawMessage) => TypeRef::Scalar(Scalar::Byte).list(),
                        _ => TypeRef::Named(id),
                    };
                }
            }
        }
        here
    }

    /// Follows `type A = B` spellings.
    #[must_use]
    pub fn unalias(self, of: &TypeRef) -> TypeRef {
        let mut here = of.clone();
        for _ in 0..=self.schema.types().len() {
            let TypeRef::Named(id) = here else { break };
            match &self.schema.ty(id).shape {
                Shape::Alias(target) => here = target.clone(),
                _ => break,
            }
        }
        here
    }

    /// The kind of a type in the generators' words.
    #[must_use]
    pub fn kind(self, of: &TypeRef) -> GoKind {
        let of = self.unalias(of);
        let named = matches!(of, TypeRef::Named(_));
        match self.underlying(&of) {
            TypeRef::Scalar(_) | TypeRef::List(_) | TypeRef::Map(..) if named => GoKind::Alias,
            TypeRef::Scalar(_) => GoKind::Builtin,
            TypeRef::List(_) => GoKind::Slice,
            TypeRef::Map(..) => GoKind::Map,
            TypeRef::Pointer(_) => GoKind::Pointer,
            TypeRef::Array(..) => GoKind::Array,
            TypeRef::Any { .. } | TypeRef::Interface => GoKind::Interface,
            TypeRef::Unsupported { .. } => GoKind::Unsupported,
            TypeRef::Named(id) => {
                let ty = self.schema.ty(id);
                match &ty.shape {
                    Shape::Struct(_) => GoKind::Struct,
                    _ if ty.well_known.is_some() => GoKind::Struct,
                    _ => GoKind::Unknown,
                }
            }
        }
    }

    /// Is it a pointer, or a name of one?
    #[must_use]
    pub fn is_pointer(self, of: &TypeRef) -> bool {
        self.kind(of) == GoKind::Pointer
    }

    /// The type without pointers; names of value types stay.
    #[must_use]
    pub fn non_pointer(self, of: &TypeRef) -> TypeRef {
        let mut here = self.unalias(of);
        // Every round removes a pointer; the bound ends a named pointer to itself.
        for _ in 0..=self.schema.types().len() {
            if self.kind(&here) != GoKind::Pointer {
                break;
            }
            let TypeRef::Pointer(inner) = self.underlying(&here) else {
                break;
            };
            here = self.unalias(&inner);
        }
        here
    }

    /// The named type that has a function of its own: a struct, or a name of a scalar, list or map.
    #[must_use]
    pub fn function_type(self, of: &TypeRef) -> Option<TypeId> {
        let of = self.non_pointer(of);
        match (self.kind(&of), of) {
            (GoKind::Struct | GoKind::Alias, TypeRef::Named(id)) => Some(id),
            _ => None,
        }
    }

    /// The scalar behind a type, following named types and pointers.
    #[must_use]
    pub fn scalar(self, of: &TypeRef) -> Option<Scalar> {
        match self.resolved(of).base {
            TypeRef::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// Whether it is a string, following named types and pointers.
    #[must_use]
    pub fn is_string(self, of: &TypeRef) -> bool {
        self.scalar(of) == Some(Scalar::String)
    }

    /// The element type of a list, following named types.
    #[must_use]
    pub fn list_element(self, of: &TypeRef) -> Option<TypeRef> {
        match self.resolved(of).base {
            TypeRef::List(element) | TypeRef::Array(_, element) => Some(*element),
            _ => None,
        }
    }

    /// The key and value types of a map, following named types.
    #[must_use]
    pub fn map_parts(self, of: &TypeRef) -> Option<(TypeRef, TypeRef)> {
        match self.resolved(of).base {
            TypeRef::Map(key, value) => Some((*key, *value)),
            _ => None,
        }
    }

    /// The struct behind a type, following named types and pointers: the type with the members, and the members.
    #[must_use]
    pub fn members(self, of: &TypeRef) -> Option<(TypeId, &'s [Field])> {
        let TypeRef::Named(id) = self.resolved(of).base else {
            return None;
        };
        match &self.schema.ty(id).shape {
            Shape::Struct(members) => Some((id, &members.fields)),
            _ => None,
        }
    }

    /// The direct member with this JSON name.
    #[must_use]
    pub fn member(self, of: &TypeRef, name: &str) -> Option<(FieldId, &'s Field)> {
        let (owner, fields) = self.members(of)?;
        let index = fields.iter().position(|field| field.json_name() == Some(name))?;
        let id = FieldId {
            owner,
            index: index as u32,
        };
        Some((id, &fields[index]))
    }

    /// The member with this JSON name, with the embedded structs on the way to it.
    #[must_use]
    pub fn member_within(self, of: &TypeRef, name: &str) -> Option<Vec<FieldId>> {
        self.member_at(of, name, 0)
    }

    fn member_at(self, of: &TypeRef, name: &str, depth: usize) -> Option<Vec<FieldId>> {
        if let Some((id, _)) = self.member(of, name) {
            return Some(vec![id]);
        }
        let (owner, fields) = self.members(of).filter(|_| depth < 16)?;
        let mut embedded = fields.iter().enumerate().filter(|(_, field)| field.is_inline());
        embedded.find_map(|(index, field)| {
            let mut path = vec![FieldId {
                owner,
                index: index as u32,
            }];
            path.extend(self.member_at(&field.ty, name, depth + 1)?);
            Some(path)
        })
    }

    /// The type's name in generator paths: `example.org/pkg.Type`.
    #[must_use]
    pub fn text(self, of: &TypeRef) -> String {
        self.view.text(of)
    }
}
