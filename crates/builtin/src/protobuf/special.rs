//! Types whose messages differ from their Go structs: times, quantities, JSON. Encoding and decoding.

use std::ops::RangeInclusive;

use kindsmith_formats::quantity::Quantity;
use kindsmith_gostd::duration::Duration;
use kindsmith_gostd::time::{Layout, Time};
use kindsmith_json::{Entry, Value, parse, to_string};
use kindsmith_schema::{Str, TypeId};

use super::Error;
use super::decode::Decoder;
use super::encode::{Encoder, Place};
use super::table::{Field, Form, Message};
use super::wire::{BYTES, Reader, VARINT};

/// Go's zero time: the first second of year one.
const YEAR_ONE: i64 = -62_135_596_800;

/// The seconds of the years that RFC 3339 can express: 0000 to 9999.
const WRITABLE: RangeInclusive<i64> = -62_167_219_200..=253_402_300_799;

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

/// Decodes the contents of a message.
pub(super) fn decode<'a>(
    decoder: &mut Decoder<'_, 'a>,
    field: &Field,
    bytes: &'a [u8],
) -> Result<Value<'a>, Error> {
    let wrong = || Error::Value(field.name.clone());
    match field.form {
        Form::Time | Form::MicroTime => decode_time(decoder, field, bytes),
        Form::Duration => {
            let mut nanos = 0;
            each(bytes, "Duration", |number, wire, reader| {
                take_number(number == 1, wire, "Duration", reader, &mut nanos)
            })?;
            let text = Duration(nanos as i64).to_string();
            Ok(Value::Str(decoder.arena.alloc_str(&text)))
        }
        Form::Quantity => {
            let mut text = None;
            each(bytes, "Quantity", |number, wire, reader| {
                take_bytes(number == 1, wire, "String_", reader, &mut text)
            })?;
            let text = canonical(text.map_or("0", |text| decoder.text(text)))?;
            Ok(Value::Str(decoder.arena.alloc_str(&text)))
        }
        Form::IntOrString => decode_int_or_string(decoder, field, bytes),
        Form::Raw => {
            let mut raw = None;
            each(bytes, "RawExtension", |number, wire, reader| {
                take_bytes(number == 1, wire, "Raw", reader, &mut raw)
            })?;
            match raw {
                None | Some([]) => Ok(Value::Null),
                Some(raw) => parse(decoder.arena, raw).map_err(|_| wrong()),
            }
        }
        Form::Items => Ok(Value::Array(decode_texts(decoder, bytes, 1, "Items")?)),
        Form::SchemaOrBool(id) => {
            let mut truth = 0;
            each(bytes, "JSONSchemaPropsOrBool", |number, wire, reader| {
                take_number(number == 1, wire, "Allows", reader, &mut truth)
            })?;
            match decode_schemas(decoder, field, id, bytes, 2)?.last() {
                Some(schema) => Ok(*schema),
                None => Ok(Value::Bool(truth != 0)),
            }
        }
        Form::SchemaOrArray(id) => {
            let many = decode_schemas(decoder, field, id, bytes, 2)?;
            if many.is_empty() {
                Ok(decode_schemas(decoder, field, id, bytes, 1)?
                    .pop()
                    .unwrap_or_default())
            } else {
                Ok(Value::Array(decoder.arena.alloc_slice_copy(&many)))
            }
        }
        Form::SchemaOrTexts(id) => match decode_texts(decoder, bytes, 2, "Property")? {
            [] => Ok(decode_schemas(decoder, field, id, bytes, 1)?
                .pop()
                .unwrap_or_default()),
            texts => Ok(Value::Array(texts)),
        },
        _ => Err(wrong()),
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

fn decode_time<'a>(decoder: &Decoder<'_, 'a>, field: &Field, bytes: &'a [u8]) -> Result<Value<'a>, Error> {
    if bytes.is_empty() {
        return Ok(Value::Null);
    }
    let (mut seconds, mut nanos) = (0, 0);
    each(bytes, "Timestamp", |number, wire, reader| match number {
        1 => take_number(true, wire, "Seconds", reader, &mut seconds),
        _ => take_number(number == 2, wire, "Nanos", reader, &mut nanos),
    })?;
    let nanos = match field.form {
        Form::MicroTime => i64::from(nanos as i32) / 1000 * 1000,
        _ => 0,
    };
    let wrong = || Error::Value(field.name.clone());
    let seconds = (seconds as i64)
        .checked_add(nanos.div_euclid(1_000_000_000))
        .ok_or_else(wrong)?;
    let nanos = nanos.rem_euclid(1_000_000_000) as u32;
    if seconds == YEAR_ONE && nanos == 0 {
        return Ok(Value::Null);
    }
    let layout = match field.form {
        Form::MicroTime => Layout::Rfc3339Micro,
        _ => Layout::Rfc3339,
    };
    let time = WRITABLE
        .contains(&seconds)
        .then(|| Time::from_unix(seconds, nanos));
    let time = time.flatten().ok_or_else(wrong)?;
    Ok(Value::Str(decoder.arena.alloc_str(&time.format(layout))))
}

