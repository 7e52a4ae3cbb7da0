//! Reads objects from storage, for get, list, watch and responses to writes.

use std::fmt;

use kindsmith_json::{Arena, Object, Value};
use kindsmith_object::meta::group_version;

use super::coerce::{Custom, Reason};
use super::{Resource, Version};

/// Why a stored object cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError {
    /// The resource cannot be served at all.
    NotServed,
    /// The stored object makes no sense, or cannot be converted.
    Undecodable(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::NotServed => out.write_str("error resolving resource"),
            ReadError::Undecodable(why) => out.write_str(why),
        }
    }
}

impl std::error::Error for ReadError {}

/// A stored object before it is converted.
enum Read<'a> {
    /// It needs nothing more.
    Whole(Value<'a>),
    /// It has what its own version prunes and defaults.
    Stored(Object<'a>),
}

impl Resource {
    /// Reads a stored object in a version.
    ///
    /// The schema of the stored version prunes and defaults it, and malformed metadata is dropped. It is then
    /// converted, and the schema of the requested version prunes it again without defaulting it.
    ///
    /// # Errors
    ///
    /// If the stored value has no kind, or its metadata is invalid, or it cannot be converted, or the schema
    /// cannot be served.
    pub fn read<'a>(
        &'a self,
        arena: &'a Arena,
        stored: Value<'a>,
        version: &str,
    ) -> Result<Value<'a>, ReadError> {
        let object = match self.before_conversion(arena, stored, version)? {
            Read::Whole(value) => return Ok(value),
            Read::Stored(object) => object,
        };
        let custom = self
            .convert(arena, object, version)
            .map_err(|error| ReadError::Undecodable(error.to_string()))?;
        Ok(Value::Object(custom.object))
    }

    /// Reads stored objects in a version, as [`Resource::read`] does, in one step of the converter; `None` if they must be read
    /// one by one.
    pub fn read_all<'a>(
        &'a self,
        arena: &'a Arena,
        stored: &[Value<'a>],
        version: &str,
    ) -> Option<Vec<Result<Value<'a>, ReadError>>> {
        let read: Vec<_> = stored
            .iter()
            .map(|stored| self.before_conversion(arena, *stored, version))
            .collect();
        let objects: Vec<Object<'a>> = read
            .iter()
            .filter_map(|read| match read {
                Ok(Read::Stored(object)) => Some(*object),
                _ => None,
            })
            .collect();
        let mut converted = self.convert_objects(arena, &objects, version)?.into_iter();
        let read = read.into_iter().map(|read| {
            let object = match read? {
                Read::Whole(value) => return Ok(value),
                Read::Stored(object) => converted.next().unwrap_or(Ok(object)),
            };
            let object = object.map_err(|error| ReadError::Undecodable(error.to_string()))?;
            let custom = self.apply(arena, object, Reason::Conversion);
            let (custom, _) = custom.map_err(ReadError::Undecodable)?;
            Ok(Value::Object(custom.object))
        });
        Some(read.collect())
    }

    /// The stored object as its own version has it.
    fn before_conversion<'a>(
        &'a self,
        arena: &'a Arena,
        stored: Value<'a>,
        version: &str,
    ) -> Result<Read<'a>, ReadError> {
        let Value::Object(object) = stored else {
            return Err(ReadError::Undecodable("the stored value is no object".to_owned()));
        };
        if self
            .version(version)
            .is_some_and(|version| !self.is_servable(version))
        {
            return Err(ReadError::NotServed);
        }
        let settled = self
            .settle(arena, object, Reason::Storage)
            .map_err(ReadError::Undecodable)?;
        if let Some((custom, _)) = settled {
            // If the first pass changed nothing, a second one in the same version would not either.
            let is_same = std::ptr::eq(custom.object.entries(), object.entries());
            return Ok(if is_same && self.is_in(object, version) {
                Read::Whole(stored)
            } else {
                Read::Stored(custom.object)
            });
        }
        let (mut custom, _) = self
            .apply(arena, object, Reason::Storage)
            .map_err(ReadError::Undecodable)?;
        self.default_object(arena, &mut custom);
        Ok(Read::Stored(custom.object))
    }

    /// Whether an object that was just written reads back unchanged. `true` only if that is easy to see.
    pub(super) fn is_read_as_it_is<'a>(
        &'a self,
        arena: &'a Arena,
        version: &str,
        custom: &Custom<'a>,
        stored: Value<'a>,
    ) -> bool {
        let storage = self.storage_version().filter(|storage| *storage.name == *version);
        let structure = storage.and_then(Version::normalizer);
        let (Some(checked), Some(structure), Value::Object(object)) =
            (&custom.extra.valid, structure, stored)
        else {
            return false;
        };
        // Metadata was encoded from its decoded form, so it is well-formed.
        custom.meta.generation != 0
            && self.is_in(object, version)
            && custom.kind() == &*self.kind
            && structure.is_still_settled(arena, checked, object)
    }

    /// Whether an object of our group is in a version.
    fn is_in(&self, object: Object<'_>, version: &str) -> bool {
        let api_version = object.get("apiVersion").and_then(Value::as_str);
        api_version.and_then(group_version) == Some((&self.group, version))
    }
}
