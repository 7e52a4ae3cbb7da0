//! The addresses and ports that services hold, followed as services change.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kindsmith_json::{Arena, Value, parse};
use kindsmith_request::{Pool, Pools};

use crate::Api;
use crate::followed::Follow;

/// Where services are stored.
const SERVICES: &str = "/registry/services/specs/";

/// What each service holds.
#[derive(Debug, Clone, Default)]
pub(crate) struct Held {
    services: BTreeMap<Vec<u8>, Values>,
}

#[derive(Debug, Clone, Default)]
struct Values {
    addresses: Vec<String>,
    ports: Vec<String>,
}

impl Follow for Held {
    const PREFIXES: &'static [&'static str] = &[SERVICES];

    fn set(&mut self, key: &[u8], value: Option<&[u8]>) {
        match value {
            Some(value) => self.services.insert(key.to_vec(), held(value)),
            None => self.services.remove(key),
        };
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
