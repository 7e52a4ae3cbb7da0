//! What every server has from its start: namespaces, roles, priority classes, the configuration of fair queuing, the ranges of
//! services, the service through which clients inside a cluster reach it, and the lease of the server.

pub(crate) mod api_services;
mod authentication;
mod lease;
mod objects;
mod own_service;

use kindsmith_json::{Arena, to_string};
use kindsmith_store::{Error, Store};

use crate::environment::Random;
use crate::{Environment, Options, access, write};

/// Namespaces that always exist.
const NAMESPACES: [&str; 4] = ["default", "kube-node-lease", "kube-public", "kube-system"];

/// Creates what is not there yet.
pub(crate) fn create(
    store: &dyn Store,
    environment: &dyn Environment,
    options: &Options,
) -> Result<(), Error> {
    for name in NAMESPACES {
        let key = format!("/registry/namespaces/{name}");
        put(store, &key, Existing::Keep, || namespace(environment, name))?;
    }
    objects::create(store, environment, options)?;
    own_service::create(store, environment, options)?;
    lease::create(store, environment, options)?;
    access::create_roles(store, environment)
}

/// What to do with an object that is there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Existing {
    Keep,
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
    let compact = kindsmith_json::parse_str(&arena, &text).map(to_string);
    let bytes = compact.unwrap_or_else(|_| text.clone()).into_bytes().into();
    let written = match entry {
        Some(entry) => store.update(key.as_bytes(), bytes, entry.modified),
        None => store.create(key.as_bytes(), bytes),
    };
    match written {
        // Another server that shares the store was faster.
        Ok(_) | Err(Error::Conflict(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

fn namespace(environment: &dyn Environment, name: &str) -> String {
    let (uid, now) = (Random(environment).uid(), write::now(environment));
    format!(
        r#"{{"kind":"Namespace","apiVersion":"v1","metadata":{{"name":"{name}","uid":"{uid}",
        "creationTimestamp":"{now}","labels":{{"kubernetes.io/metadata.name":"{name}"}},
        "managedFields":[{{"manager":"kube-apiserver","operation":"Update","apiVersion":"v1","time":"{now}",
        "fieldsType":"FieldsV1","fieldsV1":{{"f:metadata":{{"f:labels":{{".":{{}},
        "f:kubernetes.io/metadata.name":{{}}}}}}}}}}]}},
        "spec":{{"finalizers":["kubernetes"]}},"status":{{"phase":"Active"}}}}"#
    )
}
