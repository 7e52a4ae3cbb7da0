//! Errors that count only in clusters where containers may not be privileged.

use kindsmith_object::FieldError;

use crate::field::Field;
use crate::field_check::forbidden;

/// The origin of errors that count only where containers may not be privileged.
pub(crate) const PRIVILEGED: &str = "allow-privileged";

/// What a cluster without privileged containers forbids.
pub(super) fn by_policy(field: &Field<'_, '_>, detail: &'static str) -> FieldError {
    FieldError {
        origin: PRIVILEGED.into(),
        ..forbidden(&field.path, detail)
    }
}
