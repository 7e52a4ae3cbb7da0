//! `APIService` objects of groups and versions that this server does not answer, followed as they change. What is registered here is
//! named by discovery; requests are not passed on.

use std::collections::BTreeMap;

use kindsmith_json::{Arena, Value, parse};
use kindsmith_object::StorePrefix;
use kindsmith_object::store_key::API_SERVICES;

use crate::Catalog;
use crate::followed::Follow;

/// What an object says of a group and version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Registration {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) group_priority: u32,
    pub(crate) version_priority: u32,
    /// Namespace and name of the service of the server that answers; `None` if that is this one.
    pub(crate) service: Option<(String, String)>,
}

/// Registrations that users wrote, by the name of the object.
#[derive(Debug, Clone, Default)]
pub(crate) struct Registered(BTreeMap<String, Registration>);

impl Registered {
    /// The registration of a group and version that another server answers.
    pub(crate) fn elsewhere(&self, group: &str, version: &str) -> Option<&Registration> {
        let found = self.0.get(&format!("{version}.{group}"))?;
        found.service.is_some().then_some(found)
    }

    /// Those that the server does not serve itself.
    pub(crate) fn unserved<'r>(&'r self, catalog: &'r Catalog) -> impl Iterator<Item = &'r Registration> {
        self.0
            .values()
            .filter(|known| !catalog.has_version(&known.group, &known.version))
    }

    /// The names of objects whose server is elsewhere, with a service that is meant by its namespace and name.
    pub(crate) fn behind(&self, is_service: impl Fn(&str, &str) -> bool) -> Vec<String> {
        let is_meant = |known: &Registration| {
            let service = known.service.as_ref();
            service.is_some_and(|(namespace, name)| is_service(namespace, name))
        };
        let meant = self.0.iter().filter(|(_, known)| is_meant(known));
        meant.map(|(name, _)| name.clone()).collect()
    }
}

impl Follow for Registered {
    const PREFIXES: &'static [StorePrefix<&'static str>] = &[API_SERVICES];

    fn set(&mut self, key: &[u8], value: Option<&[u8]>) {
        let key = String::from_utf8_lossy(key);
        let Some(name) = key.strip_prefix(&*API_SERVICES) else {
            return;
        };
        match value.and_then(read) {
            Some(registration) => self.0.insert(name.to_owned(), registration),
            None => self.0.remove(name),
        };
    }
}

/// Reads an object; `None` if the server keeps it for what it serves.
fn read(object: &[u8]) -> Option<Registration> {
    let arena = Arena::new();
    let object = parse(&arena, object).ok()?;
    let spec = object.get("spec")?;
    let service = spec.get("service").filter(|service| !service.is_null());
    let label = ["metadata", "labels", "kube-aggregator.kubernetes.io/automanaged"];
    if service.is_none() && object.lookup(&label).is_some() {
        return None;
    }
    let text = |value: Value<'_>, key: &str| value.text(key).to_owned();
    let number = |key: &str| u32::try_from(spec.integer(key)).unwrap_or_default();
    Some(Registration {
        group: text(spec, "group"),
        version: text(spec, "version"),
        group_priority: number("groupPriorityMinimum"),
        version_priority: number("versionPriority"),
        service: service.map(|service| (text(service, "namespace"), text(service, "name"))),
    })
}
