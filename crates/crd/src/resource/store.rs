//! Prepares objects for storage: converts to the storage version and drops what the store itself keeps.

use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::meta::KeyOrder;
use kindsmith_structural::KnownValid;

use super::Resource;
use super::coerce::{Custom, Reason};
use super::converter::ConversionError;
use crate::Status;

/// The object after a round trip through storage: a whole float becomes an integer.
fn as_bytes<'a>(arena: &'a Arena, custom: &Custom<'a>) -> Value<'a> {
    let object = Value::Object(custom.object);
    let known = custom.extra.valid.filter(KnownValid::is_without_floats);
    let is_known = |key: &str, value: Value<'a>| {
        key != "metadata" && known.is_some_and(|checked| checked.has(key, value))
    };
    let mut members = custom.object.iter();
    if !members.any(|(key, value)| !is_known(key, value) && has_whole_float(value)) {
        return object;
    }
    let text = arena.alloc_str(&kindsmith_json::to_string(object));
    kindsmith_json::parse_str(arena, text).unwrap_or(object)
}

fn has_whole_float(value: Value<'_>) -> bool {
    match value {
        Value::Float(number) => return number.trunc() == number,
        Value::Array(_) | Value::Object(_) => {}
        _ => return false,
    }
    let mut open = vec![value];
    while let Some(here) = open.pop() {
        match here {
            Value::Array(items) => open.extend_from_slice(items),
            Value::Object(object) => open.extend(object.values()),
            Value::Float(number) if number.trunc() == number => return true,
            _ => {}
        }
    }
    false
}

impl Resource {
    /// The object to store: in the storage version, without resource version.
    ///
    /// Prunes what the storage version does not know; sets no defaults.
    pub(super) fn to_storage<'a>(
        &'a self,
        arena: &'a Arena,
        custom: &Custom<'a>,
    ) -> Result<Value<'a>, Status> {
        let mut custom = *custom;
        if !custom.meta.resource_version.is_empty() || !custom.meta.self_link.is_empty() {
            custom.meta.resource_version = "";
            custom.meta.self_link = "";
            custom.write_back(arena, KeyOrder::Sorted);
        }
        let storage = self
            .storage_version()
            .map_or(custom.group_version().version, |version| &version.name);
        let is_stored_version = custom.group_version().version == storage;
        if !is_stored_version || custom.extra.is_unpruned {
            custom = self
                .convert(arena, custom.object, storage)
                .map_err(|error| Status::unforeseen(error.to_string()))?;
        }
        Ok(as_bytes(arena, &custom))
    }

    /// An object that was read in some version, as it is stored.
    ///
    /// # Errors
    ///
    /// If it cannot be converted.
    pub fn stored_form<'a>(
        &'a self,
        arena: &'a Arena,
        object: Value<'a>,
    ) -> Result<Value<'a>, ConversionError> {
        let (Some(storage), Value::Object(members)) = (self.storage_version(), object) else {
            return Ok(object);
        };
        let custom = self.convert(arena, members, &storage.name)?;
        Ok(Value::Object(custom.object))
    }

    /// The object in another version, without what that version does not know.
    pub(super) fn convert<'a>(
        &'a self,
        arena: &'a Arena,
        object: Object<'a>,
        version: &str,
    ) -> Result<Custom<'a>, ConversionError> {
        let object = self.convert_object(arena, object, version)?;
        let (custom, _) = self
            .apply(arena, object, Reason::Conversion)
            .map_err(ConversionError::Malformed)?;
        Ok(custom)
    }
}
