//! The schema itself: types, packages and kinds under stable ids.

use std::collections::BTreeSet;

use crate::all_types::AllTypes;
use crate::{Condition, Exclusion, Field, FieldId, Kind, Package, Rule, Shape, Type, TypeId, TypeName};

/// Types, packages and kinds of an API. Always well formed: every id is valid, and no typedef chain is
/// circular.
///
/// Types are numbered in the order of their names, so equal APIs give equal schemas whatever their source.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Schema {
    pub(crate) types: AllTypes,
    pub(crate) packages: Vec<Package>,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) ungrouped: Vec<Kind>,
    pub(crate) distant: Vec<Kind>,
}

impl Schema {
    /// The type behind an id of this schema.
    #[must_use]
    pub fn ty(&self, id: TypeId) -> &Type {
        self.types.at(id.index())
    }

    /// The schema with changed types. Their names and shapes stay.
    #[must_use]
    pub fn map_types(&self, change: impl FnMut(&mut Type)) -> Self {
        let mut types: Vec<Type> = self.types().map(|(_, ty)| ty.clone()).collect();
        types.iter_mut().for_each(change);
        Self {
            types: types.into(),
            packages: self.packages.clone(),
            kinds: self.kinds.clone(),
            ungrouped: self.ungrouped.clone(),
            distant: self.distant.clone(),
        }
    }

    /// The field behind an id of this schema.
    #[must_use]
    pub fn field(&self, id: FieldId) -> &Field {
        &self.ty(id.owner).fields()[id.index as usize]
    }

    /// All types, in the order of their names.
    pub fn types(&self) -> impl ExactSizeIterator<Item = (TypeId, &Type)> {
        (0..self.types.len()).map(|index| (TypeId::new(index), self.types.at(index)))
    }

    /// The fields of a struct type, with their ids.
    pub fn fields(&self, id: TypeId) -> impl ExactSizeIterator<Item = (FieldId, &Field)> {
        let fields = self.ty(id).fields().iter().enumerate();
        fields.map(move |(index, field)| {
            (
                FieldId {
                    owner: id,
                    index: index as u32,
                },
                field,
            )
        })
    }

    /// The type with this name.
    #[must_use]
    pub fn find(&self, name: &TypeName) -> Option<TypeId> {
        self.types.find(name)
    }

    /// Packages in the order of their import paths.
    #[must_use]
    pub fn packages(&self) -> &[Package] {
        &self.packages
    }

    /// The package with this import path.
    #[must_use]
    pub fn package(&self, path: &str) -> Option<&Package> {
        self.packages.iter().find(|package| &*package.path == path)
    }

    /// Kinds, sorted by group, kind and version.
    #[must_use]
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// Names of the options that rules and constants of enums depend on.
    #[must_use]
    pub fn option_names(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        for (_, ty) in self.types() {
            let fields = match &ty.shape {
                Shape::Struct(members) => &members.fields[..],
                _ => &[],
            };
            let rules = ty
                .rules
                .iter()
                .chain(fields.iter().flat_map(|field| &field.rules));
            for condition in rules.flat_map(Rule::conditions) {
                if let Condition::Option { name, .. } = condition {
                    names.insert(&**name);
                }
            }
            for exclusion in ty.constants.iter().flat_map(|constant| &constant.exclusions) {
                if let Exclusion::When { option, .. } = exclusion {
                    names.insert(&**option);
                }
            }
        }
        names
    }

    /// Root types of packages without a group. They belong to no API, but controller-gen generates CRDs for
    /// them, with an empty group and version.
    #[must_use]
    pub fn ungrouped_kinds(&self) -> &[Kind] {
        &self.ungrouped
    }

    /// Versions of kinds in imported packages. Only the CRD generator uses them.
    #[must_use]
    pub fn distant_kinds(&self) -> &[Kind] {
        &self.distant
    }

    /// Whether only the name of the type is known.
    #[must_use]
    pub fn is_hole(&self, id: TypeId) -> bool {
        matches!(self.ty(id).shape, Shape::Hole)
    }
}
