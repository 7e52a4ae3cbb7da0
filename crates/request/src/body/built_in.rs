//! Bodies of objects with a Go type.

use kindsmith_json::{Arena, Value, read};

use super::read::{read_json, read_yaml};
use super::type_meta::interpret;
use super::{Body, Media, Unreadable};
use crate::Warning;

/// A body for an object with a Go type.
#[derive(Debug, Clone)]
pub struct BuiltIn<'a> {
    /// The object.
    pub value: Value<'a>,
    /// Duplicate keys in JSON; the kind decides which of them strict decoding rejects.
    pub duplicates: Vec<read::Duplicate>,
    /// What strict decoding rejects so far: duplicate keys in YAML.
    pub strict: Vec<Warning>,
    /// The kind in the body, or the expected one.
    pub kind: String,
    /// The group in the body, or the expected one.
    pub group: String,
    /// The version in the body, or the expected one.
    pub version: String,
}

/// Reads a body for an object with a Go type; its kind, group and version may be omitted.
pub fn parse_built_in<'a>(
    arena: &'a Arena,
    body: Body<'a>,
    (kind, group, version): (&str, &str, &str),
) -> Result<BuiltIn<'a>, Unreadable> {
    let (value, duplicates, strict) = match body.media {
        Media::Json => {
            let (value, duplicates) = read_json(arena, body.bytes, (kind, version))?;
            (value, duplicates, Vec::new())
        }
        Media::Yaml => {
            let (value, strict) = read_yaml(arena, body.bytes)?;
            (value, Vec::new(), strict)
        }
    };
    let given = interpret(value)?;
    let or = |text: &str, default: &str| if text.is_empty() { default } else { text }.to_owned();
    let is_open = given.version.is_empty() && (given.group.is_empty() || given.group == group);
    Ok(BuiltIn {
        value,
        duplicates,
        strict,
        kind: or(given.kind, kind),
        group: if is_open {
            group.to_owned()
        } else {
            given.group.to_owned()
        },
        version: if is_open {
            version.to_owned()
        } else {
            given.version.to_owned()
        },
    })
}

/// The result of a patch for an object with a Go type, if it is of another type than before; kind, group and version are
/// those it has.
///
/// # Errors
///
/// What is wrong with its kind or version.
pub fn patched_built_in<'a>(
    value: Value<'a>,
    (kind, group, version): (&str, &str, &str),
) -> Result<Option<BuiltIn<'a>>, Unreadable> {
    let given = interpret(value)?;
    let named = if given.kind.is_empty() { kind } else { given.kind };
    if (named, given.group, given.version) == (kind, group, version) {
        return Ok(None);
    }
    Ok(Some(BuiltIn {
        value,
        duplicates: Vec::new(),
        strict: Vec::new(),
        kind: named.to_owned(),
        group: given.group.to_owned(),
        version: given.version.to_owned(),
    }))
}
