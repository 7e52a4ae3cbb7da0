//! What a piece of work may use: loops whose length an input decides pay before they work, and so notice that nobody waits
//! any more (Go's `context` is passed along for that; here it is the thread's).

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

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
    memory: Option<Arc<Pool>>,
    /// The most bytes that were held at a look.
    held: AtomicU64,
    /// What was paid for because it is kept to the end.
    kept: AtomicU64,
    excess: OnceLock<Excess>,
}

/// Memory that pieces of work share. One may hold as much as is left for the others.
#[derive(Debug)]
pub struct Pool {
    bytes: u64,
    used: AtomicU64,
}

/// Why work was stopped that needed more memory than there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Excess {
    /// It would have been too much even alone.
    TooLarge,
    /// Others needed the rest.
    Crowded,
}

impl Pool {
    /// Memory of this many bytes.
    #[must_use]
    pub fn new(bytes: u64) -> Arc<Self> {
        Arc::new(Pool {
            bytes,
            used: AtomicU64::new(0),
        })
    }

    /// Lends more bytes to work that holds `held` with them.
    fn lend(&self, more: u64, held: u64) -> Result<(), Excess> {
        let used = self.used.fetch_add(more, Ordering::Relaxed).saturating_add(more);
        if held <= self.bytes.saturating_sub(used) {
            Ok(())
        } else if held > self.bytes / 2 {
            Err(Excess::TooLarge)
        } else {
            Err(Excess::Crowded)
        }
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        if let Some(pool) = &self.memory {
            pool.used.fetch_sub(*self.held.get_mut(), Ordering::Relaxed);
        }
    }
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
    /// A budget of this many units of work: about as many values are visited.
    #[must_use]
    pub fn new(work: u64) -> Self {
        Budget::with(work, None)
    }

    /// A budget of memory that others share.
    #[must_use]
    pub fn of_memory(pool: &Arc<Pool>) -> Self {
        Budget::with(u64::MAX, Some(Arc::clone(pool)))
    }

    fn with(work: u64, memory: Option<Arc<Pool>>) -> Self {
        Budget(Arc::new(Account {
            is_stopped: AtomicBool::new(false),
            work: AtomicU64::new(work),
            memory,
            held: AtomicU64::new(0),
            kept: AtomicU64::new(0),
            excess: OnceLock::new(),
        }))
    }

    /// Why it was stopped, if memory is the reason.
    #[must_use]
    pub fn excess(&self) -> Option<Excess> {
        self.0.excess.get().copied()
    }

