//! Runs passes over all objects of a kind: each object when it is due, as many at once as there are workers.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use kindsmith_gostd::time::{Layout, Time};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use crate::adapter::Adapter;
use crate::cluster::Cluster;
use crate::metrics::Metrics;
use crate::pass::Controller;
use crate::queue::{Key, Next, Queue};

/// Takes lines for a log: what goes wrong, once until it changes.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// Runs passes until told to stop, and finishes those in progress. `changes` names objects that are new or have
/// changed.
pub async fn run<C, A>(
    controller: Arc<Controller<C, A>>,
    mut changes: mpsc::Receiver<Key>,
    mut stop: watch::Receiver<bool>,
    workers: usize,
    metrics: Arc<Metrics>,
    log: Log,
) where
    C: Cluster + 'static,
    A: Adapter + 'static,
{
    let start = Instant::now();
    let now = || u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    let mut queue = Queue::default();
    let mut passes: JoinSet<(Key, Next)> = JoinSet::new();
    let mut troubles = Troubles::default();
    while !*stop.borrow() {
        while passes.len() < workers
            && let Some(key) = queue.pop(now())
        {
            passes.spawn(pass(Arc::clone(&controller), key, Arc::clone(&metrics)));
        }
        let wait = match queue.next_due() {
            Some(due) if passes.len() < workers => Duration::from_millis(due.saturating_sub(now())),
            _ => Duration::from_hours(1),
        };
        tokio::select! {
            Some(Ok((key, next))) = passes.join_next() => {
                if let Some(news) = troubles.of(&key, &next) {
                    log(&format!("{} {}/{}: {news}", controller.kind.kind, key.0, key.1));
                }
                queue.finish(key, &next, now());
            }
            Some(key) = changes.recv() => queue.touch(key, now()),
            () = tokio::time::sleep(wait) => {}
            changed = stop.changed() => if changed.is_err() { break },
        }
    }
    while passes.join_next().await.is_some() {}
}

/// The last error of each object.
#[derive(Default)]
struct Troubles(HashMap<Key, String>);

impl Troubles {
    /// The error of a pass, if it is another one than that of the pass before.
    fn of<'n>(&mut self, key: &Key, next: &'n Next) -> Option<&'n str> {
        match next {
            Next::Retry { error, .. } => {
                let known = self.0.insert(key.clone(), error.clone());
                (known.as_ref() != Some(error)).then_some(error)
            }
            Next::Poll => None,
            Next::OnChange | Next::After(_) => {
                self.0.remove(key);
                None
            }
        }
    }
}

/// A pass that panics is a failed one.
async fn pass<C: Cluster + 'static, A: Adapter + 'static>(
    controller: Arc<Controller<C, A>>,
    key: Key,
    metrics: Arc<Metrics>,
) -> (Key, Next) {
    let what = controller.kind.object(&key.0, &key.1);
    let start = Instant::now();
    let pass = tokio::spawn(async move { controller.pass(&what, &timestamp(), dice()).await });
    let next = pass.await.unwrap_or_else(|error| Next::Retry {
        error: error.to_string(),
        at_least: None,
    });
    metrics.passed(&next, start.elapsed());
    (key, next)
}

/// The time in RFC 3339.
pub(crate) fn timestamp() -> String {
    let since = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    let time = Time::from_unix(i64::try_from(since.as_secs()).unwrap_or_default(), 0);
    time.map(|time| time.utc().format(Layout::Rfc3339))
        .unwrap_or_default()
}

/// A random number between 0 and 1.
fn dice() -> f64 {
    let random = RandomState::new().build_hasher().finish();
    random as f64 / u64::MAX as f64
}
