//! What every server has from its start: namespaces, roles, priority classes, the configuration of fair queuing, the ranges of
//! services, the service through which clients inside a cluster reach it, and the lease of the server.

pub(crate) mod api_services;
mod authentication;
mod lease;
mod objects;
mod own_service;

use kindsmith_json::{Arena, Value, to_string};
use kindsmith_object::store_key;
use kindsmith_store::{Bytes, Error, Store};

use crate::environment::{self, Random};
use crate::options::Host;
use crate::{Environment, Options, access};

pub(crate) use authentication::publish_client_authority;
pub(crate) use lease::renew as renew_lease;
pub(crate) use own_service::NAME as OWN_SERVICE;

/// Namespaces that always exist.
const NAMESPACES: [&str; 4] = ["default", "kube-node-lease", "kube-public", "kube-system"];

/// Creates what is not there yet.
pub(crate) fn create(
    store: &dyn Store,
    environment: &dyn Environment,
    options: &Options,
) -> Result<(), Error> {
    create_namespaces(store, environment)?;
    let ranges = &options.services.ranges;
    objects::create(store, environment, options.serving.release, ranges)?;
    own_service::create(store, environment, (&options.host, ranges), Existing::Replace)?;
    lease::create(store, environment, &options.host)?;
    access::create_roles(store, environment, options.serving.release)
}

/// Creates the namespaces of the system and the service of the server again, if somebody deleted them.
pub(crate) fn restore(
    store: &dyn Store,
    environment: &dyn Environment,
    own: (&Host, &[String]),
) -> Result<(), Error> {
    create_namespaces(store, environment)?;
    own_service::create(store, environment, own, Existing::Keep)
}

fn create_namespaces(store: &dyn Store, environment: &dyn Environment) -> Result<(), Error> {
    NAMESPACES.iter().try_for_each(|name| {
        let key = store_key::NAMESPACES.key("", name);
        put(store, &key, Existing::Keep, || namespace(environment, name))
    })
}

/// What to do with an object that is there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Existing {
    Keep,
    /// It stays the same object, with new content.
    Replace,
}

/// Deletes an object, unless somebody changes it meanwhile.
pub(crate) fn remove(store: &dyn Store, key: &[u8]) -> Result<(), Error> {
    let Some(entry) = store.get(key, None)? else {
        return Ok(());
    };
    match store.delete(key, entry.modified) {
        Ok(_) | Err(Error::Conflict(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Stores an object, given as JSON.
pub(crate) fn put(
    store: &dyn Store,
    key: &str,
    existing: Existing,
    text: impl FnOnce() -> String,
) -> Result<(), Error> {
    let entry = store.get(key.as_bytes(), None)?;
    if entry.is_some() && existing == Existing::Keep {
        return Ok(());
    }
    let (arena, text) = (Arena::new(), text());
    let mut object = kindsmith_json::parse_str(&arena, &text).unwrap_or_default();
    let written = match entry {
        Some(entry) => {
            let before = kindsmith_json::parse(&arena, &entry.value).unwrap_or_default();
            if !succeed(&arena, before, &mut object) {
                return Ok(());
            }
            store.update(key.as_bytes(), stored(object), entry.modified)
        }
        None => store.create(key.as_bytes(), stored(object)),
    };
    match written {
        // Another server that shares the store was faster.
        Ok(_) | Err(Error::Conflict(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Gives an object the identity of the one it replaces; whether it differs from that.
fn succeed<'a>(arena: &'a Arena, before: Value<'a>, object: &mut Value<'a>) -> bool {
    for field in ["uid", "creationTimestamp", "generation"] {
        let path = ["metadata", field];
        if let Some(value) = before.lookup(&path) {
            object.set(arena, &path, value);
        }
    }
    let path = ["metadata", "managedFields"];
    let managed = object.lookup(&path);
    match before.lookup(&path) {
        Some(fields) => object.set(arena, &path, fields),
        None => drop(object.unset(arena, &path)),
    }
    if *object == before {
        return false;
    }
    // A change has its own time.
    if let Some(managed) = managed {
        object.set(arena, &path, managed);
    }
    let path = ["metadata", "generation"];
    if let Some(generation) = before.lookup(&path).and_then(Value::as_i64) {
        object.set(arena, &path, Value::from(generation + 1));
    }
    true
}

fn stored(object: Value<'_>) -> Bytes {
    to_string(object).into_bytes().into()
}

fn namespace(environment: &dyn Environment, name: &str) -> String {
    let (uid, now) = (Random(environment).uid(), environment::now(environment));
    format!(
        r#"{{"kind":"Namespace","apiVersion":"v1","metadata":{{"name":"{name}","uid":"{uid}",
        "creationTimestamp":"{now}","labels":{{"kubernetes.io/metadata.name":"{name}"}},
        "managedFields":[{{"manager":"kube-apiserver","operation":"Update","apiVersion":"v1","time":"{now}",
        "fieldsType":"FieldsV1","fieldsV1":{{"f:metadata":{{"f:labels":{{".":{{}},
        "f:kubernetes.io/metadata.name":{{}}}}}}}}}}]}},
        "spec":{{"finalizers":["kubernetes"]}},"status":{{"phase":"Active"}}}}"#
    )
}
