//! Objects made from a schema: small valid ones, and ones at the edge of every rule. Deterministic.
//!
//! Knows schemas, not answers: whether an object is valid is for a review to say.

mod edge;
mod literal;
mod pattern;
mod place;
mod random;
mod text;
mod value;

use kindsmith_schema::JsonSchema;
use serde_json::{Value as Json, json};

pub use edge::{Candidate, candidates};
pub use place::{Place, Step, places};
pub use random::Random;

/// Longer lists and texts are not written out.
const MAX_COUNT: i64 = 5000;

/// The smallest object of a kind that is probably valid.
#[must_use]
pub fn smallest(schema: &JsonSchema, api_version: &str, kind: &str) -> Json {
    let mut object = value::smallest(schema, 0);
    if !object.is_object() {
        object = json!({});
    }
    object["apiVersion"] = json!(api_version);
    object["kind"] = json!(kind);
    object["metadata"] = json!({"name": "sample"});
    object
}
