//! Ranges of tables.

/// A range of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Range {
    pub(crate) first: u32,
    pub(crate) len: u32,
}
