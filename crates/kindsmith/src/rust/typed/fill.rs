//! Defaults.

use serde::de::DeserializeOwned;

use super::Literal;
use crate::rust::Schema;

/// Sets a field that is absent to its default.
#[inline]
pub fn fill<T: Schema>(field: &mut Option<T>, default: Literal) {
    if field.is_none() {
        *field = T::of_literal(default);
    }
}

/// Sets a field that is absent to its default, which is a list or an object.
pub fn fill_json<T: DeserializeOwned>(field: &mut Option<T>, default: &str) {
    if field.is_none() {
        *field = serde_json::from_str(default).ok();
    }
}
