//! Maintenance of a store: deletes expired objects, compacts old revisions, keeps the server's own objects. Must not know what
//! these are.

use std::sync::Arc;
use std::time::{Duration, Instant};

use kindsmith_api::{Api, Environment};
use kindsmith_server::{Log, System};
use kindsmith_store::{Mark, Store};

/// How often expired objects are deleted, and the size of the history is looked at.
const SWEEP: Duration = Duration::from_secs(1);
/// How often the age of the history is looked at, and whether the server's own objects are there.
const LOOK: Duration = Duration::from_secs(10);
/// Revisions stay readable for at least this long and at most twice as long, as in kube-apiserver.
const HISTORY: Duration = Duration::from_mins(5);

/// How often the lease of the server is renewed, which is good for an hour. kube-apiserver renews its own every ten seconds; an
/// idle server should rest, and its disk too.
const RENEWAL: Duration = Duration::from_mins(5);

/// Maintains a store while the runtime runs.
pub(crate) fn keep(store: &Arc<dyn Store>, log: Log) {
    let (swept, mut health) = (Arc::clone(store), None);
    every(SWEEP, move || {
        // What fails is done by the next run; the store says itself that it fails.
        let _ = swept.expire(now());
        if !swept.compacts_itself()
            && let Some(to) = swept.overfull()
        {
            let _ = swept.compact(to);
        }
        // With etcd this would be a round trip every second; its requests say themselves what fails.
        if !swept.is_remote() {
            tell(
                log,
                &mut health,
                swept.health().err().map(|error| error.to_string()),
            );
        }
    });
    if store.compacts_itself() {
        return;
    }
    let store = Arc::clone(store);
    let (mut age, start) = (Age::of(store.mark(), now()), Instant::now());
    every(LOOK, move || age.compact(&*store, start.elapsed(), now()));
}

/// Keeps the objects of a server while the runtime runs. All exist already.
pub(crate) fn keep_own(api: &Arc<Api>) {
    let (api, mut is_new, mut renewed) = (Arc::clone(api), true, Instant::now());
    every(LOOK, move || {
        if std::mem::take(&mut is_new) {
            return;
        }
        // What fails is done by a later run, long before the lease ends.
        let _ = api.restore();
        if renewed.elapsed() >= RENEWAL {
            renewed = Instant::now();
            let _ = api.renew_lease();
        }
    });
}

/// Logs when writes begin to fail, and when they work again.
fn tell(log: Log, before: &mut Option<String>, now: Option<String>) {
    if *before == now {
        return;
    }
    match &now {
        Some(cause) => log.event("error", "the store accepts no writes", cause),
        None => log.event("info", "the store accepts writes again", ""),
    }
    *before = now;
}

fn now() -> u64 {
    u64::try_from(System.steady().seconds).unwrap_or_default()
}

/// How old the history is. A mark in the store tells it to the next process, so that a server that restarts every few
/// minutes compacts as well.
#[derive(Debug, PartialEq, Eq)]
struct Age {
    /// The revision that was the newest then; `None` if nobody knows.
    revision: Option<u64>,
    /// When that was, as time before and after the start of this process.
    before: Duration,
    after: Duration,
}

impl Age {
    fn of(mark: Option<Mark>, now: u64) -> Self {
        // A clock that was set back makes the mark young, not unusable.
        let age = mark.map_or(0, |mark| now.saturating_sub(mark.seconds));
        Age {
            revision: mark.map(|mark| mark.revision),
            before: Duration::from_secs(age),
            after: Duration::ZERO,
        }
    }

    fn compact(&mut self, store: &dyn Store, elapsed: Duration, now: u64) {
        if self.revision.is_some() && self.before + elapsed.saturating_sub(self.after) < HISTORY {
            return;
        }
        if let Some(revision) = self.revision {
            // A mark of a store that was replaced is ahead of it.
            let _ = store.compact(revision.min(store.seen()));
        }
        let mark = Mark {
            revision: store.seen(),
            seconds: now,
        };
        // If this fails, the next process finds an older mark and compacts less.
        let _ = store.set_mark(mark);
        *self = Age {
            revision: Some(mark.revision),
            before: Duration::ZERO,
            after: elapsed,
        };
    }
}

/// Runs `work` periodically, on a thread that may block.
fn every(period: Duration, work: impl FnMut() + Send + 'static) {
    tokio::spawn(async move {
        let mut work = Some(work);
        loop {
            let Some(mut now) = work.take() else { return };
            let done = tokio::task::spawn_blocking(move || {
                now();
                now
            });
            work = done.await.ok();
            tokio::time::sleep(period).await;
        }
    });
}

#[cfg(test)]
mod tests {
    use kindsmith_store::{Disk, Memory};

    use super::*;

    fn put(store: &dyn Store, value: &str) {
        let before = store.get(b"/a", None).expect("it can be read");
        let expected = before.map_or(0, |entry| entry.modified);
        store
            .update(b"/a", value.as_bytes().into(), expected)
            .expect("it can be written");
    }

    fn is_kept(store: &dyn Store, revision: u64) -> bool {
        store.get(b"/a", Some(revision)).is_ok()
    }

    #[test]
    fn history_is_kept_between_one_and_two_periods() {
        let store = Memory::new();
        let mut age = Age::of(None, 0);
        let mut at = |store: &dyn Store, seconds| age.compact(store, Duration::from_secs(seconds), seconds);
        put(&store, "1");
        at(&store, 0);
        put(&store, "2");
        at(&store, 299);
        assert!(is_kept(&store, 2));
        at(&store, 300);
        assert!(is_kept(&store, 2), "it was the newest 300 seconds ago");
        put(&store, "3");
        at(&store, 600);
        assert!(!is_kept(&store, 2) && is_kept(&store, 3));
    }

    #[test]
    fn servers_that_restart_every_minute_compact_as_well() {
        let folder = tempfile::tempdir().expect("a directory for the test");
        for minute in 0..12 {
            let store = Disk::open(folder.path()).expect("it can be opened");
            put(&store, &minute.to_string());
            let mut age = Age::of(store.mark(), minute * 60);
            for seconds in (0..60).step_by(10) {
                age.compact(&store, Duration::from_secs(seconds), minute * 60 + seconds);
            }
        }
        let store = Disk::open(folder.path()).expect("it can be opened");
        assert!(!is_kept(&store, 3) && is_kept(&store, store.seen() - 4));
    }

    #[test]
    fn a_clock_that_was_set_back_keeps_history_longer() {
        let mark = Mark {
            revision: 5,
            seconds: 1_000,
        };
        assert_eq!(Age::of(Some(mark), 10).before, Duration::ZERO);
        assert_eq!(Age::of(Some(mark), 1_100).before, Duration::from_secs(100));
    }
}
