//! Writes values as text: JSON byte for byte like Go's encoding/json, YAML like sigs.k8s.io/yaml.

mod escape;
mod float;
mod json;
mod lengths;
mod quote;
mod sink;
mod yaml;
mod yaml_documents;
mod yaml_order;
mod yaml_scalar;

pub use escape::Escape;
pub use json::{Floats, Format, Order};
pub use lengths::Lengths;
pub use quote::go_quote;
pub use yaml::to_yaml;
pub use yaml_documents::Documents;

use crate::{Object, Value};

/// Appends a number as Go's encoding/json prints a `float64`: `1`, `1.5`, `1e+21`.
pub use float::append as append_float;

/// Appends a number as Go's `%v` prints a `float64`: `1`, `1.5`, `1e+06`.
pub use float::append_general as append_float_general;
pub(crate) use float::append_general_32 as append_float32_general;

/// Appends a string as a JSON string with its quotes.
pub use escape::append as append_string;

/// Writes compact JSON with keys in object order and minimal escapes.
#[must_use]
pub fn to_string(value: Value<'_>) -> String {
    Format::default().to_string(value)
}

/// Writes JSON indented by two spaces.
#[must_use]
pub fn to_string_pretty(value: Value<'_>) -> String {
    Format::default().indent("  ").to_string(value)
}

impl std::fmt::Debug for Value<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&to_string(*self))
    }
}

impl std::fmt::Debug for Object<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:?}", Value::Object(*self))
    }
}
