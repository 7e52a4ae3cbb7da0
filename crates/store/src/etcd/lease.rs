//! Leases for entries that expire. Must not know the entries.
//!
//! A lease costs etcd more than an entry, so entries written within a sixtieth of their lifetime share one
//! (for Kubernetes' events, which live for an hour, that is a minute). The lease lasts that much longer, so
//! nothing expires too early.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::cache::Cache;
use super::client::Repeat;
use super::failure::Failure;
use super::proto::{LEASE_GRANT, LeaseGrantRequest, LeaseGrantResponse};

/// etcd deletes all entries of a lease in one revision, which should stay a small batch.
const MOST: u32 = 1_000;

/// The newest lease for each lifetime.
#[derive(Debug, Default)]
pub(super) struct Leases(Mutex<HashMap<u64, Lease>>);

#[derive(Clone, Copy, Debug)]
struct Lease {
    id: i64,
    granted: Instant,
    used: u32,
}

impl Leases {
    /// Returns a lease that lasts at least this many seconds.
    pub(super) async fn lasting(&self, cache: &Cache, seconds: u64) -> Result<i64, Failure> {
        if let Some(id) = self.shared(seconds) {
            return Ok(id);
        }
        let granted = Instant::now();
        let seconds_more = seconds + seconds / 60;
        let request = LeaseGrantRequest {
            ttl: i64::try_from(seconds_more).unwrap_or(i64::MAX),
        };
        let within = cache.options.write_timeout;
        // A lease granted twice just expires.
        let answer: LeaseGrantResponse = cache
            .client
            .call(LEASE_GRANT, &request, within, Repeat::Freely)
            .await?;
        let lease = Lease {
            id: answer.id,
            granted,
            used: 1,
        };
        self.leases().insert(seconds, lease);
        Ok(lease.id)
    }

    /// Stops using a lease that no longer exists in etcd.
    pub(super) fn forget(&self, id: i64) {
        self.leases().retain(|_, lease| lease.id != id);
    }

    fn shared(&self, seconds: u64) -> Option<i64> {
        let mut leases = self.leases();
        let lease = leases.get_mut(&seconds)?;
        let young = lease.granted.elapsed() < Duration::from_secs(seconds / 60);
        if !young || lease.used >= MOST {
            return None;
        }
        lease.used += 1;
        Some(lease.id)
    }

    fn leases(&self) -> std::sync::MutexGuard<'_, HashMap<u64, Lease>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
