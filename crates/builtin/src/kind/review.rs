//! Reviews, which are answered and not stored.

use crate::Strategy;

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
}
