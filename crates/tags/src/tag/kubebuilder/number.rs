//! Numbers from markers for the schema.

use kindsmith_schema::{Bound, Json, Limit};

use crate::grammar::marker::MarkerValue;

/// A limit that is itself allowed.
pub(super) fn bound(limit: f64) -> Bound {
    Bound {
        limit: Limit::Number(json(limit)),
        exclusive: false,
    }
}

/// The number as JSON, written as Go writes it.
pub(super) fn json(number: f64) -> Json {
    MarkerValue::Number(number).to_schema_json()
}
