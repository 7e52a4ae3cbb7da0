//! Values that are handed out to one object at a time, such as the addresses and ports of services. Knows no resource: kinds ask
//! for what is free, whoever stores objects knows what is taken.

use kindsmith_object::well_known::service;

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pool {
    /// An IP address of a service.
    Address,
    /// A port on all nodes.
    NodePort,
}

/// What can be handed out, and what is.
pub trait Pools {
    /// The ranges of addresses, at most one for each family; the first one is that of the default family.
    fn address_ranges(&self) -> &[&str] {
        &[service::ADDRESSES]
    }

    /// Whether addresses outside the ranges are refused.
    fn has_fixed_ranges(&self) -> bool {
        true
    }

    /// The first and the last port.
    fn port_range(&self) -> (u16, u16) {
        service::NODE_PORTS
    }

    /// Whether a stored object holds a value.
    fn is_taken(&self, pool: Pool, value: &str) -> bool {
        let _ = (pool, value);
        false
    }

    /// Takes a value for the object that is written, until it is stored; says whether it was free.
    fn take(&self, pool: Pool, value: &str) -> bool {
        !self.is_taken(pool, value)
    }
}

/// Pools of which nothing is taken, for writes outside a server. Every cluster has its own ranges, so an address of any range
/// and both families may be asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct FreshPools;

impl Pools for FreshPools {
    fn address_ranges(&self) -> &[&str] {
        &[service::ADDRESSES, "fd00:10:96::/112"]
    }

    fn has_fixed_ranges(&self) -> bool {
        false
    }
}
