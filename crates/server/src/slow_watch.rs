//! Watches whose events take their time: because a webhook converts them, or because there are many to send. The first are
//! made on threads that may wait, the second in turns, so that requests and watches that only follow find a free thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use kindsmith_api::WatchStream;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use crate::working::{self, Working};

/// The outcome of one step.
type Step = (Box<WatchStream>, Poll<Option<Vec<u8>>>);

/// A watch that makes what it sends step by step.
pub(crate) struct SlowWatch {
    state: State,
    alarm: Arc<Alarm>,
    steps: Steps,
}

/// Where long steps are taken.
pub(crate) struct Steps {
    /// How many watches without a webhook take one at once.
    pub(crate) turns: Arc<Semaphore>,
    /// Who holds the place of a step that waits for a webhook.
    pub(crate) working: Box<dyn Fn() -> Working + Send>,
}

enum State {
    /// It waits for something to happen.
    Idle(Box<WatchStream>),
    /// A step is being taken.
    Busy(JoinHandle<Step>),
    /// Nothing is left.
    Ended,
}

/// Whether something happened since the last step began, and who wants to know.
#[derive(Default)]
struct Alarm {
    rang: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

impl Wake for Alarm {
    fn wake(self: Arc<Self>) {
        self.rang.store(true, Ordering::SeqCst);
        let waker = self.waker.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl Alarm {
    /// Whether a step is due. If not, the task is woken when one is.
    fn is_due(&self, context: &Context<'_>) -> bool {
        *self.waker.lock().unwrap_or_else(PoisonError::into_inner) = Some(context.waker().clone());
        self.rang.swap(false, Ordering::SeqCst)
    }

    fn ring(&self) {
        self.rang.store(true, Ordering::SeqCst);
    }
}

impl SlowWatch {
    pub(crate) fn new(events: Box<WatchStream>, steps: Steps) -> Self {
        let alarm = Arc::<Alarm>::default();
        alarm.ring();
        SlowWatch {
            state: State::Idle(events),
            alarm,
            steps,
        }
    }

    /// Asks for the next bytes to be sent; `None` is the end.
    pub(crate) fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Vec<u8>>> {
        loop {
            match std::mem::replace(&mut self.state, State::Ended) {
                State::Idle(mut events) if !events.may_wait() && !events.is_behind() => {
                    let polled = events.poll_next(context);
                    if events.is_behind() {
                        self.alarm.ring();
                    }
                    self.state = State::Idle(events);
                    return polled;
                }
                State::Idle(events) if !self.alarm.is_due(context) => {
                    self.state = State::Idle(events);
                    return Poll::Pending;
                }
                State::Idle(events) => self.state = State::Busy(self.steps.begin(events, &self.alarm)),
                State::Busy(mut handle) => match std::pin::Pin::new(&mut handle).poll(context) {
                    Poll::Pending => {
                        self.state = State::Busy(handle);
                        return Poll::Pending;
                    }
                    Poll::Ready(Ok((events, polled))) => {
                        self.state = State::Idle(events);
                        if polled.is_ready() {
                            // There may be more.
                            self.alarm.ring();
                            return polled;
                        }
                    }
                    Poll::Ready(Err(_)) => return Poll::Ready(None),
                },
                State::Ended => return Poll::Ready(None),
            }
        }
    }

    /// A bookmark of what was seen so far; none while a step is being taken.
    pub(crate) fn bookmark(&mut self) -> Option<Vec<u8>> {
        match &mut self.state {
            State::Idle(events) => events.bookmark(),
            State::Busy(_) | State::Ended => None,
        }
    }
}

impl Steps {
    fn begin(&self, mut events: Box<WatchStream>, alarm: &Arc<Alarm>) -> JoinHandle<Step> {
        let waker = Waker::from(Arc::clone(alarm));
        if events.may_wait() {
            let working = (self.working)();
            return tokio::task::spawn_blocking(move || {
                let step = || events.poll_next(&mut Context::from_waker(&waker));
                let (polled, _) = working::enter(Some(working), step);
                (events, polled)
            });
        }
        let turns = Arc::clone(&self.turns);
        tokio::spawn(async move {
            let _turn = turns.acquire_owned().await;
            let polled = events.poll_next(&mut Context::from_waker(&waker));
            (events, polled)
        })
    }
}
