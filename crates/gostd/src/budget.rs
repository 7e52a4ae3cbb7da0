//! Whether the work of a thread is still wanted, as Go's `context` tells: long loops ask from time to time.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    static CURRENT: RefCell<Option<Context>> = const { RefCell::new(None) };
}

/// Work that can be given up.
#[derive(Debug, Clone, Default)]
pub struct Context(Arc<AtomicBool>);

impl Context {
    /// Says that nobody waits for the work any more.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Does work on this thread that asks [`is_done`].
    pub fn enter<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = CURRENT.replace(Some(self.clone()));
        let _restored = Restored(before);
        work()
    }
}

/// Puts back the context that was there before, even if the work panics.
struct Restored(Option<Context>);

impl Drop for Restored {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

/// Whether the work of this thread was cancelled.
#[must_use]
pub fn is_done() -> bool {
    CURRENT.with_borrow(|current| current.as_ref().is_some_and(Context::is_cancelled))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_work_inside_is_done() {
        let (outer, inner) = (Context::default(), Context::default());
        inner.cancel();
        assert!(!is_done());
        outer.enter(|| {
            assert!(!is_done());
            assert!(inner.enter(is_done));
            assert!(!is_done(), "the outer work goes on");
            let panicked = std::panic::catch_unwind(|| inner.enter(|| panic!("expected")));
            assert!(panicked.is_err() && !is_done());
        });
    }
}
