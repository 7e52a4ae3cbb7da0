//! The addresses and ports that services hold, followed as services and `IPAddress` objects change.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kindsmith_json::{Arena, Value, parse};
use kindsmith_object::StorePrefix;
use kindsmith_object::store_key::{IP_ADDRESSES, SERVICES};
use kindsmith_request::{Pool, Pools};
use kindsmith_store::Store;

use crate::followed::{Follow, Followed};
use crate::options;

/// What each service holds.
#[derive(Debug, Clone, Default)]
pub(crate) struct Held {
    /// By `namespace/name`.
    services: BTreeMap<String, Vec<(Pool, String)>>,
    /// The same by value: pool, value, service. Looking through 8,000 services more than doubled the cost of a creation.
    holders: BTreeSet<(Pool, String, String)>,
    /// The service of each `IPAddress`, as `namespace/name`; empty if users created the object.
    claims: BTreeMap<String, String>,
    /// The same by service.
    claimed: BTreeSet<(String, String)>,
}

impl Held {
    /// The services, as `namespace/name`, whose addresses have no object, or that have objects of other addresses.
    pub(crate) fn unsettled(&self) -> impl Iterator<Item = &str> {
        let lacking = self.services.keys().filter(|service| {
            let mut addresses = self.addresses_of(service);
            addresses.any(|address| !self.is_claimed(address))
        });
        let left = self.claimed.iter().filter(|(service, address)| {
            let mut held = self.addresses_of(service);
            !service.is_empty() && !held.any(|held| held == *address)
        });
        let lacking = lacking.map(String::as_str);
        lacking.chain(left.map(|(service, _)| service.as_str()))
    }

    /// The cluster IPs of a service.
    pub(crate) fn addresses_of(&self, service: &str) -> impl Iterator<Item = &str> {
        let values = self.services.get(service).into_iter().flatten();
        values
            .filter(|(pool, _)| *pool == Pool::Address)
            .map(|(_, address)| address.as_str())
    }

    /// The `IPAddress` objects of a service.
    pub(crate) fn claimed_by(&self, service: &str) -> impl Iterator<Item = &str> {
        let claimed = self.claimed.range((service.to_owned(), String::new())..);
        claimed
            .take_while(move |(parent, _)| *parent == service)
            .map(|(_, address)| address.as_str())
    }

    /// Whether an address has an object.
    pub(crate) fn is_claimed(&self, address: &str) -> bool {
        self.claims.contains_key(address)
    }

    /// Whether a service holds a value.
    fn is_held(&self, pool: Pool, value: &str) -> bool {
        let mut holders = self.holders.range((pool, value.to_owned(), String::new())..);
        holders
            .next()
            .is_some_and(|(held_in, held, _)| (*held_in, held.as_str()) == (pool, value))
    }

    fn set_service(&mut self, service: &str, values: Option<Vec<(Pool, String)>>) {
        let holder = |(pool, value): (Pool, String)| (pool, value, service.to_owned());
        for value in self.services.remove(service).unwrap_or_default() {
            self.holders.remove(&holder(value));
        }
        if let Some(values) = values {
            self.holders.extend(values.iter().cloned().map(holder));
            self.services.insert(service.to_owned(), values);
        }
    }

    fn set_claim(&mut self, address: &str, parent: Option<String>) {
        if let Some(before) = self.claims.remove(address) {
            self.claimed.remove(&(before, address.to_owned()));
        }
        if let Some(parent) = parent {
            self.claimed.insert((parent.clone(), address.to_owned()));
            self.claims.insert(address.to_owned(), parent);
        }
    }
}

impl Follow for Held {
    const PREFIXES: &'static [StorePrefix<&'static str>] = &[SERVICES, IP_ADDRESSES];

    fn set(&mut self, key: &[u8], value: Option<&[u8]>) {
        let key = String::from_utf8_lossy(key);
        if let Some(address) = key.strip_prefix(&*IP_ADDRESSES) {
            self.set_claim(address, value.map(parent));
        } else if let Some(service) = key.strip_prefix(&*SERVICES) {
            self.set_service(service, value.map(held));
        }
    }
}

/// The service that an `IPAddress` was created for by a server.
fn parent(address: &[u8]) -> String {
    let arena = Arena::new();
    let address = parse(&arena, address).unwrap_or_default();
    let text = |path: &[&str]| address.lookup(path).and_then(Value::as_str).unwrap_or_default();
    match text(&["metadata", "labels", "ipaddress.kubernetes.io/managed-by"]) {
        "ipallocator.k8s.io" => {
            let parent = |key| text(&["spec", "parentRef", key]);
            format!("{}/{}", parent("namespace"), parent("name"))
        }
        _ => String::new(),
    }
}

