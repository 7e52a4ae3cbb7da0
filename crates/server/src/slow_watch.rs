//! Watches whose events take their time because a webhook converts them: each step runs on a thread that may wait.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use kindsmith_api::WatchStream;
use tokio::task::JoinHandle;

/// The outcome of one step.
type Step = (Box<WatchStream>, Poll<Option<Vec<u8>>>);

/// A watch that is stepped on other threads.
pub(crate) struct SlowWatch {
    state: State,
    alarm: Arc<Alarm>,
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
}

impl SlowWatch {
    pub(crate) fn new(events: Box<WatchStream>) -> Self {
        let alarm = Arc::<Alarm>::default();
        alarm.rang.store(true, Ordering::SeqCst);
        SlowWatch {
            state: State::Idle(events),
            alarm,
        }
    }

    /// Asks for the next bytes to be sent; `None` is the end.
    pub(crate) fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Vec<u8>>> {
        loop {
            match std::mem::replace(&mut self.state, State::Ended) {
                State::Idle(events) if !self.alarm.is_due(context) => {
                    self.state = State::Idle(events);
                    return Poll::Pending;
                }
                State::Idle(events) => self.state = State::Busy(step(events, Arc::clone(&self.alarm))),
                State::Busy(mut handle) => match std::pin::Pin::new(&mut handle).poll(context) {
                    Poll::Pending => {
                        self.state = State::Busy(handle);
                        return Poll::Pending;
                    }
                    Poll::Ready(Ok((events, polled))) => {
                        self.state = State::Idle(events);
                        if polled.is_ready() {
                            // There may be more.
                            self.alarm.rang.store(true, Ordering::SeqCst);
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

fn step(mut events: Box<WatchStream>, alarm: Arc<Alarm>) -> JoinHandle<Step> {
    tokio::task::spawn_blocking(move || {
        let waker = Waker::from(alarm);
        let polled = events.poll_next(&mut Context::from_waker(&waker));
        (events, polled)
    })
}
