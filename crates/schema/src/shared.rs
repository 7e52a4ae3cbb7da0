//! Values that clones share until one of them changes: schemas used in many places are kept once.
//!
//! Both types replace `Box` and `Vec` and are used like them. Changing one copies what it shares with others,
//! one level deep. They know nothing about their content.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A boxed value that is cheap to clone.
#[derive(Clone, Default)]
pub struct Shared<T>(Arc<T>);

impl<T: Clone> Shared<T> {
    /// The value itself; copied only if others share it.
    #[must_use]
    pub fn into_inner(self) -> T {
        Arc::unwrap_or_clone(self.0)
    }
}

impl<T> Shared<T> {
    /// Puts a value in a box.
    #[must_use]
    pub fn new(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}

impl<T: PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl<T: fmt::Debug> fmt::Debug for Shared<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// A list that is cheap to clone and takes no memory while it is empty.
#[derive(Clone)]
pub struct SharedVec<T>(Option<Arc<Vec<T>>>);

impl<T> SharedVec<T> {
    /// A list without elements.
    #[must_use]
    pub const fn new() -> Self {
        Self(None)
    }

    /// Whether two lists are the same in memory, so that facts about one hold for the other.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        }
    }
}

impl<T: Clone> SharedVec<T> {
    /// The elements, mutable.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        match &mut self.0 {
            Some(elements) => Arc::make_mut(elements).iter_mut(),
            None => [].iter_mut(),
        }
    }
}

impl<T> Default for SharedVec<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Deref for SharedVec<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        self.0.as_deref().unwrap_or(const { &Vec::new() })
    }
}

impl<T: Clone> DerefMut for SharedVec<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        Arc::make_mut(self.0.get_or_insert_default())
    }
}

impl<T> From<Vec<T>> for SharedVec<T> {
    fn from(elements: Vec<T>) -> Self {
        Self((!elements.is_empty()).then(|| Arc::new(elements)))
    }
}

impl<T: Clone> From<SharedVec<T>> for Vec<T> {
    fn from(elements: SharedVec<T>) -> Self {
        elements.0.map(Arc::unwrap_or_clone).unwrap_or_default()
    }
}

impl<T, const N: usize> From<[T; N]> for SharedVec<T> {
    fn from(elements: [T; N]) -> Self {
        Vec::from(elements).into()
    }
}

impl<T> FromIterator<T> for SharedVec<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        elements.into_iter().collect::<Vec<T>>().into()
    }
}

impl<T: Clone> IntoIterator for SharedVec<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        Vec::from(self).into_iter()
    }
}

impl<'a, T> IntoIterator for &'a SharedVec<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T: Clone> IntoIterator for &'a mut SharedVec<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<T: PartialEq> PartialEq for SharedVec<T> {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other) || **self == **other
    }
}

impl<T: PartialEq> PartialEq<Vec<T>> for SharedVec<T> {
    fn eq(&self, other: &Vec<T>) -> bool {
        **self == *other
    }
}

impl<T: Eq> Eq for SharedVec<T> {}

impl<T: Hash> Hash for SharedVec<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<T: fmt::Debug> fmt::Debug for SharedVec<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_keeps_its_content() {
        let first: SharedVec<i32> = vec![1].into();
        let mut second = first.clone();
        assert!(first.is_same(&second));
        second.push(2);
        assert_eq!((first, second), ([1].into(), [1, 2].into()));
        let one = Shared::new(1);
        let mut two = one.clone();
        *two = 2;
        assert_eq!((one.into_inner(), two.into_inner()), (1, 2));
    }

    #[test]
    fn a_cleared_list_is_empty() {
        let mut list: SharedVec<i32> = [1].into();
        list.clear();
        assert_eq!(list, SharedVec::new());
        assert!(SharedVec::<i32>::new().iter_mut().next().is_none());
    }
}
