//! `JSONSchemaProps`: read as the API server decodes them, written as it returns them.

mod alternatives;
#[rustfmt::skip] // One field, one line.
mod table;

use kindsmith_json::{Arena, Value};
use kindsmith_schema::JsonSchema;

use crate::crd::ApiVersion;
use crate::record::{self, DecodeError, Form, Making, Member, Options, Report};

/// Reads a schema as Go decodes `v1.JSONSchemaProps`, with the fields that strict decoding rejects.
///
/// # Errors
/// When a value does not fit its Go type, with Go's message.
///
/// ```
/// use kindsmith_json::{Arena, parse_str};
///
/// let arena = Arena::new();
/// let value = parse_str(&arena, r#"{"type": "object", "maxLength": "a"}"#)?;
/// let error = kindsmith_openapi::schema::read(value).expect_err("a text is no length");
/// assert_eq!(
///     error.to_string(),
///     "json: cannot unmarshal string into Go struct field JSONSchemaProps.maxLength of type int64"
/// );
/// # Ok::<(), kindsmith_json::ReadError>(())
/// ```
pub fn read(value: Value<'_>) -> Result<(JsonSchema, Vec<Report>), DecodeError> {
    record::read(value, ApiVersion::V1, Options::default())
}

/// Writes a schema in the API's form: fields in the order of the Go type, map members by name, empty values
/// left out.
#[must_use]
pub fn write<'a>(schema: &'a JsonSchema, arena: &'a Arena) -> Value<'a> {
    schema.value(&Making::new(arena, Form::Api))
}
