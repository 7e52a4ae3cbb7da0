//! Parts whose type the macros know only by a name in Go: they are checked here if they are a [`Schema`] too.
//!
//! `(&Reach(value)).holds()` finds [`WithSchema`] first, as its receiver needs no further reference.

use super::{Before, View};
use crate::rust::Schema;

/// A part of any type.
#[derive(Debug)]
pub struct Reach<'v, T>(pub &'v T);

/// Parts with a schema.
pub trait WithSchema<'v> {
    /// Whether nothing is wrong with it.
    fn holds(&self) -> bool;
    /// The value.
    fn view(&self) -> View<'v>;
}

impl<'v, T: Schema> WithSchema<'v> for Reach<'v, T> {
    #[inline]
    fn holds(&self) -> bool {
        self.0.holds(Before::Unknown)
    }

    #[inline]
    fn view(&self) -> View<'v> {
        self.0.view()
    }
}

/// Other parts.
pub trait WithoutSchema<'v> {
    /// Not known here.
    fn holds(&self) -> bool;
    /// Not known here.
    fn view(&self) -> View<'v>;
}

impl<'v, T> WithoutSchema<'v> for &Reach<'v, T> {
    fn holds(&self) -> bool {
        false
    }

    fn view(&self) -> View<'v> {
        View::Opaque
    }
}
