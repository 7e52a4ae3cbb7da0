//! A write: what changes, where the new object comes from, and what only the caller knows.

use kindsmith_json::Value;

use crate::{Body, FieldValidation};

/// A write of one object.
#[derive(Debug, Clone, Copy)]
pub struct Write<'a> {
    /// The version of the URL.
    pub version: &'a str,
    /// What happens to the object.
    pub operation: Operation<'a>,
    /// The namespace of the URL; empty for cluster-scoped objects.
    pub namespace: &'a str,
    /// The name of the URL; empty on create.
    pub name: &'a str,
    /// How unknown and duplicate fields are handled.
    pub field_validation: FieldValidation,
    /// Whether nothing will be stored; admission must know.
    pub is_dry_run: bool,
    /// What only the caller knows.
    pub stamp: Stamp<'a>,
}

/// What happens to an object.
///
/// `old` is the stored object in the version of the URL, as its resource reads it, with the
/// `resourceVersion` it is stored under.
#[derive(Debug, Clone, Copy)]
pub enum Operation<'a> {
    /// A new object.
    Create,
    /// A change of an object.
    Update {
        /// The stored object, if it exists.
        old: Option<Value<'a>>,
    },
    /// A change of its status, through the subresource.
    UpdateStatus {
        /// The stored object, if it exists.
        old: Option<Value<'a>>,
    },
    /// An update through a subresource other than `status` that takes the whole object.
    UpdateSubresource {
        /// The subresource: `approval`, `finalize`.
        subresource: &'a str,
        /// The stored object, if it exists.
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
            | Operation::UpdateSubresource { old, .. } => *old,
        }
    }

    /// The subresource; empty for the object itself.
    #[must_use]
    pub fn subresource(&self) -> &'a str {
        match self {
            Operation::Create | Operation::Update { .. } => "",
            Operation::UpdateStatus { .. } => "status",
            Operation::UpdateSubresource { subresource, .. } => subresource,
        }
    }
}

/// What only the caller knows about a write.
#[derive(Debug, Clone, Copy, Default)]
pub struct Stamp<'a> {
    /// A new uid.
    pub uid: &'a str,
    /// The time: RFC 3339 in UTC, to the second.
    pub now: &'a str,
    /// Five random characters for a generated name.
    pub name_suffix: &'a str,
}

/// Where the object of a write comes from, which decides how it is decoded.
#[derive(Debug, Clone, Copy)]
pub enum Origin<'a> {
    /// The body of a request.
    Body(Body<'a>),
    /// The result of a patch: decoded like a body.
    Patch {
        /// The patched object.
        object: Value<'a>,
        /// The patched object as JSON, for errors.
        text: &'a str,
        /// What strict decoding rejects in the patch itself.
        strict: &'a [&'a str],
    },
    /// The result of a server-side apply: only defaulted.
    Apply {
        /// The merged object.
        object: Value<'a>,
    },
}

impl<'a> From<Body<'a>> for Origin<'a> {
    fn from(body: Body<'a>) -> Self {
        Origin::Body(body)
    }
}
