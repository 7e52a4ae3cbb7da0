//! The ConfigMap `kube-system/extension-apiserver-authentication`, by which other API servers learn whose client certificates to
//! trust (pkg/controlplane/controller/clusterauthenticationtrust). A server without a CA of clients has none.

use kindsmith_json::{Arena, Value, parse, to_string};
use kindsmith_object::store_key;
use kindsmith_object::well_known::namespace;
use kindsmith_store::{Error, Store};

use super::{Existing, put};
use crate::Environment;
use crate::environment::{self, Random};

const NAME: &str = "extension-apiserver-authentication";
const PLACE: [&str; 2] = ["data", "client-ca-file"];

/// Publishes the CA of client certificates, as PEM; one that another server published stays beside it.
pub(crate) fn publish_client_authority(
    store: &dyn Store,
    environment: &dyn Environment,
    authority: &str,
) -> Result<(), Error> {
    let key = store_key::CONFIG_MAPS.key(namespace::SYSTEM, NAME);
    let Some(entry) = store.get(key.as_bytes(), None)? else {
        return put(store, &key, Existing::Keep, || object(environment, authority));
    };
    let arena = Arena::new();
    let mut stored = parse(&arena, &entry.value).unwrap_or_default();
    let before = stored.lookup(&PLACE).and_then(Value::as_str).unwrap_or_default();
    if before.contains(authority.trim()) {
        return Ok(());
    }
    let both = format!("{before}{authority}");
    stored.set(&arena, &PLACE, Value::Str(&both));
    let bytes = to_string(stored).into_bytes().into();
    match store.update(key.as_bytes(), bytes, entry.modified) {
        // Another server that shares the store was faster.
        Ok(_) | Err(Error::Conflict(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

fn object(environment: &dyn Environment, authority: &str) -> String {
    let (uid, now) = (Random(environment).uid(), environment::now(environment));
    let authority = to_string(Value::Str(authority));
    format!(
        r#"{{"kind":"ConfigMap","apiVersion":"v1","metadata":{{"name":"extension-apiserver-authentication",
        "namespace":"kube-system","uid":"{uid}","creationTimestamp":"{now}",
        "managedFields":[{{"manager":"kube-apiserver","operation":"Update","apiVersion":"v1","time":"{now}",
        "fieldsType":"FieldsV1","fieldsV1":{{"f:data":{{".":{{}},"f:client-ca-file":{{}}}}}}}}]}},
        "data":{{"client-ca-file":{authority}}}}}"#
    )
}
