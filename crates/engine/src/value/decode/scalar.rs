//! Strings, booleans and numbers of every width.

use kindsmith_json::Value;
use kindsmith_schema::Scalar;

use super::{DecodeError, Decoder, Found, NodeId, NodeShape, Wanted};

impl Decoder<'_, '_> {
    pub(super) fn scalar(&mut self, scalar: Scalar, node: NodeId, value: Value<'_>) {
        let fits = match (scalar, value) {
            (Scalar::String, Value::Str(_)) | (Scalar::Bool, Value::Bool(_)) => true,
            (Scalar::String | Scalar::Bool, _) => false,
            (Scalar::Float64, value) => value.as_f64().is_some(),
            (Scalar::Float32, value) => match value.as_f64() {
                Some(number) if (number as f32).is_finite() => true,
                Some(_) => return self.mismatch(found(value), node),
                None => false,
            },
            (scalar, Value::Int(_) | Value::Uint(_) | Value::Float(_)) => {
                if is_in_range(scalar, value) {
                    return;
                }
                return self.mismatch(found(value), node);
            }
            _ => false,
        };
        if !fits {
            self.mismatch(Found::Type(value.go_json_name()), node);
        }
    }

    /// A field with the `string` option of the `json` tag.
    pub(super) fn texted(&mut self, node: NodeId, value: Value<'_>) -> Result<(), DecodeError> {
        let plan = self.plan.node(node);
        let NodeShape::Scalar(scalar) = plan.shape else {
            return Ok(());
        };
        const MISUSE: &str = "json: invalid use of ,string struct tag, trying to unmarshal";
        let Value::Str(text) = value else {
            if !value.is_null() {
                let name = &plan.go_name;
                let message = format!("{MISUSE} unquoted value into {name}");
                self.save(DecodeError::new(message, Wanted::Other));
            }
            return Ok(());
        };
        let fits = match scalar {
            Scalar::String => text.len() > 1 && text.starts_with('"') && text.ends_with('"'),
            Scalar::Bool => matches!(text, "true" | "false"),
            Scalar::Float32 | Scalar::Float64 => text.parse::<f64>().is_ok(),
            scalar => text.parse::<i128>().is_ok_and(|number| in_range(scalar, number)),
        };
        if !fits && text != "null" {
            let quoted = kindsmith_gostd::quote::quote(text);
            let name = &plan.go_name;
            let message = format!("{MISUSE} {quoted} into {name}");
            self.save(DecodeError::new(message, Wanted::Other));
        }
        Ok(())
    }
}

/// Errors show the digits of a number that does not fit.
pub(super) fn found(value: Value<'_>) -> Found {
    match value {
        Value::Float(number) if number.fract() == 0.0 && number.abs() < 1e15 => {
            Found::Number(format!("{number:.1}"))
        }
        Value::Int(_) | Value::Uint(_) | Value::Float(_) => Found::Number(kindsmith_json::to_string(value)),
        other => Found::Type(other.go_json_name()),
    }
}

fn is_in_range(scalar: Scalar, value: Value<'_>) -> bool {
    match value {
        Value::Int(number) => in_range(scalar, number.into()),
        Value::Uint(number) => in_range(scalar, number.into()),
        // Typed decoding keeps the sign of -0, which integers read as zero.
        Value::Float(number) => number == 0.0 && number.is_sign_negative(),
        _ => false,
    }
}

fn in_range(scalar: Scalar, number: i128) -> bool {
    scalar
        .range()
        .is_some_and(|(least, most)| (least..=most).contains(&number))
}
