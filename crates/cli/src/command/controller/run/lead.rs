//! Leader election: waits for the lease, keeps it, and gives it up at the end.

use std::hash::{BuildHasher as _, Hasher as _};
use std::time::{Duration, SystemTime};

use kindsmith_controller::lease::{Candidate, EVERY, SURE};
use kindsmith_controller::{KubeCluster, Log};
use tokio::time::{Instant, sleep, timeout_at};

use crate::error::Error;

/// The lease of this process; `None` without an election.
pub(super) struct Lead {
    candidate: Option<Candidate>,
    cluster: KubeCluster,
    start: Instant,
}

impl Lead {
    /// `lease` is NAMESPACE/NAME.
    pub(super) fn new(lease: Option<&str>, cluster: KubeCluster) -> Result<Self, Error> {
        let candidate = match lease.map(|text| text.split_once('/')) {
            None => None,
            Some(Some((namespace, name)))
                if !namespace.is_empty() && !name.is_empty() && !name.contains('/') =>
            {
                Some(Candidate::new(namespace, name, &identity()))
            }
            Some(_) => return Err(Error::usage("--lease takes NAMESPACE/NAME")),
        };
        Ok(Lead {
            candidate,
            cluster,
            start: Instant::now(),
        })
    }

    pub(super) fn is_elected(&self) -> bool {
        self.candidate.is_some()
    }

    /// Waits until this process holds the lease.
    pub(super) async fn acquire(&mut self, log: &Log) {
        let Some(candidate) = &mut self.candidate else {
            return;
        };
        let mut told = String::new();
        loop {
            match candidate.hold(&self.cluster, now(), self.start.elapsed()).await {
                Ok(true) => return,
                Ok(false) => {}
                Err(error) => {
                    let text = format!("cannot acquire the lease: {error}");
                    if text != told {
                        log(&text);
                        told = text;
                    }
                }
            }
            sleep(EVERY).await;
        }
    }

    /// Renews the lease; ends when it is lost.
    pub(super) async fn keep(&mut self) {
        let Some(candidate) = &mut self.candidate else {
            return std::future::pending().await;
        };
        let mut sure_until = Instant::now() + SURE;
        loop {
            sleep(EVERY).await;
            let sent = Instant::now();
            let held = candidate.hold(&self.cluster, now(), self.start.elapsed());
            match timeout_at(sure_until, held).await {
                Ok(Ok(true)) => sure_until = sent + SURE,
                // The lease is still valid for a while.
                Ok(Err(_)) if Instant::now() < sure_until => {}
                _ => return,
            }
        }
    }

    /// Lets another controller take over at once.
    pub(super) async fn give_up(&self) {
        if let Some(candidate) = &self.candidate {
            // If it fails, the lease expires by itself.
            let _ = timeout_at(Instant::now() + EVERY, candidate.give_up(&self.cluster)).await;
        }
    }
}

fn now() -> Duration {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap_or_default()
}

/// A name that no other controller has. Process numbers alone are the same in every container.
fn identity() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let random = std::collections::hash_map::RandomState::new()
        .build_hasher()
        .finish();
    format!("{}_{random:016x}", host.trim())
}
