//! Readers of the newest state. Must not know what they read.

use std::future::Future;
use std::sync::Arc;
use std::time::Instant;

use tokio::runtime::Handle;

use super::cache::Cache;
use super::failure::Failure;
use super::probe::Probe;
use crate::Error;

/// What readers of the newest state share.
#[derive(Debug)]
pub(super) struct Readers {
    cache: Arc<Cache>,
    probe: Probe<Result<u64, Error>>,
}

impl Readers {
    pub(super) fn new(cache: Arc<Cache>) -> Self {
        Self {
            cache,
            probe: Probe::default(),
        }
    }

    /// Waits until the copy has every write that has returned anywhere by now; returns the revision. Questions are put by
    /// a task of the runtime.
    pub(super) fn catch_up(
        self: &Arc<Self>,
        runtime: &Handle,
        deadline: Instant,
    ) -> impl Future<Output = Result<u64, Error>> + Send + use<> {
        let (caught_up, is_first) = self.probe.join(deadline);
        if is_first {
            let readers = Arc::clone(self);
            runtime.spawn(async move { readers.put_questions().await });
        }
        async move {
            let in_time = caught_up.await;
            in_time.unwrap_or_else(|_| Err(late("no answer in time")))
        }
    }

    async fn put_questions(&self) {
        while let Some(sharing) = self.probe.next() {
            let deadline = sharing.deadline().unwrap_or_else(Instant::now);
            sharing.tell(self.ask(deadline)).await;
        }
    }

    async fn ask(&self, deadline: Instant) -> Result<u64, Error> {
        let within = deadline.saturating_duration_since(Instant::now());
        let current = self.cache.ask(within).await.map_err(Failure::of_read)?;
        let reached = self.cache.reach(current, deadline).await;
        reached
            .then_some(current)
            .ok_or_else(|| late("its events are late"))
    }
}

/// etcd, or its events, took too long.
pub(super) fn late(why: &str) -> Error {
    Error::Unavailable(format!("etcd: {why}").into())
}
