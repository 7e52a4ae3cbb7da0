//! Types whose messages differ from their Go structs: times, quantities, JSON.

use std::ops::RangeInclusive;

use kindsmith_gostd::duration::Duration;
use kindsmith_gostd::time::{Layout, Time};
use kindsmith_json::{Entry, Value, parse};
use kindsmith_schema::{Str, TypeId};

use super::Decoder;
use crate::protobuf::Error;
use crate::protobuf::special::{YEAR_ONE, canonical, schema_type};
use crate::protobuf::table::{Field, Form};
use crate::protobuf::wire::{BYTES, Reader, VARINT};

/// The seconds of the years that RFC 3339 can express: 0000 to 9999.
const WRITABLE: RangeInclusive<i64> = -62_167_219_200..=253_402_300_799;

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
