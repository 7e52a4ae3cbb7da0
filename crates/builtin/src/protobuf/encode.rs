//! Encodes messages, byte for byte as Kubernetes' generated code does: fields by number, single values even when zero,
//! nothing for nil, lists item by item, maps by key.

mod special;

use kindsmith_gostd::base64;
use kindsmith_json::{Entry, Object, Value};
use kindsmith_schema::TypeId;

use super::table::{Field, Form, Message, Shape, Table};
use super::wire::{FIXED32, FIXED64, Writer};
use super::{Error, MAX_DEPTH};

/// Encodes one object.
pub(super) struct Encoder<'t> {
    table: &'t Table,
    pub(super) out: Writer,
    depth: usize,
}

/// The field under which a value is written; errors name it.
#[derive(Clone, Copy)]
pub(super) struct Place<'t> {
    pub(super) number: u32,
    pub(super) field: &'t Field,
}

impl<'t> Encoder<'t> {
    /// An encoder that appends to some bytes.
    pub(super) fn new(table: &'t Table, out: Writer) -> Self {
        Self { table, out, depth: 0 }
    }

    pub(super) fn message(&mut self, message: &'t Message, object: Object<'_>) -> Result<(), Error> {
        if self.depth >= MAX_DEPTH {
            return Err(Error::TooDeep);
        }
        self.depth += 1;
        for &position in &message.by_number {
            let field = &message.fields[usize::from(position)];
            let value = match &field.key {
                Some(key) => object.get(key).unwrap_or_default(),
                None => Value::Object(object),
            };
            self.field(field, value)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn field(&mut self, field: &'t Field, value: Value<'_>) -> Result<(), Error> {
        let place = Place {
            number: field.number,
            field,
        };
        match (field.shape, value) {
            (Shape::Value, _) => self.one(place, value),
            (Shape::Option | Shape::List | Shape::Map, Value::Null) => Ok(()),
            (Shape::Option, _) => self.one(place, value),
            (Shape::List, Value::Array(items)) => items.iter().try_for_each(|item| self.one(place, *item)),
            (Shape::Map, Value::Object(entries)) => self.map(place, entries),
            _ => Err(place.wrong()),
        }
    }

    fn map(&mut self, place: Place<'t>, object: Object<'_>) -> Result<(), Error> {
        let mut entries: Vec<&Entry<'_>> = object.entries().iter().collect();
        entries.sort_by_key(|entry| entry.key);
        for entry in entries {
            let start = self.out.begin(place.number);
            self.out.bytes(1, entry.key.as_bytes());
            if place.field.form != Form::Bytes || !entry.value.is_null() {
                self.one(Place { number: 2, ..place }, entry.value)?;
            }
            self.out.end(start);
        }
        Ok(())
    }

    /// Encodes one value; null is the zero value.
    pub(super) fn one(&mut self, place: Place<'t>, value: Value<'_>) -> Result<(), Error> {
        let number = place.number;
        let wrong = || place.wrong();
        match place.field.form {
            Form::Bool => {
                let truth = or_zero(value, false, Value::as_bool).ok_or_else(wrong)?;
                self.out.number(number, u64::from(truth));
            }
            Form::Int32 => {
                let integer = or_zero(value, 0, Value::as_i64).ok_or_else(wrong)?;
                let integer = i32::try_from(integer).map_err(|_| wrong())?;
                self.out.number(number, i64::from(integer) as u64);
            }
            Form::Int64 => {
                let integer = or_zero(value, 0, Value::as_i64).ok_or_else(wrong)?;
                self.out.number(number, integer as u64);
            }
            Form::Uint64 => {
                let integer = or_zero(value, 0, Value::as_u64).ok_or_else(wrong)?;
                self.out.number(number, integer);
            }
            Form::Double => {
                let float = or_zero(value, 0.0, Value::as_f64).ok_or_else(wrong)?;
                self.out.tag(number, FIXED64);
                self.out.raw(&float.to_le_bytes());
            }
            Form::Single => {
                let float = or_zero(value, 0.0, Value::as_f64).ok_or_else(wrong)?;
                self.out.tag(number, FIXED32);
                self.out.raw(&(float as f32).to_le_bytes());
            }
            Form::Text => {
                let text = or_zero(value, "", Value::as_str).ok_or_else(wrong)?;
                self.out.bytes(number, text.as_bytes());
            }
            Form::Bytes => {
                let text = or_zero(value, "", Value::as_str).ok_or_else(wrong)?;
                let bytes = base64::decode(text.as_bytes()).map_err(|_| wrong())?;
                self.out.bytes(number, &bytes);
            }
            Form::Message(id) => self.inside(number, |encoder| encoder.nested(place, id, value))?,
            _ => self.inside(number, |encoder| special::encode(encoder, place, value))?,
        }
        Ok(())
    }

    fn nested(&mut self, place: Place<'t>, id: TypeId, value: Value<'_>) -> Result<(), Error> {
        let object = or_zero(value, Object::EMPTY, Value::as_object).ok_or_else(|| place.wrong())?;
        let message = self.table.message(id).ok_or_else(|| place.wrong())?;
        self.message(message, object)
    }

    /// Encodes the message of a type under a field number.
    pub(super) fn member(
        &mut self,
        place: Place<'t>,
        number: u32,
        id: TypeId,
        value: Value<'_>,
    ) -> Result<(), Error> {
        self.inside(number, |encoder| encoder.nested(place, id, value))
    }

    pub(super) fn table(&self) -> &'t Table {
        self.table
    }

    fn inside(
        &mut self,
        number: u32,
        write: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let start = self.out.begin(number);
        write(self)?;
        self.out.end(start);
        Ok(())
    }
}

impl Place<'_> {
    pub(super) fn wrong(self) -> Error {
        Error::Value(self.field.name.clone())
    }
}

fn or_zero<'a, T>(value: Value<'a>, zero: T, read: impl FnOnce(Value<'a>) -> Option<T>) -> Option<T> {
    match value {
        Value::Null => Some(zero),
        value => read(value),
    }
}
