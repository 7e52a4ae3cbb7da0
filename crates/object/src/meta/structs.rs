//! Decoding of the structs of metadata by their tables of fields.

use kindsmith_json::path::Step;
use kindsmith_json::{Object, Value};

use super::ObjectMeta;
use super::decode::{Decoded, Malformed};
use super::decoder::{At, Decoder, put};
use super::fields::{Field, FieldType, OBJECT_META, Struct};

impl<'a> Decoder<'a> {
    /// Decodes metadata that is an object.
    pub(super) fn metadata(&mut self, object: Object<'a>) -> Decoded<'a> {
        let mut meta = ObjectMeta::default();
        let mut edit = object.edit(self.arena);
        for entry in self.entries(object).iter() {
            let listed = self.unknown.len();
            let new = self.metadata_field(&mut meta, entry.key, entry.value);
            if self.malformed == Malformed::Drop && self.failed() {
                (self.first, self.last) = (None, None);
                self.unknown.truncate(listed);
            }
            if self.last.is_some() {
                break;
            }
            put(&mut edit, entry, new);
        }
        Decoded {
            meta,
            object: edit.finish(),
            unknown: Vec::new(),
        }
    }

    /// Decodes one field into `meta`, and returns it as it is written.
    fn metadata_field(
        &mut self,
        meta: &mut ObjectMeta<'a>,
        key: &'a str,
        value: Value<'a>,
    ) -> Option<Value<'a>> {
        let Some(known) = OBJECT_META.iter().find(|known| known.field.name == key) else {
            self.note_unknown(|| [Step::Field(key.into())].into_iter().collect());
            return None;
        };
        let at = At {
            owner: "ObjectMeta",
            parent: None,
            field: known.field.name,
            within: self.within,
        };
        let new = self.field(&known.field, value, at)?;
        (known.set)(meta, new);
        Some(new)
    }

    /// Decodes a value of a field, and returns its encoded form; `None` if it is omitted or wrong.
    fn field(&mut self, field: &Field, value: Value<'a>, at: At) -> Option<Value<'a>> {
        let expected = field.go_type;
        match field.ty {
            FieldType::Text => self.nonempty(value, at, expected),
            FieldType::RequiredText => self.text(value, at, expected).map(Value::Str),
            FieldType::Integer => self
                .integer(value, at)?
                .filter(|&number| number != 0)
                .map(Value::Int),
            FieldType::OptionalInteger => self.integer(value, at)?.map(Value::Int),
            FieldType::OptionalBool => self.truth(value, at),
            FieldType::Time => self.time(value, at).filter(|time| !time.is_null()),
            FieldType::OptionalTime => self.time(value, at).filter(|_| !value.is_null()),
            FieldType::Texts => self.map(value, at),
            FieldType::TextSet => {
                let names = self.list(value, at, expected, |decoder, item, at, _| {
                    decoder.text(item, at, "string").map(Value::Str)
                });
                names.filter(|names| !names.is_empty()).map(Value::Array)
            }
            FieldType::Structs(structure) => {
                let items = self.list(value, at, expected, |decoder, item, at, index| {
                    decoder.element(structure, item, at, index)
                });
                items.filter(|items| !items.is_empty()).map(Value::Array)
            }
            FieldType::Raw => Some(value).filter(|value| !value.is_null()),
        }
    }

    /// Decodes an element of a list of structs.
    fn element(
        &mut self,
        structure: &'static Struct,
        item: Value<'a>,
        at: At,
        index: usize,
    ) -> Option<Value<'a>> {
        let object = self.structure(item, at, structure.go_type)?;
        let mut edit = object.edit(self.arena);
        for entry in self.entries(object).iter() {
            let new = match structure.field(entry.key) {
                Some(field) => {
                    let within = At {
                        owner: structure.name,
                        parent: Some(at.field),
                        field: field.name,
                        within: at.within,
                    };
                    self.field(field, entry.value, within)
                }
                None => {
                    self.note_unknown(|| {
                        let (list, field) = (Step::Field(at.field.into()), Step::Field(entry.key.into()));
                        [list, Step::Index(index), field].into_iter().collect()
                    });
                    None
                }
            };
            if self.last.is_some() {
                return None;
            }
            put(&mut edit, entry, new);
        }
        for field in structure.fields {
            if matches!(field.ty, FieldType::RequiredText) && edit.position(field.name).is_none() {
                edit.push(field.name, Value::Str(""));
            }
        }
        Some(Value::Object(edit.finish()))
    }
}
