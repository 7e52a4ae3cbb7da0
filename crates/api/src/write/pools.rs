//! The addresses and ports that services hold, followed as services and `IPAddress` objects change.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kindsmith_json::{Arena, Value, parse};
use kindsmith_request::{Pool, Pools};

use crate::Api;
use crate::followed::Follow;

/// Where services are stored.
pub(crate) const SERVICES: &str = "/registry/services/specs/";
/// Where the addresses of services are stored.
pub(super) const ADDRESSES: &str = "/registry/ipaddresses/";

/// What each service holds.
#[derive(Debug, Clone, Default)]
pub(crate) struct Held {
    /// By `namespace/name`.
    services: BTreeMap<String, Values>,
    /// The service of each `IPAddress`, as `namespace/name`; empty if users created the object.
    claims: BTreeMap<String, String>,
}

impl Held {
    /// The services, as `namespace/name`, whose addresses have no object, or that have objects of other addresses.
    pub(super) fn unsettled(&self) -> impl Iterator<Item = &str> {
        let lacking = self.services.iter().filter(|(_, values)| {
            let mut addresses = values.addresses.iter();
            addresses.any(|address| !self.is_claimed(address))
        });
        let left = self.claims.iter().filter(|(address, service)| {
            let mut held = self.addresses_of(service);
            !service.is_empty() && !held.any(|held| held == *address)
        });
        let lacking = lacking.map(|(service, _)| service.as_str());
        lacking.chain(left.map(|(_, service)| service.as_str()))
    }

    /// The cluster IPs of a service.
    pub(super) fn addresses_of(&self, service: &str) -> impl Iterator<Item = &str> {
        let values = self.services.get(service);
        values
            .into_iter()
            .flat_map(|values| values.addresses.iter().map(String::as_str))
    }

    /// The `IPAddress` objects of a service.
    pub(super) fn claimed_by(&self, service: &str) -> impl Iterator<Item = &str> {
        let claims = self.claims.iter();
        claims
            .filter(move |(_, parent)| *parent == service)
            .map(|(address, _)| address.as_str())
    }

    /// Whether an address has an object.
    pub(super) fn is_claimed(&self, address: &str) -> bool {
        self.claims.contains_key(address)
    }
}

#[derive(Debug, Clone, Default)]
struct Values {
    addresses: Vec<String>,
    ports: Vec<String>,
}

impl Follow for Held {
    const PREFIXES: &'static [&'static str] = &[SERVICES, ADDRESSES];

    fn set(&mut self, key: &[u8], value: Option<&[u8]>) {
        let key = String::from_utf8_lossy(key);
        if let Some(address) = key.strip_prefix(ADDRESSES) {
            match value {
                Some(value) => self.claims.insert(address.to_owned(), parent(value)),
                None => self.claims.remove(address),
            };
        } else if let Some(service) = key.strip_prefix(SERVICES) {
            match value {
                Some(value) => self.services.insert(service.to_owned(), held(value)),
                None => self.services.remove(service),
            };
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

fn held(service: &[u8]) -> Values {
    let arena = Arena::new();
    let service = parse(&arena, service).unwrap_or_default();
    let list = |key| {
        let list = service.lookup(&["spec", key]).and_then(Value::as_array);
        list.unwrap_or_default()
    };
    let addresses = list("clusterIPs").iter().filter_map(|address| address.as_str());
    let addresses = addresses.filter(|address| !matches!(*address, "" | "None"));
    let ports = list("ports").iter().map(|port| port.get("nodePort"));
    let check = service.lookup(&["spec", "healthCheckNodePort"]);
    let ports = ports.chain([check]).flatten();
    Values {
        addresses: addresses.map(str::to_owned).collect(),
        ports: ports.map(kindsmith_json::to_string).collect(),
    }
}

/// Values that services get which are not stored yet.
pub(crate) type Reserved = Mutex<BTreeSet<(Pool, String)>>;

/// The ranges of a server, and what a service takes of them while it is written.
pub(crate) struct Ranges<'r> {
    api: &'r Api,
    addresses: Vec<&'r str>,
    taken: RefCell<Vec<(Pool, String)>>,
}

impl<'r> Ranges<'r> {
    pub(crate) fn new(api: &'r Api) -> Self {
        Ranges {
            api,
            addresses: api.options.service_ranges.iter().map(|range| &**range).collect(),
            taken: RefCell::default(),
        }
    }

    fn reserved(&self) -> MutexGuard<'_, BTreeSet<(Pool, String)>> {
        self.api.reserved.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pools for Ranges<'_> {
    fn address_ranges(&self) -> &[&str] {
        &self.addresses
    }

    fn port_range(&self) -> (u16, u16) {
        self.api.options.node_ports
    }

    /// A store that cannot be read fails the write later.
    fn is_taken(&self, pool: Pool, value: &str) -> bool {
        let held = self.api.held.now().unwrap_or_default();
        if pool == Pool::Address && held.is_claimed(value) {
            return true;
        }
        held.services.values().any(|held| {
            let values = match pool {
                Pool::Address => &held.addresses,
                Pool::NodePort => &held.ports,
            };
            values.iter().any(|held| held == value)
        })
    }

    /// Reservations are checked before the store and released after the write: a value is always reserved or stored.
    fn take(&self, pool: Pool, value: &str) -> bool {
        let key = (pool, value.to_owned());
        let mut reserved = self.reserved();
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
        let mut reserved = self.reserved();
        for value in &taken {
            reserved.remove(value);
        }
    }
}
