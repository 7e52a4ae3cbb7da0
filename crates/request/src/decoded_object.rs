//! An object on its way through a write.

use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::GroupVersion;
use kindsmith_object::meta::{self, DecodeError, KeyOrder, Malformed, ObjectMeta, UnknownFields};

/// An object with its metadata decoded.
///
/// The metadata inside the object is outdated until [`write_back`](Self::write_back).
#[derive(Debug, Clone, Copy)]
pub struct DecodedObject<'a, X = ()> {
    /// The object as JSON.
    pub object: Object<'a>,
    /// Its metadata.
    pub meta: ObjectMeta<'a>,
    /// What its kind keeps in addition to the JSON form: a Go-typed form, or facts already checked.
    pub extra: X,
}

impl<'a, X: Default> DecodedObject<'a, X> {
    /// Decodes the metadata of an object that fits its type.
    ///
    /// # Errors
    ///
    /// If the metadata has fields of a wrong type.
    pub fn of(arena: &'a Arena, object: Value<'a>) -> Result<Self, DecodeError> {
        let object = object.as_object().unwrap_or_default();
        let metadata = object.get("metadata").unwrap_or(Value::Object(Object::EMPTY));
        let decoded = meta::decode(arena, metadata, Malformed::Refuse, UnknownFields::Ignore)?;
        Ok(DecodedObject {
            object,
            meta: decoded.meta,
            extra: X::default(),
        })
    }
}

impl<'a, X> DecodedObject<'a, X> {
    /// Puts the decoded metadata into the object.
    pub fn write_back(&mut self, arena: &'a Arena, order: KeyOrder) {
        let metadata = Value::Object(self.meta.encode_in(arena, order));
        self.object.insert(arena, "metadata", metadata);
    }

    /// The object as a value.
    #[must_use]
    pub fn value(&self) -> Value<'a> {
        Value::Object(self.object)
    }

    /// The `kind`; empty if it is not a string.
    #[must_use]
    pub fn kind(&self) -> &'a str {
        self.value().text("kind")
    }

    /// The `apiVersion`; empty if it is not a string.
    #[must_use]
    pub fn api_version(&self) -> &'a str {
        self.value().text("apiVersion")
    }

    /// Group and version; empty if `apiVersion` is malformed.
    #[must_use]
    pub fn group_version(&self) -> GroupVersion<&'a str> {
        GroupVersion::parse(self.api_version()).unwrap_or_default()
    }

    /// The member at a path, unless it is absent or null.
    #[must_use]
    pub fn get(&self, path: &[&str]) -> Option<Value<'a>> {
        self.value().lookup(path).filter(|value| !value.is_null())
    }

    /// Sets the member at a path.
    pub fn set(&mut self, arena: &'a Arena, path: &[&'a str], value: Value<'a>) {
        let mut object = self.value();
        object.set(arena, path, value);
        self.object = object.as_object().unwrap_or(self.object);
    }

    /// Removes the member at a path.
    pub fn unset(&mut self, arena: &'a Arena, path: &[&'a str]) {
        let mut object = self.value();
        object.unset(arena, path);
        self.object = object.as_object().unwrap_or(self.object);
    }

    /// Copies the metadata that clients may change from another object (`ResetObjectMetaForStatus` in apimachinery's
    /// pkg/apis/meta/v1/meta.go).
    pub fn reset_metadata<Y>(&mut self, from: &DecodedObject<'a, Y>) {
        let old = &from.meta;
        self.meta.deletion_timestamp = old.deletion_timestamp;
        self.meta.generation = old.generation;
        self.meta.self_link = old.self_link;
        self.meta.labels = old.labels;
        self.meta.annotations = old.annotations;
        self.meta.finalizers = old.finalizers;
        self.meta.owner_references = old.owner_references;
    }

    /// Copies a member at the root from another object; removes it if the other object has none.
    pub fn restore<Y>(&mut self, arena: &'a Arena, key: &'a str, from: &DecodedObject<'a, Y>) {
        match from.object.get(key) {
            Some(value) => self.object.insert(arena, key, value),
            None => self.object.remove(arena, key),
        };
    }
}
