//! The part of a CRD that the catalog needs, without the schemas.

use kindsmith_json::{Arena, Value};
use kindsmith_object::meta::Scope;
use kindsmith_openapi::List;
use kindsmith_openapi::crd::Names;
use kindsmith_schema::Str;

/// A CRD without its schemas.
#[derive(Debug, Clone)]
pub(crate) struct Outline {
    pub(crate) group: Str,
    pub(crate) scope: Scope,
    pub(crate) accepted: Names,
    pub(crate) versions: Vec<OutlineVersion>,
    pub(crate) is_accepted: bool,
    pub(crate) is_established: bool,
    pub(crate) is_terminating: bool,
    /// Whether it is being deleted.
    pub(crate) is_deleted: bool,
    /// Whether a webhook converts objects.
    pub(crate) has_webhook: bool,
}

/// A version without its schema.
#[derive(Debug, Clone)]
pub(crate) struct OutlineVersion {
    pub(crate) name: Str,
    pub(crate) is_served: bool,
    pub(crate) is_storage: bool,
    pub(crate) has_status: bool,
    pub(crate) has_scale: bool,
}

impl Outline {
    /// Reads a stored CRD.
    pub(crate) fn read(source: &[u8]) -> Option<Outline> {
        let arena = Arena::new();
        Outline::of(kindsmith_json::parse(&arena, source).ok()?)
    }

    /// The outline of a CRD.
    pub(crate) fn of(value: Value<'_>) -> Option<Outline> {
        let (spec, status) = (value.get("spec")?, value.get("status").unwrap_or_default());
        let versions = spec.get("versions").and_then(Value::as_array).unwrap_or_default();
        Some(Outline {
            group: text(spec, "group"),
            scope: match spec.get("scope").and_then(Value::as_str) {
                Some("Namespaced") => Scope::Namespaced,
                _ => Scope::Cluster,
            },
            accepted: names(status.get("acceptedNames").unwrap_or_default()),
            versions: versions.iter().copied().map(version).collect(),
            is_accepted: has_condition(status, "NamesAccepted"),
            is_established: has_condition(status, "Established"),
            is_terminating: has_condition(status, "Terminating"),
            is_deleted: value.lookup(&["metadata", "deletionTimestamp"]).is_some(),
            has_webhook: spec.lookup(&["conversion", "strategy"]) == Some("Webhook".into()),
        })
    }

    /// The storage version.
    pub(crate) fn storage_version(&self) -> &str {
        let storage = self.versions.iter().find(|version| version.is_storage);
        storage.map_or("", |version| &version.name)
    }
}

fn version(value: Value<'_>) -> OutlineVersion {
    let flag = |key: &str| value.get(key).and_then(Value::as_bool).unwrap_or_default();
    let has = |key: &str| {
        let subresource = value.lookup(&["subresources", key]);
        subresource.is_some_and(|subresource| !subresource.is_null())
    };
    OutlineVersion {
        name: text(value, "name"),
        is_served: flag("served"),
        is_storage: flag("storage"),
        has_status: has("status"),
        has_scale: has("scale"),
    }
}

fn names(value: Value<'_>) -> Names {
    let texts = |key: &str| {
        let mut list = List::default();
        if let Some(items) = value.get(key).and_then(Value::as_array) {
            list.make()
                .extend(items.iter().filter_map(|item| item.as_str()).map(Str::from));
        }
        list
    };
    Names {
        plural: text(value, "plural"),
        singular: text(value, "singular"),
        short_names: texts("shortNames"),
        kind: text(value, "kind"),
        list_kind: text(value, "listKind"),
        categories: texts("categories"),
    }
}

fn has_condition(status: Value<'_>, ty: &str) -> bool {
    let conditions = status.get("conditions").and_then(Value::as_array);
    conditions.unwrap_or_default().iter().any(|condition| {
        condition.get("type") == Some(ty.into()) && condition.get("status") == Some("True".into())
    })
}

fn text(value: Value<'_>, key: &str) -> Str {
    value.text(key).into()
}
