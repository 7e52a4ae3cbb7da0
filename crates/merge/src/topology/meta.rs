//! The topology of `ObjectMeta`, which every kind has at its root (apimachinery `pkg/apis/meta/v1/types.go`, as
//! openapi-gen publishes it).

use super::{Atom, AtomId, Compiler, Field, KeyDefault, ListKind, Map, Scalar, sorted};

impl Compiler {
    /// `ObjectMeta`; `open` allows members of any name.
    pub(super) fn object_meta(&mut self, open: bool) -> AtomId {
        let text = self.scalar(Scalar::String);
        let number = self.scalar(Scalar::Numeric);
        let time = self.scalar(Scalar::Untyped);
        let texts = self.map_of(text);
        let finalizers = self.list_of(text, ListKind::Set);
        let owner = self.owner_reference(text, open);
        let owners = self.list_of(owner, ListKind::Map(vec!["uid".into()]));
        let entry = self.managed_fields_entry(text, time, open);
        let entries = self.list_of(entry, ListKind::Atomic);
        self.members(
            &[
                ("annotations", texts),
                ("creationTimestamp", time),
                ("deletionGracePeriodSeconds", number),
                ("deletionTimestamp", time),
                ("finalizers", finalizers),
                ("generateName", text),
                ("generation", number),
                ("labels", texts),
                ("managedFields", entries),
                ("name", text),
                ("namespace", text),
                ("ownerReferences", owners),
                ("resourceVersion", text),
                ("selfLink", text),
                ("uid", text),
            ],
            open,
            false,
        )
    }

    fn owner_reference(&mut self, text: AtomId, open: bool) -> AtomId {
        let truth = self.scalar(Scalar::Boolean);
        let id = self.members(
            &[
                ("apiVersion", text),
                ("blockOwnerDeletion", truth),
                ("controller", truth),
                ("kind", text),
                ("name", text),
                ("uid", text),
            ],
            open,
            true,
        );
        // Required strings are published with an empty default.
        for field in self.fields_mut(id).iter_mut().filter(|field| field.ty == text) {
            field.default = Some(KeyDefault::Str("".into()));
        }
        id
    }

    fn managed_fields_entry(&mut self, text: AtomId, time: AtomId, open: bool) -> AtomId {
        let fields = self.map_of(super::Topology::DEDUCED);
        self.members(
            &[
                ("apiVersion", text),
                ("fieldsType", text),
                ("fieldsV1", fields),
                ("manager", text),
                ("operation", text),
                ("subresource", text),
                ("time", time),
            ],
            open,
            false,
        )
    }

    fn members(&mut self, members: &[(&str, AtomId)], open: bool, atomic: bool) -> AtomId {
        let fields = members.iter().map(|(name, ty)| Field {
            name: (*name).into(),
            ty: *ty,
            default: None,
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

    fn fields_mut(&mut self, id: AtomId) -> &mut [Field] {
        self.atoms[id.0 as usize]
            .map
            .as_mut()
            .map_or(&mut [], |map| &mut map.fields)
    }
}