fn canonical(text: &str) -> Result<String, Error> {
    let quantity = Quantity::parse(text).map_err(|error| Error::Quantity(error.to_string().into()))?;
    Ok(quantity.to_string())
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

fn decode_int_or_string<'a>(
    decoder: &Decoder<'_, 'a>,
    field: &Field,
    bytes: &'a [u8],
) -> Result<Value<'a>, Error> {
    let (mut kind, mut number, mut text) = (0, 0, None);
    each(bytes, "IntOrString", |field, wire, reader| match field {
        1 => take_number(true, wire, "Type", reader, &mut kind),
        2 => take_number(true, wire, "IntVal", reader, &mut number),
        _ => take_bytes(field == 3, wire, "StrVal", reader, &mut text),
    })?;
    match kind as i64 {
        0 => Ok(Value::Int(i64::from(number as i32))),
        1 => Ok(Value::Str(decoder.text(text.unwrap_or_default()))),
        _ => Err(Error::Value(field.name.clone())),
    }
}

/// The schema type inside a union type.
fn schema_type(message: Option<&Message>) -> Option<TypeId> {
    let schema = message?.fields.iter().find(|field| &*field.name == "Schema")?;
    match schema.form {
        Form::Message(id) => Some(id),
        _ => None,
    }
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

/// The schemas under a field number.
fn decode_schemas<'a>(
    decoder: &mut Decoder<'_, 'a>,
    field: &Field,
    id: TypeId,
    bytes: &'a [u8],
    wanted: u32,
) -> Result<Vec<Value<'a>>, Error> {
    let schema = schema_type(decoder.table.message(id)).ok_or_else(|| Error::Value(field.name.clone()))?;
    let message = decoder
        .table
        .message(schema)
        .ok_or_else(|| Error::Value(field.name.clone()))?;
    let mut found = Vec::new();
    each(bytes, "JSONSchemaPropsOr", |number, wire, reader| {
        let mut schema = None;
        let taken = take_bytes(number == wanted, wire, "Schema", reader, &mut schema)?;
        if let Some(bytes) = schema {
            let mut entries: Vec<Entry<'a>> = Vec::new();
            decoder.members(message, bytes, &mut entries)?;
            found.push(Value::Object(decoder.finish(&entries)));
        }
        Ok(taken)
    })?;
    Ok(found)
}

fn decode_texts<'a>(
    decoder: &Decoder<'_, 'a>,
    bytes: &'a [u8],
    wanted: u32,
    name: &'static str,
) -> Result<&'a [Value<'a>], Error> {
    let mut texts = Vec::new();
    each(bytes, name, |number, wire, reader| {
        let mut text = None;
        let taken = take_bytes(number == wanted, wire, name, reader, &mut text)?;
        texts.extend(text.map(|text| Value::Str(decoder.text(text))));
        Ok(taken)
    })?;
    Ok(decoder.arena.alloc_slice_copy(&texts))
}

/// Calls `take` with every field of a message; skips those it does not take.
fn each<'a>(
    bytes: &'a [u8],
    message: &'static str,
    mut take: impl FnMut(u32, u8, &mut Reader<'a>) -> Result<bool, Error>,
) -> Result<(), Error> {
    let name = Str::from(message);
    let mut reader = Reader::new(bytes);
    while !reader.is_empty() {
        let tag = reader.tag(&name)?;
        if !take(tag.number, tag.wire, &mut reader)? {
            reader.skip(tag)?;
        }
    }
    Ok(())
}

fn take_number(
    wanted: bool,
    wire: u8,
    field: &'static str,
    reader: &mut Reader<'_>,
    into: &mut u64,
) -> Result<bool, Error> {
    if !wanted {
        return Ok(false);
    }
    if wire != VARINT {
        let field = field.into();
        return Err(Error::WrongWire { wire, field });
    }
    *into = reader.varint()?;
    Ok(true)
}

fn take_bytes<'a>(
    wanted: bool,
    wire: u8,
    field: &'static str,
    reader: &mut Reader<'a>,
    into: &mut Option<&'a [u8]>,
) -> Result<bool, Error> {
    if !wanted {
        return Ok(false);
    }
    if wire != BYTES {
        let field = field.into();
        return Err(Error::WrongWire { wire, field });
    }
    *into = Some(reader.slice()?);
    Ok(true)
}
