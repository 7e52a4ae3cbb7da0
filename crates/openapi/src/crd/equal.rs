//! Semantic equality of the API (`apiequality.Semantic`): absent and empty lists are equal, and the order of
//! keys does not matter.

use super::types::{Spec, Validation};
use crate::record;

impl Spec {
    /// Are both equal to the API, so that an update from one to the other changes nothing?
    #[must_use]
    pub fn is_same_as(&self, other: &Spec) -> bool {
        self == other || record::semantically_equal(self, other)
    }
}

impl Validation {
    /// Are both schemas equal to the API?
    #[must_use]
    pub fn is_same_as(&self, other: &Validation) -> bool {
        self == other || record::semantically_equal(self, other)
    }
}
