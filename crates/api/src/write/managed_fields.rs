//! Managed fields: what the field manager needs to know of a resource's versions.

use std::sync::OnceLock;

use kindsmith_builtin::find_own;
use kindsmith_json::{Arena, Value};
use kindsmith_merge::{
    ApplyError, ConvertError, FieldManager, ResetFields, ScaleMapping, Topology, Versions,
};
use kindsmith_object::{Behavior, GroupVersion, Release};

use crate::request::write_options::WriteOptions;
use crate::{Resource, Served};

/// The versions of a resource, as one of its endpoints sees them.
pub(crate) struct Endpoint<'r> {
    resource: &'r dyn Resource,
    group: &'r str,
    kind: &'r str,
    subresource: &'r str,
    api_version: String,
    reset: Option<ResetFields>,
}

impl<'r> Endpoint<'r> {
    /// The endpoint of a resource, or of a subresource.
    pub(crate) fn new(served: &'r Served, subresource: &'r str) -> Self {
        Endpoint {
            resource: &*served.resource,
            group: &served.group,
            kind: &served.kind,
            subresource,
            api_version: served.api_version(),
            reset: served.resource.reset_fields(&served.version, subresource),
        }
    }

    /// The field manager of the endpoint.
    pub(crate) fn manager(&self) -> FieldManager<'_> {
        FieldManager {
            versions: self,
            api_version: &self.api_version,
            kind: self.kind,
            subresource: self.subresource,
        }
    }

    /// An object with nothing set.
    pub(crate) fn empty<'a>(&self, arena: &'a Arena) -> Value<'a> {
        Versions::empty(self, arena, &self.api_version, self.kind)
    }

    fn version<'v>(&self, api_version: &'v str) -> Option<&'v str> {
        let asked = GroupVersion::parse(api_version).ok()?;
        (asked.group == self.group).then_some(asked.version)
    }
}

/// The object with its managed fields after a write of its scale: tracks the write of the `Scale` and maps the paths to
/// those of the object (`ScaleHandler` in apimachinery's pkg/util/managedfields).
pub(crate) fn track_scale<'a>(
    served: &Served,
    arena: &'a Arena,
    (old, new): (Value<'a>, Value<'a>),
    (old_scale, new_scale): (Value<'a>, Value<'a>),
    manager: &str,
    now: &'a str,
) -> Option<TrackedScale<'a>> {
    let mut entries_before = None;
    let books = write_scale(served, arena, old, old_scale, |fields, live| {
        let mut new_scale = new_scale;
        entries_before = live.lookup(&MANAGED);
        if let Some(before) = entries_before {
            new_scale.set(arena, &MANAGED, before);
        }
        Ok(fields.update(arena, live, new_scale, manager, now))
    });
    let (written, entries) = books.ok()?;
    Some(TrackedScale {
        object: with_entries(arena, new, entries),
        before: entries_before,
        after: written.lookup(&MANAGED),
    })
}

/// The scale of an object with the managed fields of the object that concern it: what a patch changes.
pub(crate) fn scale_with_entries<'a>(
    served: &Served,
    arena: &'a Arena,
    object: Value<'a>,
    scale: Value<'a>,
) -> Value<'a> {
    write_scale(served, arena, object, scale, |_, live| Ok(live)).map_or(scale, |(live, _)| live)
}

/// Managed fields before and after a write of a scale.
pub(crate) struct TrackedScale<'a> {
    /// The object behind the scale.
    pub(crate) object: Value<'a>,
    /// The entries of the old `Scale`.
    pub(crate) before: Option<Value<'a>>,
    /// The entries of the new `Scale`.
    pub(crate) after: Option<Value<'a>>,
}

/// Applies a configuration to the scale of an object; returns the new `Scale`, and the object with its managed fields.
pub(crate) fn apply_scale<'a>(
    served: &Served,
    arena: &'a Arena,
    (old, old_scale): (Value<'a>, Value<'a>),
    patch: Value<'a>,
    options: &WriteOptions,
    now: &'a str,
) -> Result<(Value<'a>, Value<'a>), ApplyError> {
    let (scale, entries) = write_scale(served, arena, old, old_scale, |fields, live| {
        fields.apply(arena, live, patch, &options.manager, options.force, now)
    })?;
    Ok((scale, with_entries(arena, old, entries)))
}

const MANAGED: [&str; 2] = ["metadata", "managedFields"];

fn with_entries<'a>(arena: &'a Arena, mut object: Value<'a>, entries: Option<Value<'a>>) -> Value<'a> {
    match entries {
        Some(entries) => object.set(arena, &MANAGED, timeless(arena, entries)),
        None => _ = object.unset(arena, &MANAGED),
    }
    object
}

