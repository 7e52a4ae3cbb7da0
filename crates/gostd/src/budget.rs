//! What a piece of work may use: loops whose length an input decides pay before they work, and so notice that nobody waits
//! any more (Go's `context` is passed along for that; here it is the thread's).

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

thread_local! {
    static CURRENT: RefCell<Option<Budget>> = const { RefCell::new(None) };
    /// How much work is done before the budget is looked at again.
    static CREDIT: Cell<u64> = const { Cell::new(0) };
}

/// How much work is done between two looks.
const LOOK: u64 = 1_000;

/// What work may use until it is stopped.
#[derive(Debug, Clone)]
pub struct Budget(Arc<Account>);

#[derive(Debug)]
struct Account {
    is_stopped: AtomicBool,
    work: AtomicU64,
}

/// The budget is used up, or nobody wants the result any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

impl Default for Budget {
    fn default() -> Self {
        Budget::new(u64::MAX)
    }
}

impl Budget {
    /// A budget of so many units of work: about as many values are visited.
    #[must_use]
    pub fn new(work: u64) -> Self {
        Budget(Arc::new(Account {
            is_stopped: AtomicBool::new(false),
            work: AtomicU64::new(work),
        }))
    }

    /// Says that nobody waits for the work any more.
    pub fn stop(&self) {
        self.0.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Whether it was stopped or is used up.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.is_stopped.load(Ordering::Relaxed)
    }

    /// Takes work from what is left.
    fn take(&self, work: u64) -> Result<(), Stopped> {
        let left = self.0.work.load(Ordering::Relaxed);
        match left.checked_sub(work) {
            Some(rest) if !self.is_stopped() => {
                self.0.work.store(rest, Ordering::Relaxed);
                Ok(())
            }
            _ => {
                self.stop();
                Err(Stopped)
            }
        }
    }

    /// Does work on this thread that pays from this budget.
    pub fn enter<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = CURRENT.replace(Some(self.clone()));
        let _restored = Restored(before, CREDIT.replace(0));
        work()
    }
}

/// Puts back the budget that was there before, even if the work panics.
struct Restored(Option<Budget>, u64);

impl Drop for Restored {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
        CREDIT.set(self.1);
    }
}

/// Whether the work of this thread was stopped.
#[must_use]
pub fn is_done() -> bool {
    CURRENT.with_borrow(|current| current.as_ref().is_some_and(Budget::is_stopped))
}

/// Pays for work from the budget of this thread.
///
/// # Errors
///
/// If the budget is used up, or nobody wants the result any more.
#[inline]
pub fn work(units: u64) -> Result<(), Stopped> {
    let credit = CREDIT.get();
    if units <= credit {
        CREDIT.set(credit - units);
        return Ok(());
    }
    look(units)
}

#[cold]
fn look(units: u64) -> Result<(), Stopped> {
    let wanted = units.saturating_add(LOOK);
    CURRENT.with_borrow(|current| current.as_ref().map_or(Ok(()), |budget| budget.take(wanted)))?;
    CREDIT.set(CREDIT.get().saturating_add(LOOK));
    Ok(())
}

/// Pays for work, and leaves it by unwinding if the budget is used up: for loops over the values of a request, which have no
/// other way to end early. Whoever entered the budget catches that. Must not be called where a lock is held or a global is made.
#[inline]
pub fn spend(units: u64) {
    if work(units).is_err() {
        std::panic::resume_unwind(Box::new(Stopped));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_work_inside_is_done() {
        let (outer, inner) = (Budget::default(), Budget::default());
        inner.stop();
        assert!(!is_done());
        outer.enter(|| {
            assert!(!is_done());
            assert!(inner.enter(is_done));
            assert!(!is_done(), "the outer work goes on");
            let panicked = std::panic::catch_unwind(|| inner.enter(|| panic!("expected")));
            assert!(panicked.is_err() && !is_done());
        });
    }

    #[test]
    fn work_ends_when_the_budget_does() {
        let done = |budget: &Budget| budget.enter(|| (0..100_000).take_while(|_| work(1).is_ok()).count());
        assert_eq!(done(&Budget::default()), 100_000);
        assert!(done(&Budget::new(5_000)) < 5_000);
        let stopped = Budget::default();
        stopped.stop();
        assert_eq!(done(&stopped), 0);
        assert_eq!(
            (0..10).filter(|_| work(1).is_ok()).count(),
            10,
            "without a budget, nothing is counted"
        );
    }

    #[test]
    fn spending_leaves_the_work() {
        let budget = Budget::new(5_000);
        let left = std::panic::catch_unwind(|| budget.enter(|| (0..100_000).for_each(|_| spend(1))));
        assert!(left.is_err_and(|why| why.is::<Stopped>()));
        assert!(budget.is_stopped() && !is_done());
    }
}
