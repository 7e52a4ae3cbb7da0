//! The version in which a webhook or policy sees a request.

use kindsmith_json::Value;
use kindsmith_request::Status;

use crate::attributes::{Attributes, Gvk, Gvr};
use crate::host::Host;

/// The resource and kind with which a webhook is called.
#[derive(Debug, Clone)]
pub(crate) struct Invocation {
    pub(crate) resource: Gvr,
    pub(crate) kind: Gvk,
}

impl Invocation {
    /// The request's own resource and kind.
    pub(crate) fn of(attributes: &Attributes<'_>) -> Self {
        Invocation {
            resource: attributes.resource.clone(),
            kind: attributes.kind.clone(),
        }
    }
}

/// The objects of a request in one kind and version.
#[derive(Debug, Clone)]
pub(crate) struct Versioned<'a> {
    pub(crate) kind: Gvk,
    pub(crate) object: Option<Value<'a>>,
    pub(crate) old: Option<Value<'a>>,
}

impl<'a> Versioned<'a> {
    pub(crate) fn of(attributes: &Attributes<'a>) -> Self {
        Versioned {
            kind: attributes.kind.clone(),
            object: attributes.object,
            old: attributes.old,
        }
    }

    /// The same objects in another kind.
    pub(crate) fn shown_as(&self, host: &dyn Host<'a>, kind: &Gvk) -> Result<Self, Status> {
        if self.kind == *kind {
            return Ok(self.clone());
        }
        let convert = |object: Option<Value<'a>>| {
            let converted = object.map(|object| host.convert(object, kind)).transpose();
            converted.map_err(|status| Status::internal(&status.message))
        };
        Ok(Versioned {
            kind: kind.clone(),
            object: convert(self.object)?,
            old: convert(self.old)?,
        })
    }
}
