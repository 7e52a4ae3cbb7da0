//! What encoding and decoding share about types whose messages differ from their Go structs: times, quantities, JSON.

use kindsmith_formats::quantity::Quantity;
use kindsmith_schema::TypeId;

use super::Error;
use super::table::{Form, Message};

/// Go's zero time: the first second of year one.
pub(super) const YEAR_ONE: i64 = -62_135_596_800;

/// A quantity as Kubernetes writes it.
pub(super) fn canonical(text: &str) -> Result<String, Error> {
    let quantity = Quantity::parse(text).map_err(|error| Error::Quantity(error.to_string().into()))?;
    Ok(quantity.to_string())
}

/// The schema type inside a union type.
pub(super) fn schema_type(message: Option<&Message>) -> Option<TypeId> {
    let schema = message?.fields.iter().find(|field| &*field.name == "Schema")?;
    match schema.form {
        Form::Message(id) => Some(id),
        _ => None,
    }
}