    /// Counts the memory that work holds now.
    fn hold(&self, bytes: u64) -> Result<(), Stopped> {
        let Some(pool) = &self.0.memory else {
            return Ok(());
        };
        let bytes = bytes.saturating_add(self.0.kept.load(Ordering::Relaxed));
        let before = self.0.held.fetch_max(bytes, Ordering::Relaxed);
        let more = bytes.saturating_sub(before);
        if more == 0 {
            return Ok(());
        }
        pool.lend(more, bytes).map_err(|excess| {
            self.0.excess.get_or_init(|| excess);
            self.stop();
            Stopped
        })
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

/// Why the work of this thread was stopped, if memory is the reason.
#[must_use]
pub fn excess() -> Option<Excess> {
    CURRENT.with_borrow(|current| current.as_ref().and_then(Budget::excess))
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

/// The same for work that holds memory, which is counted from time to time.
#[inline]
pub fn spend_in(units: u64, held: impl FnOnce() -> usize) {
    let credit = CREDIT.get();
    if units <= credit {
        CREDIT.set(credit - units);
    } else if look(units).and_then(|()| hold(held())).is_err() {
        std::panic::resume_unwind(Box::new(Stopped));
    }
}

/// How much work a walk does before it pays.
const BATCH: u64 = 64;

/// Work of a walk whose steps are so small that paying for each would cost more than the step: it is paid together.
#[derive(Debug, Default)]
pub struct Batch(u64);

impl Batch {
    /// Pays like [`spend`], sooner or later.
    #[inline]
    pub fn spend(&mut self, units: u64) {
        self.0 += units;
        if self.0 >= BATCH {
            self.pay();
        }
    }

    /// Pays like [`spend_in`], sooner or later.
    #[inline]
    pub fn spend_in(&mut self, units: u64, held: impl FnOnce() -> usize) {
        self.0 += units;
        if self.0 >= BATCH {
            spend_in(std::mem::take(&mut self.0), held);
        }
    }

    #[cold]
    fn pay(&mut self) {
        spend(std::mem::take(&mut self.0));
    }
}

impl Drop for Batch {
    /// If the budget is used up, whoever pays next notices.
    fn drop(&mut self) {
        let _ = work(self.0);
    }
}

/// Pays for memory that is kept until the work is done, and leaves the work like [`spend`] if there is not enough.
pub fn keep(bytes: usize) {
    let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
    let kept = CURRENT.with_borrow(|current| {
        current.as_ref().map_or(Ok(()), |budget| {
            budget.0.kept.fetch_add(bytes, Ordering::Relaxed);
            budget.hold(0)
        })
    });
    if kept.is_err() {
        std::panic::resume_unwind(Box::new(Stopped));
    }
}

/// Counts the memory that the work of this thread holds, and leaves the work like [`spend`] if there is not enough.
pub fn grow(held: usize) {
    if hold(held).is_err() {
        std::panic::resume_unwind(Box::new(Stopped));
    }
}

/// Does work that is done to its end, whoever waits for it: what must follow a change that others see already.
pub fn finish<T>(work: impl FnOnce() -> T) -> T {
    let before = CURRENT.replace(None);
    let _restored = Restored(before, CREDIT.replace(0));
    work()
}

/// Counts the memory that the work of this thread holds.
///
/// # Errors
///
/// If it is more than there is.
#[cold]
pub fn hold(bytes: usize) -> Result<(), Stopped> {
    let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
    CURRENT.with_borrow(|current| current.as_ref().map_or(Ok(()), |budget| budget.hold(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_shared() {
        let pool = Pool::new(1_000);
        let holds = |budget: &Budget, bytes| budget.enter(|| hold(bytes));
        let [first, second, third] = [(); 3].map(|()| Budget::of_memory(&pool));
        assert_eq!(holds(&first, 501), Err(Stopped));
        assert_eq!(first.excess(), Some(Excess::TooLarge));
        assert!(first.is_stopped());
        drop(first);
        assert_eq!(holds(&second, 500), Ok(()));
        assert_eq!(holds(&second, 300), Ok(()), "the most counts");
        assert_eq!(holds(&third, 251), Err(Stopped));
        assert_eq!(third.excess(), Some(Excess::Crowded));
        drop(third);
        assert_eq!(holds(&Budget::of_memory(&pool), 250), Ok(()));
        assert_eq!(hold(usize::MAX), Ok(()), "without a budget, nothing is counted");
    }

    #[test]
    fn what_is_kept_adds_up() {
        let budget = Budget::of_memory(&Pool::new(1_000));
        let left = std::panic::catch_unwind(|| {
            budget.enter(|| {
                (0..4).for_each(|_| keep(100));
                assert_eq!(hold(100), Ok(()));
                keep(101);
            });
        });
        assert!(left.is_err_and(|why| why.is::<Stopped>()));
        assert_eq!(budget.excess(), Some(Excess::TooLarge));
    }

    #[test]
    fn work_that_holds_too_much_is_left() {
        let budget = Budget::of_memory(&Pool::new(1_000_000));
        let mut held = 0;
        let mut grow = || {
            held += 10;
            let now = held;
            spend_in(1, || now);
        };
        let work = || budget.enter(|| (0..1_000_000).for_each(|_| grow()));
        let left = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        assert!(left.is_err_and(|why| why.is::<Stopped>()));
        assert!((500_000..530_000).contains(&held), "{held}");
    }

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
    fn small_walks_pay_too() {
        let walks = |steps: u64| {
            let budget = Budget::new(100_000);
            let mut done = 0;
            let mut work = || {
                budget.enter(|| {
                    for _ in 0..1_000_000 {
                        let mut batch = Batch::default();
                        (0..steps).for_each(|_| batch.spend(1));
                        done += steps;
                        spend(1);
                    }
                });
            };
            let left = std::panic::catch_unwind(std::panic::AssertUnwindSafe(&mut work));
            assert!(left.is_err_and(|why| why.is::<Stopped>()));
            done
        };
        for steps in [1, 10, 1_000] {
            let done = walks(steps);
            assert!((40_000..110_000).contains(&done), "{steps}: {done}");
        }
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
    fn what_follows_a_change_is_finished() {
        let budget = Budget::default();
        budget.stop();
        let done = budget.enter(|| finish(|| (0..100_000).map(|_| spend(1)).count()));
        assert_eq!(done, 100_000);
        assert!(!is_done());
    }

    #[test]
    fn work_that_grows_too_much_is_left() {
        let budget = Budget::of_memory(&Pool::new(1_000));
        assert!(std::panic::catch_unwind(|| budget.enter(|| grow(500))).is_ok());
        assert!(std::panic::catch_unwind(|| budget.enter(|| grow(501))).is_err());
        assert_eq!(budget.excess(), Some(Excess::TooLarge));
    }

    #[test]
    fn spending_leaves_the_work() {
        let budget = Budget::new(5_000);
        let left = std::panic::catch_unwind(|| budget.enter(|| (0..100_000).for_each(|_| spend(1))));
        assert!(left.is_err_and(|why| why.is::<Stopped>()));
        assert!(budget.is_stopped() && !is_done());
    }
}
