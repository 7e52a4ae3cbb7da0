//! What controllers see of a cluster, and how they act on it.

use std::sync::Arc;

use kindsmith_api::{Answer, Api, Catalog, Loopback, Verb};
use kindsmith_gostd::time::{Layout, Time};
use kindsmith_json::{Arena, Value};
use kindsmith_object::GroupVersion;
use kindsmith_object::meta::Scope;
use kindsmith_object::well_known::{namespace, user};

/// The cluster at a time.
pub(crate) struct Cluster<'m> {
    api: &'m Api,
    pub(crate) catalog: Arc<Catalog>,
    /// Seconds since 1970.
    pub(crate) now: i64,
}

/// Where an object is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) resource: String,
    pub(crate) kind: String,
    /// Empty for cluster-scoped objects.
    pub(crate) namespace: String,
    pub(crate) name: String,
}

/// What happened to an object.
pub(crate) struct Change<'e> {
    pub(crate) place: &'e Place,
    /// The object; `None` if it was deleted.
    pub(crate) new: Option<Value<'e>>,
    /// The state before, if it is known.
    pub(crate) old: Option<Value<'e>>,
}

impl Place {
    /// The place of a key in the store.
    pub(crate) fn of(catalog: &Catalog, key: &str) -> Option<Place> {
        let served = catalog
            .served
            .iter()
            .filter(|served| key.starts_with(&*served.key_prefix) && served.has(Verb::List));
        // Of several versions, the stored one names the object; a version that is not served any more, the first.
        let served = served
            .clone()
            .find(|served| *served.version == *served.resource.storage_version())
            .or_else(|| served.clone().next())?;
        let rest = key.strip_prefix(&*served.key_prefix)?;
        let (namespace, name) = match served.scope {
            Scope::Namespaced => rest.split_once('/')?,
            Scope::Cluster => ("", rest),
        };
        Some(Place {
            group: served.group.to_string(),
            version: served.version.to_string(),
            resource: served.plural.to_string(),
            kind: served.kind.to_string(),
            namespace: namespace.to_owned(),
            name: name.to_owned(),
        })
    }

    pub(crate) fn is(&self, group: &str, resource: &str) -> bool {
        self.group == group && self.resource == resource
    }

    /// The collection.
    pub(crate) fn collection(&self) -> String {
        collection(&self.group, &self.version, &self.namespace, &self.resource)
    }

    /// The path of the object.
    pub(crate) fn path(&self) -> String {
        format!("{}/{}", self.collection(), self.name)
    }
}

/// The path of a collection.
pub(crate) fn collection(group: &str, version: &str, namespace: &str, resource: &str) -> String {
    let root = GroupVersion { group, version }.url_path();
    match namespace {
        "" => format!("{root}/{resource}"),
        namespace => format!("{root}/namespaces/{namespace}/{resource}"),
    }
}

impl<'m> Cluster<'m> {
    pub(crate) fn new(api: &'m Api, now: i64) -> Self {
        Cluster {
            api,
            catalog: api.catalog(),
            now,
        }
    }

    /// A client under the account of a controller.
    pub(crate) fn client(&self, controller: &str) -> Loopback<'m> {
        let user = user::service_account(namespace::SYSTEM, &format!("{controller}-controller"));
        self.api.client(&user, "kube-controller-manager")
    }

    /// The API.
    pub(crate) fn api(&self) -> &'m Api {
        self.api
    }

    /// The time as in objects.
    pub(crate) fn now_text(&self) -> String {
        let now = Time::from_unix(self.now, 0);
        now.map_or_else(String::new, |time| time.format(Layout::Rfc3339))
    }
}

/// Reads an answer; `None` if it is an error.
pub(crate) fn object<'a>(arena: &'a Arena, answer: &Answer) -> Option<Value<'a>> {
    if !answer.is_done() {
        return None;
    }
    kindsmith_json::parse_str(arena, arena.alloc_str(&answer.body)).ok()
}

/// The items of a list.
pub(crate) fn listed<'a>(arena: &'a Arena, answer: &Answer) -> &'a [Value<'a>] {
    let list = object(arena, answer).unwrap_or_default();
    list.list("items")
}

/// A text as JSON.
pub(crate) fn quoted(text: &str) -> String {
    kindsmith_json::to_string(Value::Str(text))
}

/// A time in an object, in seconds since 1970.
pub(crate) fn seconds(value: Value<'_>, path: &[&str]) -> Option<i64> {
    let time = Time::parse(Layout::Rfc3339, value.text(path)).ok()?;
    Some(time.unix_seconds())
}

pub(crate) fn is_going(object: Value<'_>) -> bool {
    !object.text(&["metadata", "deletionTimestamp"]).is_empty()
}
