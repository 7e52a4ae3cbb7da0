//! Lists that distinguish absent from empty, as Go's slices do.

use std::ops::Deref;

/// A Go slice: absent (`nil`, written `null`) is not empty (written `[]`), though both have no elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List<T>(Option<Vec<T>>);

impl<T> List<T> {
    /// The absent list.
    pub const ABSENT: List<T> = List(None);

    /// Is it absent, rather than empty?
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.0.is_none()
    }

    /// The elements, mutable; an absent list becomes an empty one.
    pub fn make(&mut self) -> &mut Vec<T> {
        self.0.get_or_insert_default()
    }

    /// Takes the list, leaving an absent one.
    #[must_use]
    pub fn take(&mut self) -> List<T> {
        List(self.0.take())
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        List::ABSENT
    }
}

impl<T> From<Vec<T>> for List<T> {
    fn from(elements: Vec<T>) -> Self {
        List(Some(elements))
    }
}

impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        List(Some(elements.into_iter().collect()))
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.as_deref().unwrap_or_default()
    }
}

impl<'l, T> IntoIterator for &'l List<T> {
    type Item = &'l T;
    type IntoIter = std::slice::Iter<'l, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
