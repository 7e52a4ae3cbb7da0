//! Types whose messages differ from their Go structs: times, quantities, JSON.

use kindsmith_gostd::duration::Duration;
use kindsmith_gostd::time::{Layout, Time};
use kindsmith_json::{Value, to_string};
use kindsmith_schema::TypeId;

use super::{Encoder, Place};
use crate::protobuf::Error;
use crate::protobuf::special::{YEAR_ONE, canonical, schema_type};
use crate::protobuf::table::Form;

/// Encodes the contents of a message.
pub(super) fn encode<'t>(encoder: &mut Encoder<'t>, place: Place<'t>, value: Value<'_>) -> Result<(), Error> {
    match place.field.form {
        Form::Time | Form::MicroTime => encode_time(encoder, place, value),
        Form::Duration => {
            let text = value.as_str().unwrap_or("0s");
            let Duration(nanos) = Duration::parse(text).map_err(|_| place.wrong())?;
            encoder.out.number(1, nanos as u64);
            Ok(())
        }
        Form::Quantity => {
            let text = match value {
                Value::Null => "0".to_owned(),
                Value::Str(text) => canonical(text.trim())?,
                number => canonical(&to_string(number))?,
            };
            encoder.out.bytes(1, text.as_bytes());
            Ok(())
        }
        Form::IntOrString => encode_int_or_string(encoder, place, value),
        Form::Raw if value.is_null() => Ok(()),
        Form::Raw => {
            encoder.out.bytes(1, to_string(value).as_bytes());
            Ok(())
        }
        Form::Items => {
            for item in value.as_array().unwrap_or_default() {
                let text = item.as_str().ok_or_else(|| place.wrong())?;
                encoder.out.bytes(1, text.as_bytes());
            }
            Ok(())
        }
        Form::SchemaOrBool(id) => {
            let truth = value.as_bool().unwrap_or(value.as_object().is_some());
            encoder.out.number(1, u64::from(truth));
            match value.as_object() {
                Some(_) => encode_schema(encoder, place, id, 2, value),
                None => Ok(()),
            }
        }
        Form::SchemaOrArray(id) => match value {
            Value::Array(items) => items
                .iter()
                .try_for_each(|item| encode_schema(encoder, place, id, 2, *item)),
            Value::Null => Ok(()),
            _ => encode_schema(encoder, place, id, 1, value),
        },
        Form::SchemaOrTexts(id) => match value {
            Value::Array(items) => {
                for item in items {
                    let text = item.as_str().ok_or_else(|| place.wrong())?;
                    encoder.out.bytes(2, text.as_bytes());
                }
                Ok(())
            }
            Value::Null => Ok(()),
            _ => encode_schema(encoder, place, id, 1, value),
        },
        _ => Err(place.wrong()),
    }
}

fn encode_time(encoder: &mut Encoder<'_>, place: Place<'_>, value: Value<'_>) -> Result<(), Error> {
    let Value::Str(text) = value else {
        return if value.is_null() {
            Ok(())
        } else {
            Err(place.wrong())
        };
    };
    let time = Time::parse(Layout::Rfc3339, text).map_err(|_| place.wrong())?;
    if time.unix_seconds() == YEAR_ONE && time.nanos() == 0 {
        return Ok(());
    }
    // JSON keeps only the seconds of a plain time, so nanoseconds would depend on the encoding.
    let nanos = match place.field.form {
        Form::MicroTime => time.nanos() / 1000 * 1000,
        _ => 0,
    };
    encoder.out.number(1, time.unix_seconds() as u64);
    encoder.out.number(2, u64::from(nanos));
    Ok(())
}

fn encode_int_or_string(encoder: &mut Encoder<'_>, place: Place<'_>, value: Value<'_>) -> Result<(), Error> {
    let (kind, number, text) = match value {
        Value::Null => (0, 0, ""),
        Value::Int(number) => (0, i32::try_from(number).map_err(|_| place.wrong())?, ""),
        Value::Str(text) => (1, 0, text),
        _ => return Err(place.wrong()),
    };
    encoder.out.number(1, kind);
    encoder.out.number(2, i64::from(number) as u64);
    encoder.out.bytes(3, text.as_bytes());
    Ok(())
}

fn encode_schema<'t>(
    encoder: &mut Encoder<'t>,
    place: Place<'t>,
    id: TypeId,
    number: u32,
    value: Value<'_>,
) -> Result<(), Error> {
    let schema = schema_type(encoder.table().message(id)).ok_or_else(|| place.wrong())?;
    encoder.member(place, number, schema, value)
}
