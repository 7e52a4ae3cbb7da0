//! The lease by which a server says that it is there (hooks of pkg/controlplane/apiserver/server.go; its
//! name is made in apiserver's pkg/server/config.go). Must not know who renews it, and when.

use kindsmith_gostd::time::{Layout, Time};
use kindsmith_json::{Arena, Value, to_string};
use kindsmith_object::store_key;
use kindsmith_object::well_known::namespace;
use kindsmith_store::{Error, Store};
use sha2::{Digest, Sha256};

use super::{Existing, put};
use crate::Environment;
use crate::environment::{self, Random};
use crate::options::Host;

/// How long the lease is good, in seconds.
const DURATION: u32 = 3600;
/// The letters of base 32.
const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// Creates the lease, or takes it over from the server that had this host's name before.
pub(super) fn create(store: &dyn Store, environment: &dyn Environment, host: &Host) -> Result<(), Error> {
    let Some(name) = &host.name else {
        return Ok(());
    };
    let address = host.endpoint.map(|endpoint| endpoint.to_string());
    let object = || lease(environment, name, &address.unwrap_or_default());
    put(store, &key(name), Existing::Replace, object)
}

/// Renews the lease of this server, if it has one.
pub(crate) fn renew(store: &dyn Store, environment: &dyn Environment, host: &Host) -> Result<(), Error> {
    let Some(name) = &host.name else {
        return Ok(());
    };
    let key = key(name);
    let Some(entry) = store.get(key.as_bytes(), None)? else {
        return create(store, environment, host);
    };
    let arena = Arena::new();
    let mut lease = kindsmith_json::parse(&arena, &entry.value).unwrap_or_default();
    let now = micro(environment);
    lease.set(&arena, &["spec", "renewTime"], Value::Str(&now));
    let bytes = to_string(lease).into_bytes().into();
    match store.update(key.as_bytes(), bytes, entry.modified) {
        // Whoever wrote it meanwhile sees the next renewal.
        Ok(_) | Err(Error::Conflict(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

fn key(host: &str) -> String {
    store_key::LEASES.key(namespace::SYSTEM, &name(host))
}

/// The name of the server on a host.
fn name(host: &str) -> String {
    let mut hasher = Sha256::new();
    for part in [host, "kube-apiserver"] {
        hasher.update(u16::try_from(part.len()).unwrap_or(u16::MAX).to_be_bytes());
        hasher.update(part);
    }
    format!("apiserver-{}", base32(&hasher.finalize()[..16]))
}

/// Base 32 in lower case, without padding.
fn base32(bytes: &[u8]) -> String {
    let (mut out, mut held, mut bits) = (String::new(), 0_u32, 0_u32);
    for byte in bytes {
        held = held << 8 | u32::from(*byte);
        bits += 8;
        while bits >= 5 {
            bits -= 5;
            out.push(LETTERS[(held >> bits & 31) as usize].into());
        }
        held &= (1 << bits) - 1;
    }
    if bits > 0 {
        out.push(LETTERS[(held << (5 - bits) & 31) as usize].into());
    }
    out
}

fn micro(environment: &dyn Environment) -> String {
    let now = environment.now();
    let time = Time::from_unix(now.seconds, now.nanoseconds);
    time.map_or_else(String::new, |time| time.format(Layout::Rfc3339Micro))
}

fn lease(environment: &dyn Environment, host: &str, address: &str) -> String {
    let (uid, now, name) = (
        Random(environment).uid(),
        environment::now(environment),
        name(host),
    );
    let (holder, renewed) = (Random(environment).uid(), micro(environment));
    let host = to_string(Value::Str(host));
    format!(
        r#"{{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{{"name":"{name}","namespace":"kube-system",
        "uid":"{uid}","creationTimestamp":"{now}",
        "labels":{{"apiserver.kubernetes.io/identity":"kube-apiserver","kubernetes.io/hostname":{host}}},
        "annotations":{{"kubernetes.io/peer-advertise-address":"{address}"}},
        "managedFields":[{{"manager":"kube-apiserver","operation":"Update","apiVersion":"coordination.k8s.io/v1","time":"{now}",
        "fieldsType":"FieldsV1","fieldsV1":{{"f:metadata":{{
        "f:annotations":{{".":{{}},"f:kubernetes.io/peer-advertise-address":{{}}}},
        "f:labels":{{".":{{}},"f:apiserver.kubernetes.io/identity":{{}},"f:kubernetes.io/hostname":{{}}}}}},
        "f:spec":{{"f:holderIdentity":{{}},"f:leaseDurationSeconds":{{}},"f:renewTime":{{}}}}}}}}]}},
        "spec":{{"holderIdentity":"{name}_{holder}","leaseDurationSeconds":{DURATION},"renewTime":"{renewed}"}}}}"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_kube_apiserver() {
        assert_eq!(name("vm"), "apiserver-wlv32tlttr4jl3gtroqexyxapa");
        assert_eq!(base32(b""), "");
        assert_eq!(base32(b"fooba"), "mzxw6ytb");
    }
}
