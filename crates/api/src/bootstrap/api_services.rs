//! The `APIService` objects of what the server itself serves: one for each group and version (kube-aggregator's
//! pkg/controllers/autoregister and pkg/controlplane/controller/crdregistration).

use std::collections::BTreeSet;

use kindsmith_json::{Arena, Value, parse};
use kindsmith_object::store_key;
use kindsmith_store::{Error, List, Store};

use super::{Existing, put, remove};
use crate::discovery::order;
use crate::environment::{self, Random};
use crate::{Catalog, Environment};

/// What writing objects takes.
type Writing<'s> = (&'s dyn Store, &'s dyn Environment);

/// The label of objects that come and go with what is served.
const MANAGED: &str = "kube-aggregator.kubernetes.io/automanaged";

/// A served group and version, and whether CRDs define it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GroupVersion {
    group: String,
    version: String,
    is_custom: bool,
}

/// What a catalog serves of one group, or of all. The group of `APIService` itself has no objects.
pub(crate) fn served(catalog: &Catalog, group: Option<&str>) -> BTreeSet<GroupVersion> {
    let asked = group.map_or(&*catalog.served, |group| catalog.group(group));
    let known = asked
        .iter()
        .filter(|served| *served.group != *"apiregistration.k8s.io");
    known
        .map(|served| GroupVersion {
            group: served.group.to_string(),
            version: served.version.to_string(),
            is_custom: served.resource.is_custom(),
        })
        .collect()
}

/// Makes the stored objects those of what is served.
pub(crate) fn register_all(server: Writing<'_>, catalog: &Catalog) -> Result<(), Error> {
    let (store, _) = server;
    let wanted = served(catalog, None);
    let names: BTreeSet<String> = wanted.iter().map(GroupVersion::name).collect();
    for entry in store.list(&List::of(store_key::API_SERVICES.as_bytes()))?.entries {
        let arena = Arena::new();
        let object = parse(&arena, &entry.value).unwrap_or_default();
        let is_managed = object.lookup(&["metadata", "labels", MANAGED]).is_some();
        let name = object.lookup(&["metadata", "name"]).and_then(Value::as_str);
        if is_managed && !name.is_some_and(|name| names.contains(name)) {
            remove(store, &entry.key)?;
        }
    }
    wanted.iter().try_for_each(|wanted| register(server, wanted))
}

/// Follows a change of what is served of a group. Whatever fails is tried again when the server starts.
pub(crate) fn register_changes(
    server: Writing<'_>,
    catalog: &Catalog,
    group: &str,
    before: &BTreeSet<GroupVersion>,
) {
    let now = served(catalog, Some(group));
    for gone in before.difference(&now) {
        remove(server.0, gone.key().as_bytes()).ok();
    }
    for new in now.difference(before) {
        register(server, new).ok();
    }
}

fn register((store, environment): Writing<'_>, wanted: &GroupVersion) -> Result<(), Error> {
    put(store, &wanted.key(), Existing::Keep, || {
        let (uid, now) = (Random(environment).uid(), environment::now(environment));
        wanted.object(&uid, &now)
    })
}

impl GroupVersion {
    fn name(&self) -> String {
        format!("{}.{}", self.version, self.group)
    }

    fn key(&self) -> String {
        store_key::API_SERVICES.key("", &self.name())
    }

    fn object(&self, uid: &str, now: &str) -> String {
        let GroupVersion { group, version, .. } = self;
        let (spec, managed) = match &**group {
            "" => (String::new(), ""),
            group => (format!(r#""group":"{group}","#), r#""f:group":{},"#),
        };
        let label = if self.is_custom { "true" } else { "onstart" };
        let (name, priority) = (self.name(), order::priority(group));
        let of_version = order::version_priority(group, version, self.is_custom);
        format!(
            r#"{{"kind":"APIService","apiVersion":"apiregistration.k8s.io/v1","metadata":{{"name":"{name}","uid":"{uid}",
            "creationTimestamp":"{now}","labels":{{"{MANAGED}":"{label}"}},"managedFields":[{{"manager":"kube-apiserver",
            "operation":"Update","apiVersion":"apiregistration.k8s.io/v1","time":"{now}","fieldsType":"FieldsV1",
            "fieldsV1":{{"f:metadata":{{"f:labels":{{".":{{}},"f:{MANAGED}":{{}}}}}},
            "f:spec":{{{managed}"f:groupPriorityMinimum":{{}},"f:version":{{}},"f:versionPriority":{{}}}}}}}}]}},
            "spec":{{{spec}"version":"{version}","groupPriorityMinimum":{priority},"versionPriority":{of_version}}},
            "status":{{"conditions":[{{"type":"Available","status":"True","lastTransitionTime":"{now}","reason":"Local",
            "message":"Local APIServices are always available"}}]}}}}"#
        )
    }
}
