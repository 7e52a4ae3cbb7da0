//! Who manages which fields: what the field manager needs to know of a resource's versions.

use kindsmith_json::{Arena, Value};
use kindsmith_merge::{ConvertError, FieldManager, ResetFields, Topology, Versions};

use crate::{Resource, Served};

/// The versions of a resource, as one endpoint of it sees them.
pub(crate) struct Endpoint<'r> {
    resource: &'r dyn Resource,
    group: &'r str,
    kind: &'r str,
    part: &'r str,
    api_version: String,
    reset: Option<ResetFields>,
}

impl<'r> Endpoint<'r> {
    /// The endpoint of a resource, or of a part of it.
    pub(crate) fn new(served: &'r Served, part: &'r str) -> Self {
        Endpoint {
            resource: &*served.resource,
            group: &served.group,
            kind: &served.kind,
            part,
            api_version: served.api_version(),
            reset: served.resource.reset_fields(&served.version, part),
        }
    }

    /// The field manager of the endpoint.
    pub(crate) fn manager(&self) -> FieldManager<'_> {
        FieldManager {
            versions: self,
            api_version: &self.api_version,
            kind: self.kind,
            subresource: self.part,
        }
    }

    /// An object with nothing set.
    pub(crate) fn empty<'a>(&self, arena: &'a Arena) -> Value<'a> {
        Versions::empty(self, arena, &self.api_version, self.kind)
    }

    fn version<'v>(&self, api_version: &'v str) -> Option<&'v str> {
        match api_version.split_once('/') {
            Some((group, version)) => (group == self.group).then_some(version),
            None => self.group.is_empty().then_some(api_version),
        }
    }
}

impl Versions for Endpoint<'_> {
    fn topology(&self, api_version: &str) -> Option<&Topology> {
        self.resource.topology(self.version(api_version)?)
    }

    fn convert<'a>(&self, arena: &'a Arena, object: Value<'a>, to: &str) -> Result<Value<'a>, ConvertError> {
        let version = self
            .version(to)
            .filter(|version| self.resource.topology(version).is_some());
        let version = version.ok_or(ConvertError::NoSuchVersion)?;
        self.resource
            .convert(arena, object, version)
            .map_err(|status| ConvertError::Failed(status.message))
    }

    fn reset_fields(&self, api_version: &str) -> Option<&ResetFields> {
        self.version(api_version)?;
        self.reset.as_ref()
    }
}