/// The values that a service holds.
fn held(service: &[u8]) -> Vec<(Pool, String)> {
    let arena = Arena::new();
    let service = parse(&arena, service).unwrap_or_default();
    let list = |key| {
        let list = service.lookup(&["spec", key]).and_then(Value::as_array);
        list.unwrap_or_default()
    };
    let addresses = list("clusterIPs").iter().filter_map(|address| address.as_str());
    let addresses = addresses.filter(|address| !matches!(*address, "" | "None"));
    let addresses = addresses.map(|address| (Pool::Address, address.to_owned()));
    let ports = list("ports").iter().map(|port| port.get("nodePort"));
    let check = service.lookup(&["spec", "healthCheckNodePort"]);
    let ports = ports.chain([check]).flatten();
    addresses
        .chain(ports.map(|port| (Pool::NodePort, kindsmith_json::to_string(port))))
        .collect()
}

/// What services hold, and may get.
pub(crate) struct Services {
    /// What stored services hold.
    pub(crate) held: Followed<Held>,
    /// Values of services that are not stored yet.
    reserved: Mutex<BTreeSet<(Pool, String)>>,
    /// The ranges of cluster IPs.
    addresses: Vec<String>,
    /// The first and the last node port.
    ports: (u16, u16),
}

impl Services {
    pub(crate) fn new(store: Arc<dyn Store>, options: options::Services) -> Self {
        Services {
            held: Followed::new(store),
            reserved: Mutex::default(),
            addresses: options.ranges,
            ports: options.node_ports,
        }
    }

    /// The ranges of cluster IPs.
    pub(crate) fn ranges(&self) -> &[String] {
        &self.addresses
    }

    fn reserved(&self) -> MutexGuard<'_, BTreeSet<(Pool, String)>> {
        self.reserved.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a service takes while it is written.
pub(crate) struct Ranges<'r> {
    services: &'r Services,
    addresses: Vec<&'r str>,
    taken: RefCell<Vec<(Pool, String)>>,
}

impl<'r> Ranges<'r> {
    pub(crate) fn new(services: &'r Services) -> Self {
        Ranges {
            services,
            addresses: services.addresses.iter().map(|range| &**range).collect(),
            taken: RefCell::default(),
        }
    }
}

impl Pools for Ranges<'_> {
    fn address_ranges(&self) -> &[&str] {
        &self.addresses
    }

    fn port_range(&self) -> (u16, u16) {
        self.services.ports
    }

    /// A store that cannot be read fails the write later.
    fn is_taken(&self, pool: Pool, value: &str) -> bool {
        let held = self.services.held.now().unwrap_or_default();
        (pool == Pool::Address && held.is_claimed(value)) || held.is_held(pool, value)
    }

    /// Reservations are checked before the store and released after the write: a value is always reserved or stored.
    fn take(&self, pool: Pool, value: &str) -> bool {
        let key = (pool, value.to_owned());
        let mut reserved = self.services.reserved();
        if reserved.contains(&key) || self.is_taken(pool, value) {
            return false;
        }
        reserved.insert(key.clone());
        self.taken.borrow_mut().push(key);
        true
    }
}

impl Drop for Ranges<'_> {
    fn drop(&mut self) {
        let taken = self.taken.take();
        let mut reserved = self.services.reserved();
        for value in &taken {
            reserved.remove(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_service_and_by_value() {
        let mut held = Held::default();
        let mut set = |key: String, value: Option<&str>| {
            held.set(key.as_bytes(), value.map(str::as_bytes));
            let found = |pool, value| held.is_held(pool, value);
            format!(
                "{} {} {:?} {:?}",
                found(Pool::Address, "10.0.0.1"),
                found(Pool::NodePort, "30000"),
                held.claimed_by("a/b").collect::<Vec<_>>(),
                held.unsettled().collect::<Vec<_>>()
            )
        };
        let service = |name: &str| format!("{SERVICES}{name}");
        let both = r#"{"spec":{"clusterIPs":["10.0.0.1"],"ports":[{"nodePort":30000}]}}"#;
        let address = r#"{"spec":{"clusterIPs":["10.0.0.1"]}}"#;
        let claim = r#"{"metadata":{"labels":{"ipaddress.kubernetes.io/managed-by":"ipallocator.k8s.io"}},
            "spec":{"parentRef":{"resource":"services","namespace":"a","name":"b"}}}"#;
        for (key, value, expected) in [
            (service("a/b"), Some(both), r#"true true [] ["a/b"]"#),
            (
                format!("{IP_ADDRESSES}10.0.0.1"),
                Some(claim),
                r#"true true ["10.0.0.1"] []"#,
            ),
            (service("a/c"), Some(address), r#"true true ["10.0.0.1"] []"#),
            (service("a/b"), Some("{}"), r#"true false ["10.0.0.1"] ["a/b"]"#),
            (service("a/c"), None, r#"false false ["10.0.0.1"] ["a/b"]"#),
            (format!("{IP_ADDRESSES}10.0.0.1"), Some("{}"), "false false [] []"),
            (format!("{IP_ADDRESSES}10.0.0.1"), None, "false false [] []"),
        ] {
            assert_eq!(set(key.clone(), value), expected, "{key} {value:?}");
        }
    }
}
