//! Maintenance of a store: deletes expired objects and compacts old revisions. Must not know what is stored.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use kindsmith_store::Store;

/// How often expired objects are deleted.
const SWEEP: Duration = Duration::from_secs(1);
/// Revisions stay readable for at least this long and at most twice as long, as in kube-apiserver.
const HISTORY: Duration = Duration::from_secs(300);

/// Maintains a store while the runtime runs.
pub(super) fn keep(store: &Arc<dyn Store>) {
    let swept = Arc::clone(store);
    every(SWEEP, move || {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        // If this fails, the next run deletes them.
        let _ = swept.expire(since.map_or(0, |since| since.as_secs()));
    });
    if store.compacts_itself() {
        return;
    }
    let (store, mut before) = (Arc::clone(store), 0);
    every(HISTORY, move || {
        let now = store.seen();
        // If this fails, the next run compacts.
        let _ = store.compact(std::mem::replace(&mut before, now));
    });
}

/// Runs `work` periodically, on a thread that may block.
fn every(period: Duration, work: impl FnMut() + Send + 'static) {
    tokio::spawn(async move {
        let mut work = Some(work);
        loop {
            tokio::time::sleep(period).await;
            let Some(mut now) = work.take() else { return };
            let done = tokio::task::spawn_blocking(move || {
                now();
                now
            });
            work = done.await.ok();
        }
    });
}
