//! The versions of a kind, which the caller provides.

use kindsmith_json::{Arena, Value};

use super::FieldManager;
use crate::reset::ResetFields;
use crate::topology::Topology;
use crate::typed::Duplicates;

/// The versions of a kind: how each merges, and how objects are converted.
pub trait Versions {
    /// The topology of a version such as `apps/v1`; `None` if the version does not exist (anymore).
    fn topology(&self, api_version: &str) -> Option<&Topology>;

    /// Converts an object to another version. Called only if the versions differ.
    ///
    /// # Errors
    /// On [`ConvertError::NoSuchVersion`] the managers of that version are dropped. On any other error an apply is
    /// rejected, and an update does as [`Versions::keeps_owners`] says.
    fn convert<'a>(&self, arena: &'a Arena, object: Value<'a>, to: &str) -> Result<Value<'a>, ConvertError>;

    /// Whether an update whose ownership cannot be determined keeps the stored managed fields; otherwise it removes them.
    fn keeps_owners(&self) -> bool {
        true
    }

    /// The fields that this endpoint resets, at a version.
    fn reset_fields(&self, api_version: &str) -> Option<&ResetFields> {
        let _ = api_version;
        None
    }

    /// The empty object, which a created object is compared with.
    fn empty<'a>(&self, arena: &'a Arena, api_version: &str, kind: &str) -> Value<'a> {
        match self.topology(api_version) {
            Some(topology) => topology.empty(arena, api_version, kind),
            None => Topology::deduced().empty(arena, api_version, kind),
        }
    }
}

/// Why an object could not be converted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConvertError {
    /// The version does not exist (anymore).
    NoSuchVersion,
    /// The conversion failed.
    Failed(String),
}

impl std::fmt::Display for ConvertError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ConvertError::NoSuchVersion => out.write_str("no such version"),
            ConvertError::Failed(why) => out.write_str(why),
        }
    }
}

impl std::error::Error for ConvertError {}

impl<'m> FieldManager<'m> {
    /// The topology of the endpoint's version.
    pub(super) fn topology(&self) -> Result<&'m Topology, String> {
        let found = self.versions.topology(self.api_version);
        found.ok_or_else(|| {
            format!(
                "no corresponding type for {}",
                super::kind_text(self.api_version, self.kind)
            )
        })
    }

    /// The object at a version, checked against that version's topology.
    pub(super) fn at_version<'a>(
        &self,
        arena: &'a Arena,
        object: Value<'a>,
        to: &str,
    ) -> Result<(Value<'a>, &'m Topology), ConvertError> {
        if to.matches('/').count() > 1 {
            return Err(ConvertError::Failed(format!(
                "unexpected GroupVersion string: {to}"
            )));
        }
        let is_there = object.get("apiVersion").and_then(Value::as_str) == Some(to);
        let converted = if is_there {
            object
        } else {
            self.versions.convert(arena, object, to)?
        };
        let topology = self.versions.topology(to).ok_or(ConvertError::NoSuchVersion)?;
        if !is_there {
            let valid = topology.validate(converted, Duplicates::Refused);
            valid.map_err(|errors| ConvertError::Failed(errors.to_string()))?;
        }
        Ok((converted, topology))
    }
}
