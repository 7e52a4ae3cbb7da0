//! Large answers: sent in chunks, and given up when the client takes nothing for some time. A client of HTTP/2 can keep
//! its connection busy and still not take an answer.

use std::any::Any;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use kindsmith_api::Pieces;

use crate::window::{WINDOW, Window};

/// A large answer.
pub(crate) struct Large {
    held: Arc<Mutex<Option<Held>>>,
    window: Arc<Window>,
    /// How many bytes are left.
    left: usize,
}

/// The answer, and what it holds until it is sent.
struct Held {
    pieces: Pieces,
    /// The piece that is being sent, and how much of it was.
    piece: (Vec<u8>, usize),
    _seat: Box<dyn Any + Send>,
}

impl Large {
    /// An answer that holds `seat` until it is sent, or given up.
    pub(crate) fn new(pieces: Pieces, seat: Box<dyn Any + Send>, sending: &Arc<Sending>) -> Self {
        let left = pieces.len();
        let held = Arc::new(Mutex::new(Some(Held {
            pieces,
            piece: (Vec::new(), 0),
            _seat: seat,
        })));
        let window = Arc::new(Window::with_spare());
        sending.add(&held, &window);
        Large { held, window, left }
    }

    /// How many bytes are left.
    pub(crate) fn left(&self) -> usize {
        self.left
    }

    /// The next bytes; an error if the answer was given up.
    pub(crate) fn poll(&mut self, context: &Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        if self.left() == 0 {
            return Poll::Ready(None);
        }
        if !self.window.has_room(context) {
            return Poll::Pending;
        }
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(held) = &mut *held else {
            return Poll::Ready(Some(Err(io::ErrorKind::TimedOut.into())));
        };
        let chunk = held.next(self.window.spare());
        self.left -= chunk.len();
        Poll::Ready(Some(Ok(self.window.chunk(chunk))))
    }
}

/// The answers that are being sent. One task gives up those of which the client has taken nothing for long: a task for each would cost
/// more than a short list.
#[derive(Debug)]
pub(crate) struct Sending {
    patience: Duration,
    state: Mutex<Watched>,
}

#[derive(Debug, Default)]
struct Watched {
    answers: Vec<Progress>,
    is_watched: bool,
    /// With this many answers, those that are sent are removed.
    sweep_at: usize,
}

#[derive(Debug)]
struct Progress {
    held: Weak<Mutex<Option<Held>>>,
    window: Weak<Window>,
    /// How many bytes were sent when it was looked at.
    before: Option<u64>,
}

/// With fewer answers, those that are sent are not searched.
const FEW: usize = 64;

impl Sending {
    /// Gives up an answer when its client has taken nothing for as long as `patience`.
    pub(crate) fn new(patience: Duration) -> Arc<Self> {
        Arc::new(Sending {
            patience,
            state: Mutex::default(),
        })
    }

    fn add(self: &Arc<Self>, held: &Arc<Mutex<Option<Held>>>, window: &Arc<Window>) {
        let mut state = self.lock();
        if state.answers.len() >= state.sweep_at.max(FEW) {
            state.sweep();
        }
        state.answers.push(Progress {
            held: Arc::downgrade(held),
            window: Arc::downgrade(window),
            before: None,
        });
        if std::mem::replace(&mut state.is_watched, true) {
            return;
        }
        let sending = Arc::clone(self);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(sending.patience).await;
                let mut state = sending.lock();
                state.answers.retain_mut(Progress::is_made);
                state.is_watched = !state.answers.is_empty();
                if !state.is_watched {
                    return;
                }
            }
        });
    }

    fn lock(&self) -> MutexGuard<'_, Watched> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watched {
    fn sweep(&mut self) {
        self.answers.retain(|answer| answer.held.strong_count() > 0);
        self.sweep_at = 2 * self.answers.len();
    }
}

impl Progress {
    /// Whether something was sent since the last look. Otherwise what the answer holds is freed.
    fn is_made(&mut self) -> bool {
        let (Some(held), Some(window)) = (self.held.upgrade(), self.window.upgrade()) else {
            return false;
        };
        let sent = window.sent();
        if self.before.replace(sent) == Some(sent) {
            held.lock().unwrap_or_else(PoisonError::into_inner).take();
            return false;
        }
        true
    }
}

impl Held {
    /// The next bytes: a piece, or a part of one that is too large to wait for its client as a whole.
    fn next(&mut self, room: Vec<u8>) -> Vec<u8> {
        let (piece, sent) = &mut self.piece;
        if *sent == piece.len() {
            (*piece, *sent) = (self.pieces.pop(room).unwrap_or_default(), 0);
            if piece.len() <= WINDOW {
                return std::mem::take(piece);
            }
        }
        let end = piece.len().min(*sent + WINDOW);
        let part = piece[*sent..end].to_vec();
        *sent = end;
        part
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(30);

    fn large(length: usize, seat: &Arc<()>) -> Large {
        let sending = Sending::new(PATIENCE);
        Large::new(vec![7; length].into(), Box::new(Arc::clone(seat)), &sending)
    }

    fn next(large: &mut Large) -> Poll<Option<Result<Bytes, io::ErrorKind>>> {
        let polled = large.poll(&Context::from_waker(Waker::noop()));
        polled.map(|next| next.map(|chunk| chunk.map_err(|error| error.kind())))
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_nobody_takes_is_given_up() {
        let seat = Arc::new(());
        let mut large = large(3 * WINDOW, &seat);
        let first = next(&mut large);
        assert_eq!(next(&mut large), Poll::Pending);
        tokio::time::sleep(3 * PATIENCE).await;
        assert_eq!(Arc::strong_count(&seat), 1, "what it held is free");
        drop(first);
        assert_eq!(next(&mut large), Poll::Ready(Some(Err(io::ErrorKind::TimedOut))));
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_is_taken_slowly_is_complete() {
        let seat = Arc::new(());
        let mut large = large(3 * WINDOW + 5, &seat);
        let mut sent = 0;
        while let Poll::Ready(Some(Ok(chunk))) = next(&mut large) {
            tokio::time::sleep(PATIENCE / 2).await;
            sent += chunk.len();
        }
        assert_eq!(sent, 3 * WINDOW + 5);
        drop(large);
        assert_eq!(Arc::strong_count(&seat), 1);
    }
}
