//! Equality as the API has it (`apiequality.Semantic`): absent and empty lists are the same, and the order of keys does
//! not count.

use super::types::{Spec, Validation};
use crate::record;

impl Spec {
    /// Is this the same to the API, so that an update from one to the other changes nothing?
    #[must_use]
    pub fn is_same_as(&self, other: &Spec) -> bool {
        self == other || record::semantically_equal(self, other)
    }
}

impl Validation {
    /// Is this the same schema to the API?
    #[must_use]
    pub fn is_same_as(&self, other: &Validation) -> bool {
        self == other || record::semantically_equal(self, other)
    }
}
