//! What a write is about.

use kindsmith_json::Value;

use crate::FieldValidation;

/// A write of one object.
#[derive(Debug, Clone, Copy)]
pub struct Write<'a> {
    /// The version of the URL.
    pub version: &'a str,
    /// What is to happen.
    pub operation: Operation<'a>,
    /// The namespace of the URL; empty for what lives in none.
    pub namespace: &'a str,
    /// The name of the URL; empty on create.
    pub name: &'a str,
    /// What becomes of fields that are unknown or there twice.
    pub field_validation: FieldValidation,
    /// What only the caller can know.
    pub stamp: Stamp<'a>,
}

/// What is to happen to an object.
///
/// `old` is the stored object in the version of the URL, as its resource reads it, with the
/// `resourceVersion` it is stored under.
#[derive(Debug, Clone, Copy)]
pub enum Operation<'a> {
    /// A new object.
    Create,
    /// Another state of an object.
    Update {
        /// The stored object; none if there is none.
        old: Option<Value<'a>>,
    },
    /// Another status of an object, through its subresource.
    UpdateStatus {
        /// The stored object; none if there is none.
        old: Option<Value<'a>>,
    },
    /// Another state of a part of an object, through a subresource other than the status that takes the whole object.
    UpdatePart {
        /// The subresource: `approval`, `finalize`.
        part: &'a str,
        /// The stored object; none if there is none.
        old: Option<Value<'a>>,
    },
}

impl<'a> Operation<'a> {
    /// The stored object.
    #[must_use]
    pub fn old(&self) -> Option<Value<'a>> {
        match self {
            Operation::Create => None,
            Operation::Update { old }
            | Operation::UpdateStatus { old }
            | Operation::UpdatePart { old, .. } => *old,
        }
    }

    /// The subresource; empty for the object itself.
    #[must_use]
    pub fn part(&self) -> &'a str {
        match self {
            Operation::Create | Operation::Update { .. } => "",
            Operation::UpdateStatus { .. } => "status",
            Operation::UpdatePart { part, .. } => part,
        }
    }
}

/// What only the caller can know about a write.
#[derive(Debug, Clone, Copy, Default)]
pub struct Stamp<'a> {
    /// A new uid.
    pub uid: &'a str,
    /// The time: RFC 3339 in UTC, to the second.
    pub now: &'a str,
    /// Five random characters for a generated name.
    pub name_suffix: &'a str,
}

/// Where an object that is no body comes from, which decides what is done to it first.
#[derive(Debug, Clone, Copy)]
pub enum Origin<'a> {
    /// The result of a JSON patch or merge patch: read again like a body.
    Patch {
        /// The patched object as JSON, for errors.
        text: &'a str,
        /// What a strict decoder minded in the patch itself.
        strict: &'a [&'a str],
    },
    /// The result of a server-side apply: only defaulted.
    Apply,
}
