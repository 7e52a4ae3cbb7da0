//! Reviews, which are answered and not stored.

mod validate;

use kindsmith_json::{Arena, Path, Value};
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

/// A review with a text in its spec that whoever answers it needs. The server answers 400 with the detail alone.
#[derive(Debug)]
pub(crate) struct ReviewOf {
    pub(crate) field: &'static str,
    pub(crate) detail: &'static str,
}

impl Strategy for ReviewOf {
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
        let given = change.new.value().lookup(&["spec", self.field]);
        if given.and_then(Value::as_str).unwrap_or_default().is_empty() {
            let spec = Path::root("spec");
            errors.push(FieldError::required(&spec.child(self.field), self.detail));
        }
    }
}

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
        errors.extend(validate_access_review(change.release, self.0, review));
    }
}
