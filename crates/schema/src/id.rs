//! Numbers of types and fields in a schema.

/// A type in a [`Schema`](crate::Schema).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub(crate) u32);

/// A field in a [`Schema`](crate::Schema): the struct type that declares it, and its index there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldId {
    /// The struct.
    pub owner: TypeId,
    /// Index in declaration order.
    pub index: u32,
}

impl TypeId {
    pub(crate) fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 types"))
    }

    /// Position in the order of types, for side tables.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
