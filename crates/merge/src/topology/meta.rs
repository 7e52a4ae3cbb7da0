//! The topology of `ObjectMeta`, which every kind has at its root, from the one table of its fields.

use kindsmith_object::meta::fields::{self as meta, FieldType, OBJECT_META};

use super::{Atom, AtomId, Compiler, Field, KeyDefault, ListKind, Map, Scalar, sorted};

impl Compiler {
    /// `ObjectMeta`; `open` allows members of any name.
    pub(super) fn object_meta(&mut self, open: bool) -> AtomId {
        let fields = OBJECT_META.iter().map(|known| &known.field);
        self.structure(fields, open, false)
    }

    /// A struct of metadata.
    fn structure(
        &mut self,
        fields: impl Iterator<Item = &'static meta::Field>,
        open: bool,
        atomic: bool,
    ) -> AtomId {
        let fields = fields.map(|field| Field {
            name: field.name.into(),
            ty: self.meta_field(field.ty, open),
            // Strings that are always written are published with an empty default.
            default: matches!(field.ty, FieldType::RequiredText).then(|| KeyDefault::Str("".into())),
        });
        let fields = sorted(fields.collect());
        let element = open.then_some(super::Topology::DEDUCED);
        self.add(Atom {
            map: Some(Map {
                fields,
                element,
                atomic,
            }),
            ..Atom::default()
        })
    }

    fn meta_field(&mut self, ty: FieldType, open: bool) -> AtomId {
        match ty {
            FieldType::Text | FieldType::RequiredText => self.scalar(Scalar::String),
            FieldType::Integer | FieldType::OptionalInteger => self.scalar(Scalar::Numeric),
            FieldType::OptionalBool => self.scalar(Scalar::Boolean),
            FieldType::Time | FieldType::OptionalTime => self.scalar(Scalar::Untyped),
            FieldType::Texts => {
                let text = self.scalar(Scalar::String);
                self.map_of(text)
            }
            FieldType::TextSet => {
                let text = self.scalar(Scalar::String);
                self.list_of(text, ListKind::Set)
            }
            FieldType::Structs(structure) => {
                let element = self.structure(structure.fields.iter(), open, structure.is_atomic);
                let kind = match structure.list_key {
                    Some(key) => ListKind::Map(vec![key.into()]),
                    None => ListKind::Atomic,
                };
                self.list_of(element, kind)
            }
            FieldType::Raw => self.map_of(super::Topology::DEDUCED),
        }
    }

    pub(super) fn map_of(&mut self, element: AtomId) -> AtomId {
        let map = Map {
            element: Some(element),
            ..Map::default()
        };
        self.add(Atom {
            map: Some(map),
            ..Atom::default()
        })
    }

    pub(super) fn list_of(&mut self, element: AtomId, kind: ListKind) -> AtomId {
        let list = self.list(element, kind);
        self.add(Atom {
            list: Some(list),
            ..Atom::default()
        })
    }
}
