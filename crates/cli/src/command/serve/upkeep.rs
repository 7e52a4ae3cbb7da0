//! What a store needs now and then: what has expired is deleted, old states are given up. Must not know what is stored.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use kindsmith_store::Store;

/// How exactly objects expire.
const SWEEP: Duration = Duration::from_secs(1);
/// States can be read for at least this long, and for at most twice as long, as with kube-apiserver.
const HISTORY: Duration = Duration::from_secs(300);

/// Looks after a store for as long as the runtime runs.
pub(super) fn keep(store: &Arc<dyn Store>) {
    let swept = Arc::clone(store);
    every(SWEEP, move || {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        // What is left is deleted the next time.
        let _ = swept.expire(since.map_or(0, |since| since.as_secs()));
    });
    if store.compacts_itself() {
        return;
    }
    let (store, mut before) = (Arc::clone(store), 0);
    every(HISTORY, move || {
        let now = store.seen();
        // So does what is not compacted.
        let _ = store.compact(std::mem::replace(&mut before, now));
    });
}

/// Does something again and again, on a thread that may wait.
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
