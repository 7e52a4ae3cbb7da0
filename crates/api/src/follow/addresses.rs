//! The `IPAddress` of each cluster IP: there from the write that gives the IP to a service until the one that takes it back
//! (pkg/registry/core/service/ipallocator, and its repair in pkg/registry/core/service/ipallocator/controller).

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use kindsmith_object::store_key::IP_ADDRESSES;
use kindsmith_store::{Error, Store};

use crate::Environment;
use crate::bootstrap::{Existing, put, remove};
use crate::environment::{self, Random};
use crate::followed::Followed;
use crate::write::pools::Held;

/// Follows what services hold.
#[derive(Clone, Copy)]
pub(crate) struct Addresses<'f> {
    pub(super) store: &'f dyn Store,
    pub(super) environment: &'f dyn Environment,
    pub(super) held: &'f Followed<Held>,
    /// Two writes of a service are followed one after the other, so that the last one sees what the first one did.
    pub(super) turn: &'f Mutex<()>,
}

impl Addresses<'_> {
    /// Makes the objects those of all services: what another process left undone, and what it left behind.
    pub(crate) fn follow_services(&self) -> Result<(), Error> {
        let services: BTreeSet<String> = self.held.now()?.unsettled().map(str::to_owned).collect();
        services
            .iter()
            .try_for_each(|service| self.follow_service(service))
    }

    /// Makes the objects those of a service, named `namespace/name`.
    pub(crate) fn follow_service(&self, service: &str) -> Result<(), Error> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let held = self.held.now()?;
        let wanted: Vec<&str> = held.addresses_of(service).collect();
        for address in held
            .claimed_by(service)
            .filter(|address| !wanted.contains(address))
        {
            remove(self.store, IP_ADDRESSES.key("", address).as_bytes())?;
        }
        let missing = wanted.iter().filter(|address| !held.is_claimed(address));
        missing.into_iter().try_for_each(|address| {
            let key = IP_ADDRESSES.key("", address);
            put(self.store, &key, Existing::Keep, || {
                self.address(address, service)
            })
        })
    }

    fn address(&self, address: &str, service: &str) -> String {
        let (uid, now) = (Random(self.environment).uid(), environment::now(self.environment));
        let family = if address.contains(':') { "IPv6" } else { "IPv4" };
        let (namespace, name) = service.split_once('/').unwrap_or_default();
        format!(
            r#"{{"kind":"IPAddress","apiVersion":"networking.k8s.io/v1","metadata":{{"name":"{address}","uid":"{uid}",
            "creationTimestamp":"{now}","labels":{{"ipaddress.kubernetes.io/ip-family":"{family}",
            "ipaddress.kubernetes.io/managed-by":"ipallocator.k8s.io"}},
            "managedFields":[{{"manager":"kube-apiserver","operation":"Update","apiVersion":"networking.k8s.io/v1","time":"{now}",
            "fieldsType":"FieldsV1","fieldsV1":{{"f:metadata":{{"f:labels":{{".":{{}},"f:ipaddress.kubernetes.io/ip-family":{{}},
            "f:ipaddress.kubernetes.io/managed-by":{{}}}}}},"f:spec":{{"f:parentRef":{{".":{{}},"f:name":{{}},"f:namespace":{{}},
            "f:resource":{{}}}}}}}}}}]}},
            "spec":{{"parentRef":{{"resource":"services","namespace":"{namespace}","name":"{name}"}}}}}}"#
        )
    }
}
