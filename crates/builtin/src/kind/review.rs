//! Reviews, which are answered and not stored.

use kindsmith_object::FieldError;

use crate::{Change, Strategy};

/// Any review.
#[derive(Debug)]
pub(crate) struct Review;

impl Strategy for Review {
    fn verbs(&self) -> &'static [&'static str] {
        &["create"]
    }

    fn is_stored(&self) -> bool {
        false
    }

    /// Whoever answers a review checks it; it needs no name.
    fn validate(&self, _: &Change<'_>, _: &mut Vec<FieldError>) {}
}
