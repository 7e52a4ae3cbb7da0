//! Structs: by value, behind pointers, in lists and in maps.

use std::sync::Arc;

use kindsmith_json::{Entry, Object, Value};
use kindsmith_schema::{JsonSchema, Shared, SharedVec, Str};

use super::{Decoder, Fault, Field, Form, Making, Member, Record};
use crate::List;
use crate::crd::ApiVersion;

impl<T: Record> Field<T> {
    fn key(&self, api: ApiVersion) -> &'static str {
        match api {
            ApiVersion::V1 => self.key,
            ApiVersion::V1beta1 => self.beta,
        }
    }
}

impl<T: Record> Member for T {
    fn read<'v>(&mut self, decoder: &mut Decoder<'v>, ty: &str, value: Value<'v>) -> Result<(), Fault> {
        match value {
            Value::Null => Ok(()),
            Value::Object(object) => decoder.deeper(|decoder| read_fields(self, decoder, object)),
            other => {
                decoder.mismatch(other.go_json_name(), ty);
                Ok(())
            }
        }
    }

    fn value<'a>(&'a self, to: &Making<'a>) -> Value<'a> {
        let entries = match to.form {
            Form::Api => api_entries(self, to),
            Form::Go => go_entries(self, to),
        };
        to.object(&entries)
    }

    /// `omitempty` never leaves out a struct.
    fn is_empty(&self) -> bool {
        false
    }
}

fn read_fields<'v, T: Record>(
    record: &mut T,
    decoder: &mut Decoder<'v>,
    object: Object<'v>,
) -> Result<(), Fault> {
    let (holder, depth) = (decoder.holder, decoder.fields.len());
    let api = decoder.api();
    for Entry { key, value } in decoder.entries(object) {
        let Some(field) = T::FIELDS.iter().find(|field| field.key(api) == key) else {
            if !T::IGNORED.contains(&key) {
                decoder.unknown(key);
            }
            continue;
        };
        decoder.holder = Some(T::NAME);
        decoder.fields.push(field.key(api));
        // If decoding stops, Go leaves the field as it is and names it in the error.
        decoder.at_key(key, |decoder| {
            (field.get_mut)(record).read(decoder, field.ty, value)
        })?;
        decoder.fields.truncate(depth);
        decoder.holder = holder;
    }
    Ok(())
}

fn api_entries<'a, T: Record>(record: &'a T, to: &Making<'a>) -> Vec<Entry<'a>> {
    let shown = |field: &&Field<T>| !(field.omit_empty && (field.get)(record).is_empty());
    let entry = |field: &Field<T>| Entry {
        key: field.key,
        value: (field.get)(record).value(to),
    };
    T::FIELDS.iter().filter(shown).map(entry).collect()
}

fn go_entries<'a, T: Record>(record: &'a T, to: &Making<'a>) -> Vec<Entry<'a>> {
    let entry = |field: &Field<T>| Entry {
        key: field.go,
        value: (field.get)(record).value(to),
    };
    let Some((moved, before)) = T::DECLARED_BEHIND else {
        return T::FIELDS.iter().map(entry).collect();
    };
    let mut entries = Vec::with_capacity(T::FIELDS.len());
    for field in T::FIELDS.iter().filter(|field| field.key != moved) {
        entries.push(entry(field));
        if field.key == before {
            entries.extend(T::FIELDS.iter().filter(|field| field.key == moved).map(entry));
        }
    }
    entries
}

/// Reads a pointer: null is nil, any other value creates one.
pub(crate) fn read_pointer<'v, T: Member + Default>(
    decoder: &mut Decoder<'v>,
    ty: &str,
    value: Value<'v>,
) -> Result<Option<T>, Fault> {
    if value.is_null() {
        return Ok(None);
    }
    let mut pointee = T::default();
    pointee.read(decoder, ty, value)?;
    Ok(Some(pointee))
}

impl Member for Option<Shared<JsonSchema>> {
    fn read<'v>(&mut self, decoder: &mut Decoder<'v>, ty: &str, value: Value<'v>) -> Result<(), Fault> {
        *self = None;
        if value.is_null() {
            return Ok(());
        }
        // Schemas are large and this recurses, so they are kept off the stack.
        let schema: &mut JsonSchema = self.insert(Shared::default());
        schema.read(decoder, ty, value)
    }

    fn value<'a>(&'a self, to: &Making<'a>) -> Value<'a> {
        self.as_deref().map_or(Value::Null, |schema| schema.value(to))
    }

    fn is_empty(&self) -> bool {
        self.is_none()
    }
}

impl Member for Option<Arc<JsonSchema>> {
    fn read<'v>(&mut self, decoder: &mut Decoder<'v>, ty: &str, value: Value<'v>) -> Result<(), Fault> {
        *self = None;
        if value.is_null() {
            return Ok(());
        }
        let schema = Arc::make_mut(self.insert(Arc::default()));
        schema.read(decoder, ty, value)
    }

    fn value<'a>(&'a self, to: &Making<'a>) -> Value<'a> {
        self.as_deref().map_or(Value::Null, |schema| schema.value(to))
    }

    fn is_empty(&self) -> bool {
        self.is_none()
    }
}

