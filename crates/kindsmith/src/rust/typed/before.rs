//! The old value of a value.

/// The old value of a value: what an update replaces.
#[derive(Debug)]
pub enum Before<'v, T: ?Sized> {
    /// There is none: all is new.
    None,
    /// The old value.
    Some(&'v T),
    /// There may be one, or the value is new in something that is not: rules about changes are left to the engine.
    Unknown,
}

impl<T: ?Sized> Clone for Before<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Before<'_, T> {}

impl<'v, T: ?Sized> Before<'v, T> {
    /// That of a value that is written.
    #[inline]
    #[must_use]
    pub fn of(old: Option<&'v T>) -> Self {
        match old {
            Some(old) => Self::Some(old),
            None => Self::None,
        }
    }

    /// That of a part.
    #[inline]
    #[must_use]
    pub fn part<U: ?Sized>(self, part: impl FnOnce(&'v T) -> Option<&'v U>) -> Before<'v, U> {
        match self {
            Self::None => Before::None,
            Self::Some(old) => part(old).map_or(Before::Unknown, Before::Some),
            Self::Unknown => Before::Unknown,
        }
    }

    /// That of an item, which is found by its key or not at all. The new item says of which type it is.
    #[inline]
    #[must_use]
    pub fn keyed<U: ?Sized>(self, _: &U) -> Before<'v, U> {
        match self {
            Self::None => Before::None,
            Self::Some(_) | Self::Unknown => Before::Unknown,
        }
    }
}
