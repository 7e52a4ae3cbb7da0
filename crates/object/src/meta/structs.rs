//! The structs of metadata, field by field: how each field is decoded and written back.

use kindsmith_json::{Object, Value};

use super::ObjectMeta;
use super::decode::{Decoded, Malformed};
use super::decoder::{At, Decoder, keep_list, put};

/// The fields of an owner reference that are written even when empty.
const OWNER_REFERENCE: [&str; 4] = ["apiVersion", "kind", "name", "uid"];

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

    /// Decodes one field into `meta`; returns the value to write back.
    fn metadata_field(
        &mut self,
        meta: &mut ObjectMeta<'a>,
        key: &'a str,
        value: Value<'a>,
    ) -> Option<Value<'a>> {
        let within = self.within;
        let at = |field| At {
            owner: "ObjectMeta",
            parent: None,
            field,
            within,
        };
        match key {
            "name" => self.text_field(&mut meta.name, value, at("name"), "string"),
            "generateName" => self.text_field(&mut meta.generate_name, value, at("generateName"), "string"),
            "namespace" => self.text_field(&mut meta.namespace, value, at("namespace"), "string"),
            "selfLink" => self.text_field(&mut meta.self_link, value, at("selfLink"), "string"),
            "uid" => self.text_field(&mut meta.uid, value, at("uid"), "types.UID"),
            "resourceVersion" => {
                self.text_field(&mut meta.resource_version, value, at("resourceVersion"), "string")
            }
            "generation" => {
                meta.generation = self.integer(value, at("generation"))?.unwrap_or_default();
                (meta.generation != 0).then_some(Value::Int(meta.generation))
            }
            "creationTimestamp" => {
                let written = self.time(value, at("creationTimestamp"))?;
                meta.creation_timestamp = written.as_str();
                meta.creation_timestamp.map(Value::Str)
            }
            "deletionTimestamp" => {
                let written = self.time(value, at("deletionTimestamp"))?;
                meta.deletion_timestamp = written.as_str();
                (!value.is_null()).then_some(written)
            }
            "deletionGracePeriodSeconds" => {
                meta.deletion_grace_period_seconds = self.integer(value, at("deletionGracePeriodSeconds"))?;
                meta.deletion_grace_period_seconds.map(Value::Int)
            }
            "labels" => self.map_field(&mut meta.labels, value, at("labels")),
            "annotations" => self.map_field(&mut meta.annotations, value, at("annotations")),
            "finalizers" => {
                let names = self.list(value, at("finalizers"), "[]string", |decoder, item, at, _| {
                    decoder.text(item, at, "string").map(Value::Str)
                });
                keep_list(&mut meta.finalizers, names?)
            }
            "ownerReferences" => {
                let owners = self.list(value, at("ownerReferences"), "[]v1.OwnerReference", Self::owner);
                keep_list(&mut meta.owner_references, owners?)
            }
            "managedFields" => {
                let entries = self.list(
                    value,
                    at("managedFields"),
                    "[]v1.ManagedFieldsEntry",
                    Self::manager,
                );
                keep_list(&mut meta.managed_fields, entries?)
            }
            _ => {
                self.note_unknown(|| key.to_owned());
                None
            }
        }
    }

    fn owner(&mut self, item: Value<'a>, at: At, index: usize) -> Option<Value<'a>> {
        let object = self.structure(item, at, "v1.OwnerReference")?;
        let within = |field| At {
            owner: "OwnerReference",
            parent: Some(at.field),
            field,
            within: at.within,
        };
        let mut edit = object.edit(self.arena);
        for entry in self.entries(object).iter() {
            let new = match entry.key {
                "apiVersion" => self
                    .text(entry.value, within("apiVersion"), "string")
                    .map(Value::Str),
                "kind" => self.text(entry.value, within("kind"), "string").map(Value::Str),
                "name" => self.text(entry.value, within("name"), "string").map(Value::Str),
                "uid" => self.text(entry.value, within("uid"), "types.UID").map(Value::Str),
                "controller" => self.truth(entry.value, within("controller")),
                "blockOwnerDeletion" => self.truth(entry.value, within("blockOwnerDeletion")),
                key => {
                    self.note_unknown(|| format!("{}[{index}].{key}", at.field));
                    None
                }
            };
            put(&mut edit, entry, new);
        }
        for key in OWNER_REFERENCE {
            if edit.position(key).is_none() {
                edit.push(key, Value::Str(""));
            }
        }
        Some(Value::Object(edit.finish()))
    }

    fn manager(&mut self, item: Value<'a>, at: At, index: usize) -> Option<Value<'a>> {
        let object = self.structure(item, at, "v1.ManagedFieldsEntry")?;
        let within = |field| At {
            owner: "ManagedFieldsEntry",
            parent: Some(at.field),
            field,
            within: at.within,
        };
        let mut edit = object.edit(self.arena);
        for entry in self.entries(object).iter() {
            let value = entry.value;
            let new = match entry.key {
                "manager" => self.nonempty(value, within("manager"), "string"),
                "operation" => self.nonempty(value, within("operation"), "v1.ManagedFieldsOperationType"),
                "apiVersion" => self.nonempty(value, within("apiVersion"), "string"),
                "fieldsType" => self.nonempty(value, within("fieldsType"), "string"),
                "subresource" => self.nonempty(value, within("subresource"), "string"),
                "time" => self.time(value, within("time")).filter(|_| !value.is_null()),
                "fieldsV1" => Some(value).filter(|value| !value.is_null()),
                key => {
                    self.note_unknown(|| format!("{}[{index}].{key}", at.field));
                    None
                }
            };
            if self.last.is_some() {
                return None;
            }
            put(&mut edit, entry, new);
        }
        Some(Value::Object(edit.finish()))
    }
}