/// Calls `write` with the old `Scale` and its managed fields; returns the new one, and the entries of the object.
fn write_scale<'a>(
    served: &Served,
    arena: &'a Arena,
    old: Value<'a>,
    mut old_scale: Value<'a>,
    write: impl FnOnce(FieldManager<'_>, Value<'a>) -> Result<Value<'a>, ApplyError>,
) -> Result<(Value<'a>, Option<Value<'a>>), ApplyError> {
    let paths = served.resource.replicas_paths();
    let versions: Vec<String> = paths
        .iter()
        .map(|(version, _)| match &*served.group {
            "" => (*version).to_owned(),
            group => format!("{group}/{version}"),
        })
        .collect();
    let paths: Vec<(&str, Option<&[&str]>)> = versions
        .iter()
        .zip(&paths)
        .map(|(version, (_, path))| (version.as_str(), path.as_deref()))
        .collect();
    let api_version = served.api_version();
    let mapping = ScaleMapping {
        api_version: &api_version,
        paths: &paths,
    };
    if let Some(before) = mapping.to_scale(arena, old.lookup(&MANAGED))? {
        old_scale.set(arena, &MANAGED, before);
    }
    let fields = FieldManager {
        versions: &ScaleVersion,
        api_version: SCALE,
        kind: "Scale",
        subresource: "scale",
    };
    let written = write(fields, old_scale)?;
    let entries = mapping.to_parent(arena, old.lookup(&MANAGED), written.lookup(&MANAGED))?;
    Ok((written, entries))
}

/// Removes the times of the scale's entries. Kubernetes looks times up by the identifier of an entry, which differs
/// between the `Scale` and the object, so it loses them.
fn timeless<'a>(arena: &'a Arena, entries: Value<'a>) -> Value<'a> {
    let items = entries.as_array().unwrap_or_default().iter().map(|&entry| {
        let mut entry = entry;
        if entry.get("subresource") == Some("scale".into()) {
            entry.unset(arena, &["time"]);
        }
        entry
    });
    let mut items: Vec<Value<'a>> = items.collect();
    // Entries without a time come first.
    items.sort_by_key(|entry| {
        let is_update = entry.get("operation") == Some("Update".into());
        (is_update, is_update && entry.get("time").is_some())
    });
    Value::Array(arena.alloc_slice_copy(&items))
}

/// An object that is sent but not stored, with the managed fields of its creation.
pub(crate) fn track_unstored<'a>(
    arena: &'a Arena,
    (group, version, kind): (&str, &str, &str),
    subresource: &str,
    object: Value<'a>,
    (manager, now): (&str, &'a str),
) -> Value<'a> {
    let only = OnlyVersion {
        api_version: match group {
            "" => version.to_owned(),
            group => format!("{group}/{version}"),
        },
        topology: match find_own(Release::NEWEST, group, version, kind) {
            Some(kind) => Topology::of_type(&kind.schema, kind.ty),
            None => return object,
        },
    };
    let fields = FieldManager {
        versions: &only,
        api_version: &only.api_version,
        kind,
        subresource,
    };
    let empty = only.empty(arena, &only.api_version, kind);
    fields.update(arena, empty, object, manager, now)
}

/// A kind with a single version.
struct OnlyVersion {
    api_version: String,
    topology: Topology,
}

impl Versions for OnlyVersion {
    fn topology(&self, api_version: &str) -> Option<&Topology> {
        (api_version == self.api_version).then_some(&self.topology)
    }

    fn convert<'a>(&self, _: &'a Arena, _: Value<'a>, _: &str) -> Result<Value<'a>, ConvertError> {
        Err(ConvertError::NoSuchVersion)
    }
}

const SCALE: &str = "autoscaling/v1";

/// The only version of `Scale`.
struct ScaleVersion;

impl Versions for ScaleVersion {
    fn topology(&self, api_version: &str) -> Option<&Topology> {
        static TOPOLOGY: OnceLock<Topology> = OnceLock::new();
        let topology = || match find_own(Release::NEWEST, "autoscaling", "v1", "Scale") {
            Some(kind) => Topology::of_type(&kind.schema, kind.ty),
            None => Topology::deduced(),
        };
        (api_version == SCALE).then(|| TOPOLOGY.get_or_init(topology))
    }

    fn convert<'a>(&self, _: &'a Arena, _: Value<'a>, _: &str) -> Result<Value<'a>, ConvertError> {
        Err(ConvertError::NoSuchVersion)
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
        let Some(version) = version else {
            return Err(if self.resource.is_custom() {
                ConvertError::Failed(format!("request to convert CR to an invalid group/version: {to}"))
            } else {
                ConvertError::NoSuchVersion
            });
        };
        self.resource
            .convert(arena, object, version)
            .map_err(|status| ConvertError::Failed(status.message))
    }

    fn keeps_owners(&self) -> bool {
        self.resource.release().has(Behavior::OwnersKept)
    }

    fn reset_fields(&self, api_version: &str) -> Option<&ResetFields> {
        self.version(api_version)?;
        self.reset.as_ref()
    }
}
