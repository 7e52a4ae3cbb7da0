//! Threads for work that may wait. The one that finished last works next, because its stack and its part of the heap are
//! still in the processor's caches; the runtime's own threads take turns, so that each of them has been asleep for the longest.
//! They are also woken while their queue is locked, and then sleep once more until it is not.
//!
//! Must not know the work.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

/// How long a thread without work stays before the runtime gets it back.
const IDLE: Duration = Duration::from_secs(1);

type Work = Box<dyn FnOnce() + Send>;

/// Threads of a runtime that are kept for the next work.
#[derive(Debug, Default)]
pub(crate) struct Threads(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// Those without work; the last one finished last.
    idle: Vec<Arc<Idle>>,
    is_closed: bool,
}

/// A thread without work.
struct Idle {
    thread: Thread,
    next: Mutex<Option<Work>>,
}

impl std::fmt::Debug for Idle {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("Idle").field(&self.thread.id()).finish()
    }
}

impl Idle {
    fn next(&self) -> MutexGuard<'_, Option<Work>> {
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Threads {
    /// Does some work on a thread that may wait. What is returned gets the result, or an error if the work panics.
    pub(crate) fn run<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> oneshot::Receiver<T> {
        let (done, result) = oneshot::channel();
        let work: Work = Box::new(move || {
            // Perhaps nobody waits for the result any more.
            let _ = done.send(work());
        });
        let mut state = self.lock();
        if let Some(idle) = state.idle.pop() {
            *idle.next() = Some(work);
            drop(state);
            idle.thread.unpark();
        } else {
            drop(state);
            let threads = Arc::clone(self);
            drop(tokio::task::spawn_blocking(move || threads.work(work)));
        }
        result
    }

    /// Gives all threads without work back to the runtime, which waits for them when it ends.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        let idle = std::mem::take(&mut state.idle);
        drop(state);
        idle.iter().for_each(|idle| idle.thread.unpark());
    }

    /// Works on this thread as long as there is work.
    fn work(&self, first: Work) {
        let this = Arc::new(Idle {
            thread: thread::current(),
            next: Mutex::new(Some(first)),
        });
        while let Some(work) = self.next(&this) {
            // Whoever waits for the result notices that it does not come.
            let _ = catch_unwind(AssertUnwindSafe(work));
            let mut state = self.lock();
            if !state.is_closed {
                state.idle.push(Arc::clone(&this));
            }
        }
    }

    /// Waits for the next work of this thread; `None` if there is none for some time.
    fn next(&self, this: &Arc<Idle>) -> Option<Work> {
        let end = Instant::now() + IDLE;
        loop {
            if let Some(work) = this.next().take() {
                return Some(work);
            }
            let left = end.saturating_duration_since(Instant::now());
            let mut state = self.lock();
            let place = state.idle.iter().position(|idle| Arc::ptr_eq(idle, this));
            match place {
                Some(_) if !left.is_zero() => {
                    drop(state);
                    thread::park_timeout(left);
                }
                Some(place) => {
                    state.idle.remove(place);
                    return None;
                }
                // It was given work just now, or everything ends.
                None => return this.next().take(),
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn who_finished_last_works_next() {
        let threads = Arc::<Threads>::default();
        let (go, wait) = mpsc::channel::<()>();
        let slow = threads.run(move || {
            let _ = wait.recv();
            thread::current().id()
        });
        let quick = threads.run(|| thread::current().id()).await.expect("no panic");
        go.send(()).expect("somebody waits");
        let slow = slow.await.expect("no panic");
        assert_ne!(slow, quick, "both work at once");
        while threads.lock().idle.len() < 2 {
            thread::yield_now();
        }
        let next = threads.run(|| thread::current().id()).await;
        assert_eq!(next, Ok(slow));
        threads.close();
        let last = threads.run(|| 1).await;
        assert_eq!(last, Ok(1), "requests that come late are answered");
    }

    #[tokio::test]
    async fn a_panic_ends_only_its_work() {
        let threads = Arc::<Threads>::default();
        let failed = threads.run(|| std::panic::resume_unwind(Box::new(())));
        assert!(failed.await.is_err());
        assert_eq!(threads.run(|| 1).await, Ok(1));
    }
}
