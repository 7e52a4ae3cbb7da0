//! Shares one request between many callers. Must not know the request.
//!
//! A caller that wants to see every returned write needs an answer to a request sent after its call. Callers
//! that arrive while one is running share the next one, so the number of requests does not grow with the
//! readers.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

/// The requests and the newest answer.
#[derive(Debug)]
pub(super) struct Probe<T> {
    state: Mutex<State<T>>,
    done: Condvar,
}

#[derive(Debug)]
struct State<T> {
    /// The number of requests sent so far.
    asked: u64,
    /// The number of the last answered request, and its answer.
    answered: u64,
    answer: Option<T>,
    busy: bool,
}

impl<T> Default for Probe<T> {
    fn default() -> Self {
        Self {
            state: Mutex::new(State {
                asked: 0,
                answered: 0,
                answer: None,
                busy: false,
            }),
            done: Condvar::new(),
        }
    }
}

impl<T: Clone> Probe<T> {
    /// Returns an answer to a request sent from now on; `None` when the time is up. `ask` must return and not
    /// panic.
    pub(super) fn answer(&self, deadline: Instant, ask: impl FnOnce() -> T) -> Option<T> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = state.asked + 1;
        while state.busy {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            let waited = self.done.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if state.answered >= wanted {
                return state.answer.clone();
            }
        }
        state.busy = true;
        state.asked += 1;
        let number = state.asked;
        drop(state);
        let answer = ask();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.busy = false;
        state.answered = number;
        state.answer = Some(answer.clone());
        self.done.notify_all();
        Some(answer)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn an_answer_is_never_older_than_its_request() {
        let (probe, clock) = (Probe::default(), AtomicU64::new(0));
        let asked = AtomicU64::new(0);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let before = clock.fetch_add(1, Ordering::SeqCst);
                        let deadline = Instant::now() + Duration::from_mins(1);
                        let answer = probe.answer(deadline, || {
                            asked.fetch_add(1, Ordering::SeqCst);
                            clock.load(Ordering::SeqCst)
                        });
                        assert!(answer.is_some_and(|answer| answer > before));
                    }
                });
            }
        });
        assert!(asked.load(Ordering::SeqCst) <= 8 * 500);
    }

    #[test]
    fn nobody_waits_beyond_the_deadline() {
        let probe = Probe::default();
        let late = probe.answer(Instant::now(), || probe.answer(Instant::now(), || true).is_none());
        assert_eq!(
            late,
            Some(true),
            "the question inside found the other one under way"
        );
    }
}
