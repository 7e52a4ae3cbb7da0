//! Reviews, which are answered and not stored.

mod validate;

use kindsmith_json::Arena;
use kindsmith_object::FieldError;

pub use validate::validate_access_review;

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

    fn needs_name(&self) -> bool {
        false
    }

    /// Whoever answers a review checks it.
    fn validate(&self, _: &Change<'_>, _: &mut Vec<FieldError>) {}
}

/// A review of an access, by its kind.
#[derive(Debug)]
pub(crate) struct AccessReview(pub(crate) &'static str);

/// What the server sets in the metadata of an object, stored or not.
const SET_BY_SERVER: [&str; 2] = ["creationTimestamp", "uid"];

impl Strategy for AccessReview {
    fn verbs(&self) -> &'static [&'static str] {
        Review.verbs()
    }

    fn is_stored(&self) -> bool {
        false
    }

    fn needs_name(&self) -> bool {
        false
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        let arena = Arena::new();
        let mut review = change.new.value();
        for key in SET_BY_SERVER {
            review.unset(&arena, &["metadata", key]);
        }
        errors.extend(validate_access_review(self.0, review));
    }
}
