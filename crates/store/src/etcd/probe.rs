//! Shares one question between many who need its answer. Must not know the question.
//!
//! Who wants to see every returned write needs an answer to a question that was put afterwards. Those who come while
//! one is under way share the next one, so the number of questions does not grow with the readers.

use std::future::Future;
use std::mem::{replace, take};
use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::oneshot;
use tokio::time::timeout_at;

/// Who waits for an answer.
#[derive(Debug)]
pub(super) struct Probe<T>(Mutex<State<T>>);

#[derive(Debug)]
struct State<T> {
    /// Those who share the next question.
    waiting: Vec<Waiter<T>>,
    is_asking: bool,
}

/// Somebody who waits until a deadline.
#[derive(Debug)]
struct Waiter<T> {
    deadline: Instant,
    answer: oneshot::Sender<T>,
}

/// Those who share a question.
pub(super) struct Sharing<T>(Vec<Waiter<T>>);

impl<T> Default for Probe<T> {
    fn default() -> Self {
        Self(Mutex::new(State {
            waiting: Vec::new(),
            is_asking: false,
        }))
    }
}

impl<T: Clone> Probe<T> {
    /// Joins those who share the next question: what is returned gets its answer, or an error when the time is up. Also
    /// returns whether nobody puts questions, so that the caller has to see to it: as long as there is a
    /// [`next`](Self::next) one.
    pub(super) fn join(&self, deadline: Instant) -> (oneshot::Receiver<T>, bool) {
        let (answer, awaited) = oneshot::channel();
        let mut state = self.lock();
        state.waiting.push(Waiter { deadline, answer });
        let is_first = !replace(&mut state.is_asking, true);
        (awaited, is_first)
    }

    /// Returns those who share the next question; `None` if nobody waits for one.
    pub(super) fn next(&self) -> Option<Sharing<T>> {
        let mut state = self.lock();
        state.waiting.retain(|waiter| !waiter.answer.is_closed());
        state.is_asking = !state.waiting.is_empty();
        state.is_asking.then(|| Sharing(take(&mut state.waiting)))
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Clone> Sharing<T> {
    /// When the question has to be answered.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.0.iter().map(|waiter| waiter.deadline).max()
    }

    /// Puts the question, and gives all of them the answer.
    pub(super) async fn tell(mut self, question: impl Future<Output = T>) {
        let mut question = pin!(question);
        while let Some(earliest) = self.0.iter().map(|waiter| waiter.deadline).min() {
            if let Ok(answer) = timeout_at(earliest.into(), question.as_mut()).await {
                for waiter in self.0.drain(..) {
                    // It may just have given up.
                    let _ = waiter.answer.send(answer.clone());
                }
            } else {
                self.0.retain(|waiter| waiter.deadline > earliest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    use tokio::time::sleep;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn an_answer_is_never_older_than_its_question() {
        let probe = Arc::new(Probe::default());
        let (clock, asked) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let reader = || {
            let (probe, clock, asked) = (Arc::clone(&probe), Arc::clone(&clock), Arc::clone(&asked));
            async move {
                for _ in 0..500 {
                    let before = clock.fetch_add(1, Ordering::SeqCst);
                    let (answer, is_first) = probe.join(Instant::now() + 60 * SECOND);
                    if is_first {
                        let (probe, clock, asked) =
                            (Arc::clone(&probe), Arc::clone(&clock), Arc::clone(&asked));
                        tokio::spawn(async move {
                            while let Some(sharing) = probe.next() {
                                asked.fetch_add(1, Ordering::SeqCst);
                                sharing.tell(async { clock.load(Ordering::SeqCst) }).await;
                                tokio::task::yield_now().await;
                            }
                        });
                    }
                    assert!(answer.await.is_ok_and(|answer| answer > before));
                }
            }
        };
        for reader in [(); 8].map(|()| tokio::spawn(reader())) {
            reader.await.expect("no panic");
        }
        assert!(asked.load(Ordering::SeqCst) <= 8 * 500);
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_waits_beyond_the_deadline() {
        let (probe, start) = (Probe::default(), tokio::time::Instant::now());
        let (hasty, is_first) = probe.join((start + SECOND).into());
        let (patient, is_second_first) = probe.join((start + 3 * SECOND).into());
        assert!(is_first && !is_second_first);
        let sharing = probe.next().expect("two wait");
        assert_eq!(sharing.deadline(), Some((start + 3 * SECOND).into()));
        sharing.tell(sleep(2 * SECOND)).await;
        assert!(hasty.await.is_err());
        assert!(patient.await.is_ok());
        assert!(probe.next().is_none());
        assert!(probe.join(start.into()).1, "nobody asks any more");
    }
}
