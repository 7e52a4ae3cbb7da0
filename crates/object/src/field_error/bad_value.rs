//! The bad value of an error, in the form in which Go would print it.

use std::fmt;

use kindsmith_gostd::{float, quote};
use kindsmith_json::write::{Escape, append_string};

/// An offending value.
///
/// Kubernetes prints plain strings with `%q`, plain numbers and booleans with `%v`, and everything else with
/// encoding/json (`field.Error.ErrorBody`), so each form has a variant.
#[derive(Debug, Clone, PartialEq)]
pub enum BadValue {
    /// No value at all; shown as `null`.
    Nil,
    /// Left out on purpose: error texts do not show it.
    Omitted,
    /// The rules failed; no value is wrong.
    Failure,
    /// A plain string.
    Text(Box<str>),
    /// A plain integer.
    Integer(i128),
    /// A plain `float64`.
    Float(f64),
    /// A plain `float32`.
    Float32(f32),
    /// A plain boolean.
    Bool(bool),
    /// Anything else, as encoding/json writes it.
    Json(Box<str>),
}

impl BadValue {
    /// A string of a Go type of its own, or a pointer to a string.
    #[must_use]
    pub fn json_text(text: &str) -> Self {
        let mut out = String::with_capacity(text.len() + 2);
        append_string(&mut out, text, Escape::Html);
        Self::Json(out.into())
    }

    /// The value as JSON text.
    #[must_use]
    pub fn to_json(&self) -> String {
        match self {
            Self::Nil => "null".into(),
            Self::Omitted => "\"<value omitted>\"".into(),
            Self::Failure => "{}".into(),
            Self::Text(text) => {
                let mut out = String::with_capacity(text.len() + 2);
                append_string(&mut out, text, Escape::Html);
                out
            }
            Self::Integer(number) => number.to_string(),
            Self::Float(number) => float::format_f64_json(*number).unwrap_or_else(|| "null".into()),
            Self::Float32(number) => float::format_f32_json(*number).unwrap_or_else(|| "null".into()),
            Self::Bool(truth) => truth.to_string(),
            Self::Json(text) => text.to_string(),
        }
    }
}

impl fmt::Display for BadValue {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nil => out.write_str("null"),
            Self::Omitted => out.write_str("<value omitted>"),
            Self::Failure => out.write_str("{}"),
            Self::Text(text) => out.write_str(&quote::quote(text)),
            Self::Integer(number) => write!(out, "{number}"),
            Self::Float(number) => out.write_str(&float::format_f64(*number)),
            Self::Float32(number) => out.write_str(&float::format_f32(*number)),
            Self::Bool(truth) => write!(out, "{truth}"),
            Self::Json(text) => out.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_values_are_printed_as_go_prints_them() {
        for (value, text, json) in [
            (
                BadValue::Text("a<\u{7}".into()),
                r#""a<\a""#,
                r#""a\u003c\u0007""#,
            ),
            (BadValue::Float(1e21), "1e+21", "1e+21"),
            (BadValue::Float(1e-7), "1e-07", "1e-7"),
            (BadValue::Integer(-3), "-3", "-3"),
            (BadValue::Omitted, "<value omitted>", "\"<value omitted>\""),
        ] {
            assert_eq!(
                (value.to_string().as_str(), value.to_json().as_str()),
                (text, json)
            );
        }
    }
}
