//! Decodes messages as Kubernetes' generated code does: later values win, messages sent twice are merged, unknown
//! fields are skipped.

mod special;

use std::borrow::Cow;

use kindsmith_gostd::{base64, budget, utf8};
use kindsmith_json::{Arena, Entry, Object, Value};
use kindsmith_schema::TypeId;

use super::table::{Field, Form, Message, Shape, Table};
use super::wire::{BYTES, FIXED32, FIXED64, Reader, Tag, VARINT};
use super::{Error, MAX_DEPTH};

/// Decodes one object.
pub(super) struct Decoder<'t, 'a> {
    pub(super) table: &'t Table,
    pub(super) arena: &'a Arena,
    depth: usize,
}

/// The values read for a field.
enum Slot<'a> {
    Empty,
    Payload(Payload<'a>),
    /// A message that came in parts.
    Parts(Vec<&'a [u8]>),
    List(Vec<Value<'a>>),
    Map(Vec<Entry<'a>>),
}

/// A value as it was sent.
#[derive(Clone, Copy)]
enum Payload<'a> {
    Number(u64),
    Slice(&'a [u8]),
}

impl<'t, 'a> Decoder<'t, 'a> {
    pub(super) fn new(table: &'t Table, arena: &'a Arena) -> Self {
        Self {
            table,
            arena,
            depth: 0,
        }
    }

    /// Appends the members of a message, in the order of the struct.
    pub(super) fn members(
        &mut self,
        message: &'t Message,
        bytes: &'a [u8],
        entries: &mut Vec<Entry<'a>>,
    ) -> Result<(), Error> {
        if self.depth >= MAX_DEPTH {
            return Err(Error::TooDeep);
        }
        self.depth += 1;
        budget::spend_in(1, || self.arena.allocated_bytes());
        let mut slots: Vec<Slot<'a>> = message.fields.iter().map(|_| Slot::Empty).collect();
        let mut reader = Reader::new(bytes);
        while !reader.is_empty() {
            let tag = reader.tag(&message.name)?;
            match message.position(tag.number) {
                None => reader.skip(tag)?,
                Some(position) => {
                    self.read(&message.fields[position], tag, &mut reader, &mut slots[position])?;
                }
            }
        }
        for (field, slot) in message.fields.iter().zip(slots) {
            self.member(field, slot, entries)?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// The value of a message of this type.
    pub(super) fn object(
        &mut self,
        field: &'t Field,
        id: TypeId,
        bytes: &'a [u8],
    ) -> Result<Value<'a>, Error> {
        let message = self
            .table
            .message(id)
            .ok_or_else(|| Error::Value(field.name.clone()))?;
        let mut entries = Vec::new();
        self.members(message, bytes, &mut entries)?;
        Ok(Value::Object(self.finish(&entries)))
    }

    pub(super) fn finish(&self, entries: &[Entry<'a>]) -> Object<'a> {
        Object::from_entries(self.arena, self.arena.alloc_slice_copy(entries))
    }

    fn read(
        &mut self,
        field: &'t Field,
        tag: Tag,
        reader: &mut Reader<'a>,
        slot: &mut Slot<'a>,
    ) -> Result<(), Error> {
        match field.shape {
            Shape::Value | Shape::Option => {
                let payload = payload(field, tag, reader)?;
                match (&mut *slot, payload) {
                    (Slot::Payload(Payload::Slice(first)), Payload::Slice(second)) if merges(field.form) => {
                        *slot = Slot::Parts(vec![*first, second]);
                    }
                    (Slot::Parts(parts), Payload::Slice(next)) => parts.push(next),
                    _ => *slot = Slot::Payload(payload),
                }
            }
            Shape::List => {
                let mut items = match std::mem::replace(slot, Slot::Empty) {
                    Slot::List(items) => items,
                    _ => Vec::new(),
                };
                self.items(field, tag, reader, &mut items)?;
                *slot = Slot::List(items);
            }
            Shape::Map => {
                if tag.wire != BYTES {
                    return Err(wrong_wire(field, tag));
                }
                let entry = self.entry(field, reader.slice()?)?;
                match slot {
                    Slot::Map(entries) => entries.push(entry),
                    _ => *slot = Slot::Map(vec![entry]),
                }
            }
        }
        Ok(())
    }

    /// One item, or many numbers that were packed.
    fn items(
        &mut self,
        field: &'t Field,
        tag: Tag,
        reader: &mut Reader<'a>,
        items: &mut Vec<Value<'a>>,
    ) -> Result<(), Error> {
        let wire = wire_of(field.form);
        if wire == BYTES || tag.wire != BYTES {
            let payload = payload(field, tag, reader)?;
            items.push(self.value(field, payload)?);
            return Ok(());
        }
        let mut packed = Reader::new(reader.slice()?);
        while !packed.is_empty() {
            let payload = payload(field, Tag { wire, ..tag }, &mut packed)?;
            items.push(self.value(field, payload)?);
        }
        Ok(())
    }

    /// An entry of a map: a message with a key and a value, either of which may be missing.
    fn entry(&mut self, field: &'t Field, bytes: &'a [u8]) -> Result<Entry<'a>, Error> {
        let mut key: &[u8] = &[];
        let mut value = match wire_of(field.form) {
            BYTES => Payload::Slice(&[]),
            _ => Payload::Number(0),
        };
        let mut reader = Reader::new(bytes);
        while !reader.is_empty() {
            let wire = reader.varint()?;
            let tag = Tag {
                number: (wire >> 3) as u32,
                wire: (wire & 7) as u8,
            };
            match tag.number {
                1 => key = reader.slice()?,
                // Generated code does not check the wire type here.
                2 => {
                    let wire = wire_of(field.form);
                    value = payload(field, Tag { wire, ..tag }, &mut reader)?;
                }
                _ => reader.skip(tag)?,
            }
        }
        Ok(Entry {
            key: self.text(key),
            value: self.value(field, value)?,
        })
    }

    fn member(
        &mut self,
        field: &'t Field,
        slot: Slot<'a>,
        entries: &mut Vec<Entry<'a>>,
    ) -> Result<(), Error> {
        let slot = match slot {
            // The concatenated parts are one valid message.
            Slot::Parts(parts) => Slot::Payload(Payload::Slice(self.arena.alloc_slice_copy(&parts.concat()))),
            slot => slot,
        };
        let Some(key) = &field.key else {
            return self.inline(field, &slot, entries);
        };
        let value = match slot {
            Slot::Empty | Slot::Parts(_) => return Ok(()),
            Slot::Payload(payload) => self.value(field, payload)?,
            Slot::List(items) => Value::Array(self.arena.alloc_slice_copy(&items)),
            Slot::Map(entries) => Value::Object(self.map(entries)),
        };
        if !is_left_out(field, value) {
            let key = self.arena.alloc_str(key);
            entries.push(Entry { key, value });
        }
        Ok(())
    }

    /// The members of an embedded message, which JSON shows among its parent's.
    fn inline(
        &mut self,
        field: &'t Field,
        slot: &Slot<'a>,
        entries: &mut Vec<Entry<'a>>,
    ) -> Result<(), Error> {
        let (Slot::Payload(Payload::Slice(bytes)), Form::Message(id)) = (slot, field.form) else {
            return Ok(());
        };
        let message = self
            .table
            .message(id)
            .ok_or_else(|| Error::Value(field.name.clone()))?;
        self.members(message, bytes, entries)
    }

    /// Entries sorted by key, as in JSON; of equal keys the last wins.
    fn map(&self, mut entries: Vec<Entry<'a>>) -> Object<'a> {
        entries.reverse();
        entries.sort_by_key(|entry| entry.key);
        entries.dedup_by_key(|entry| entry.key);
        self.finish(&entries)
    }

    fn value(&mut self, field: &'t Field, payload: Payload<'a>) -> Result<Value<'a>, Error> {
        let wrong = || Error::Value(field.name.clone());
        Ok(match (field.form, payload) {
            (Form::Bool, Payload::Number(number)) => Value::Bool(number != 0),
            (Form::Int32, Payload::Number(number)) => Value::Int(i64::from(number as i32)),
            (Form::Int64, Payload::Number(number)) => Value::Int(number as i64),
            (Form::Uint64, Payload::Number(number)) => match i64::try_from(number) {
                Ok(number) => Value::Int(number),
                Err(_) => Value::Uint(number),
            },
            (Form::Double, Payload::Number(bits)) => float(f64::from_bits(bits)).ok_or_else(wrong)?,
            (Form::Single, Payload::Number(bits)) => {
                float(f64::from(f32::from_bits(bits as u32))).ok_or_else(wrong)?
            }
            (Form::Text, Payload::Slice(bytes)) => Value::Str(self.text(bytes)),
            (Form::Bytes, Payload::Slice(bytes)) => Value::Str(self.arena.alloc_str(&base64::encode(bytes))),
            (Form::Message(id), Payload::Slice(bytes)) => self.object(field, id, bytes)?,
            (_, Payload::Slice(bytes)) => special::decode(self, field, bytes)?,
            (_, Payload::Number(_)) => return Err(wrong()),
        })
    }

    /// Bytes as JSON text: Go's strings need not be UTF-8.
    pub(super) fn text(&self, bytes: &'a [u8]) -> &'a str {
        match utf8::lossy(bytes) {
            Cow::Borrowed(text) => text,
            Cow::Owned(text) => self.arena.alloc_str(&text),
        }
    }
}

fn payload<'a>(field: &Field, tag: Tag, reader: &mut Reader<'a>) -> Result<Payload<'a>, Error> {
    let wire = wire_of(field.form);
    if tag.wire != wire {
        return Err(wrong_wire(field, tag));
    }
    Ok(match wire {
        VARINT => Payload::Number(reader.varint()?),
        FIXED64 => Payload::Number(reader.fixed64()?),
        FIXED32 => Payload::Number(u64::from(reader.fixed32()?)),
        _ => Payload::Slice(reader.slice()?),
    })
}

fn wrong_wire(field: &Field, tag: Tag) -> Error {
    Error::WrongWire {
        wire: tag.wire,
        field: field.name.clone(),
    }
}

fn wire_of(form: Form) -> u8 {
    match form {
        Form::Bool | Form::Int32 | Form::Int64 | Form::Uint64 => VARINT,
        Form::Double => FIXED64,
        Form::Single => FIXED32,
        _ => BYTES,
    }
}

/// Whether a value sent twice is merged: only messages of generated code. Hand-written decoders replace the value.
fn merges(form: Form) -> bool {
    !matches!(
        form,
        Form::Text | Form::Bytes | Form::Time | Form::MicroTime | Form::Quantity
    )
}

/// Whether JSON omits the member: an unset time, or an empty value with `omitempty`.
fn is_left_out(field: &Field, value: Value<'_>) -> bool {
    let empty = match value {
        Value::Null => return field.shape == Shape::Value,
        Value::Bool(truth) => !truth,
        Value::Int(number) => number == 0 && field.form != Form::IntOrString,
        Value::Float(number) => number == 0.0,
        Value::Str(text) => text.is_empty() && field.form != Form::IntOrString,
        Value::Array(items) => items.is_empty(),
        Value::Uint(_) | Value::Object(_) => false,
    };
    let counts = match field.form {
        Form::Bytes | Form::Items => true,
        _ => field.shape == Shape::Value,
    };
    empty && field.omit && counts
}

/// A float as its JSON would be read: Go writes whole numbers without a point. `None` for infinity.
fn float(number: f64) -> Option<Value<'static>> {
    if !number.is_finite() {
        return None;
    }
    // Both bounds are powers of two, so the comparison is exact.
    let whole = number.fract() == 0.0
        && (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&number);
    Some(if whole {
        Value::Int(number as i64)
    } else {
        Value::Float(number)
    })
}
