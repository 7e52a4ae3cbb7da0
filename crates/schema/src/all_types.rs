//! The types of a schema in the order of their names: all there, or read from their written form when they are first asked for.
//! Readers see no difference.

use crate::late_type::{self, LateType};
use crate::{Type, TypeId, TypeName};

#[derive(Clone)]
pub(crate) enum AllTypes {
    Read(Vec<Type>),
    Late(Vec<LateType>),
}

impl AllTypes {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Read(types) => types.len(),
            Self::Late(types) => types.len(),
        }
    }

    pub(crate) fn at(&self, index: usize) -> &Type {
        match self {
            Self::Read(types) => &types[index],
            Self::Late(types) => types[index].ty(types),
        }
    }

    /// The type with this name.
    pub(crate) fn find(&self, name: &TypeName) -> Option<TypeId> {
        match self {
            Self::Read(types) => types
                .binary_search_by(|ty| ty.name.cmp(name))
                .ok()
                .map(TypeId::new),
            Self::Late(types) => late_type::find(types, &name.package, &name.name),
        }
    }
}

impl Default for AllTypes {
    fn default() -> Self {
        Self::Read(Vec::new())
    }
}

impl From<Vec<Type>> for AllTypes {
    fn from(types: Vec<Type>) -> Self {
        Self::Read(types)
    }
}

impl From<Vec<LateType>> for AllTypes {
    fn from(types: Vec<LateType>) -> Self {
        Self::Late(types)
    }
}

impl PartialEq for AllTypes {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && (0..self.len()).all(|index| self.at(index) == other.at(index))
    }
}

impl std::fmt::Debug for AllTypes {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_list()
            .entries((0..self.len()).map(|index| self.at(index)))
            .finish()
    }
}