impl<T: Record> Member for Option<T> {
    fn read<'v>(&mut self, decoder: &mut Decoder<'v>, ty: &str, value: Value<'v>) -> Result<(), Fault> {
        *self = read_pointer(decoder, ty, value)?;
        Ok(())
    }

    fn value<'a>(&'a self, to: &Making<'a>) -> Value<'a> {
        self.as_ref().map_or(Value::Null, |record| record.value(to))
    }

    fn is_empty(&self) -> bool {
        self.is_none()
    }
}

/// An element of lists and maps, with its Go type.
pub(crate) trait Element: Member + Default {
    const TYPE: &'static str;
}

/// Reads an array; null is nil.
pub(super) fn read_list<'v, T: Element>(
    decoder: &mut Decoder<'v>,
    ty: &str,
    value: Value<'v>,
) -> Result<Option<Vec<T>>, Fault> {
    let items = match value {
        Value::Null => return Ok(None),
        Value::Array(items) => items,
        other => {
            decoder.mismatch(other.go_json_name(), ty);
            return Ok(None);
        }
    };
    let mut elements = Vec::with_capacity(items.len());
    decoder.deeper(|decoder| {
        for (index, &item) in items.iter().enumerate() {
            let element = elements.push_mut(T::default());
            decoder.at_index(index, |decoder| element.read(decoder, T::TYPE, item))?;
        }
        Ok(())
    })?;
    Ok(Some(elements))
}

fn list_value<'a, T: Member>(elements: &'a [T], to: &Making<'a>) -> Value<'a> {
    let values = elements.iter().map(|element| element.value(to));
    Value::Array(to.arena.alloc_slice_fill_iter(values.collect::<Vec<_>>()))
}

/// A list that is absent when it is empty.
impl<T: Element + Clone> Member for SharedVec<T> {
    fn read<'v>(&mut self, decoder: &mut Decoder<'v>, ty: &str, value: Value<'v>) -> Result<(), Fault> {
        *self = read_list(decoder, ty, value)?.unwrap_or_default().into();
        Ok(())
    }

    fn value<'a>(&'a self, to: &Making<'a>) -> Value<'a> {
        Member::value(&**self, to)
    }

    fn is_empty(&self) -> bool {
        Vec::is_empty(self)
    }
}

/// A list that is absent when it is empty.
impl<T: Element> Member for Vec<T> {
    fn read<'v>(&mut self, decoder: &mut Decoder<'v>, ty: &str, value: Value<'v>) -> Result<(), Fault> {
        *self = read_list(decoder, ty, value)?.unwrap_or_default();
        Ok(())
    }

    fn value<'a>(&'a self, to: &Making<'a>) -> Value<'a> {
        if self.is_empty() {
            return Value::Null;
        }
        list_value(self, to)
    }

    fn is_empty(&self) -> bool {
        Vec::is_empty(self)
    }
}

impl<T: Element> Member for List<T> {
    fn read<'v>(&mut self, decoder: &mut Decoder<'v>, ty: &str, value: Value<'v>) -> Result<(), Fault> {
        *self = read_list(decoder, ty, value)?.map_or(List::ABSENT, List::from);
        Ok(())
    }

    fn value<'a>(&'a self, to: &Making<'a>) -> Value<'a> {
        if self.is_absent() {
            return Value::Null;
        }
        list_value(self, to)
    }

    fn is_empty(&self) -> bool {
        <[T]>::is_empty(self)
    }
}

/// A map in the order of the document; Go writes it by key.
impl<T: Element> Member for Vec<(Str, T)> {
    fn read<'v>(&mut self, decoder: &mut Decoder<'v>, ty: &str, value: Value<'v>) -> Result<(), Fault> {
        self.clear();
        let object = match value {
            Value::Null => return Ok(()),
            Value::Object(object) => object,
            other => {
                decoder.mismatch(other.go_json_name(), ty);
                return Ok(());
            }
        };
        self.reserve_exact(object.len());
        decoder.deeper(|decoder| {
            for Entry { key, value } in decoder.entries(object) {
                let (_, element) = self.push_mut((key.into(), T::default()));
                decoder.at_key(key, |decoder| element.read(decoder, T::TYPE, value))?;
            }
            Ok(())
        })
    }

    fn value<'a>(&'a self, to: &Making<'a>) -> Value<'a> {
        if self.is_empty() {
            return Value::Null;
        }
        let mut entries: Vec<_> = self
            .iter()
            .map(|(key, element)| Entry {
                key,
                value: element.value(to),
            })
            .collect();
        entries.sort_by_key(|entry| entry.key);
        entries.dedup_by_key(|entry| entry.key);
        to.object(&entries)
    }

    fn is_empty(&self) -> bool {
        Vec::is_empty(self)
    }
}

impl<T: Element + Clone> Member for SharedVec<(Str, T)> {
    fn read<'v>(&mut self, decoder: &mut Decoder<'v>, ty: &str, value: Value<'v>) -> Result<(), Fault> {
        let mut elements: Vec<(Str, T)> = std::mem::take(self).into();
        let read = Member::read(&mut elements, decoder, ty, value);
        *self = elements.into();
        read
    }

    fn value<'a>(&'a self, to: &Making<'a>) -> Value<'a> {
        to.once(self, || Member::value(&**self, to))
    }

    fn is_empty(&self) -> bool {
        Vec::is_empty(self)
    }
}
