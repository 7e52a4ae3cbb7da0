//! What every server has from its start: namespaces, roles, and the service through which clients inside a cluster reach it.

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
        if store.get(key.as_bytes(), None)?.is_none() {
            let text = namespace(environment, name);
            match store.create(key.as_bytes(), text.into_bytes().into()) {
                Ok(_) | Err(Error::Conflict(_)) => {}
                Err(error) => return Err(error),
            }
        }
    }
    own_service::create(store, environment, options)?;
    access::create_roles(store, environment)
}

fn namespace(environment: &dyn Environment, name: &str) -> String {
    let (uid, now) = (Random(environment).uid(), write::now(environment));
    let text = format!(
        r#"{{"kind":"Namespace","apiVersion":"v1","metadata":{{"name":"{name}","uid":"{uid}",
        "creationTimestamp":"{now}","labels":{{"kubernetes.io/metadata.name":"{name}"}},
        "managedFields":[{{"manager":"kube-apiserver","operation":"Update","apiVersion":"v1","time":"{now}",
        "fieldsType":"FieldsV1","fieldsV1":{{"f:metadata":{{"f:labels":{{".":{{}},
        "f:kubernetes.io/metadata.name":{{}}}}}}}}}}]}},
        "spec":{{"finalizers":["kubernetes"]}},"status":{{"phase":"Active"}}}}"#
    );
    let arena = Arena::new();
    kindsmith_json::parse_str(&arena, &text).map_or(text.clone(), to_string)
}
