//! How much of an answer waits to be sent: a client that does not read must not make the server work ahead.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Waker};

use bytes::Bytes;

/// How many bytes of one answer may wait. One chunk may be larger.
pub(crate) const WINDOW: usize = 64 << 10;

/// The bytes of an answer that are not sent yet.
#[derive(Debug, Default)]
pub(crate) struct Window {
    waiting: AtomicUsize,
    /// All bytes that were sent so far.
    sent: AtomicU64,
    waker: Mutex<Option<Waker>>,
    /// The memory of a chunk that was sent, for the next one, if it is kept.
    spare: Option<Mutex<Vec<u8>>>,
}

impl Window {
    /// A window of an answer whose chunks follow each other at once.
    pub(crate) fn with_spare() -> Self {
        Window {
            spare: Some(Mutex::default()),
            ..Window::default()
        }
    }

    /// Memory for the next chunk.
    pub(crate) fn spare(&self) -> Vec<u8> {
        let spare = self.spare.as_ref();
        spare.map_or_else(Vec::new, |spare| {
            std::mem::take(&mut spare.lock().unwrap_or_else(PoisonError::into_inner))
        })
    }

    /// Whether there is room for more. If not, the task is woken when there is.
    pub(crate) fn has_room(&self, context: &Context<'_>) -> bool {
        if self.waiting.load(Ordering::SeqCst) < WINDOW {
            return true;
        }
        *self.waker() = Some(context.waker().clone());
        // Something may have been sent in between.
        self.waiting.load(Ordering::SeqCst) < WINDOW
    }

    /// How many bytes were sent so far.
    pub(crate) fn sent(&self) -> u64 {
        self.sent.load(Ordering::SeqCst)
    }

    /// A chunk that counts until it is sent, which drops it.
    pub(crate) fn chunk(self: &Arc<Self>, bytes: Vec<u8>) -> Bytes {
        self.waiting.fetch_add(bytes.len(), Ordering::SeqCst);
        Bytes::from_owner(Chunk {
            bytes,
            window: Arc::clone(self),
        })
    }

    fn waker(&self) -> std::sync::MutexGuard<'_, Option<Waker>> {
        self.waker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Chunk {
    bytes: Vec<u8>,
    window: Arc<Window>,
}

impl AsRef<[u8]> for Chunk {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        let bytes = self.bytes.len();
        if let Some(spare) = &self.window.spare {
            *spare.lock().unwrap_or_else(PoisonError::into_inner) = std::mem::take(&mut self.bytes);
        }
        self.window.waiting.fetch_sub(bytes, Ordering::SeqCst);
        self.window.sent.fetch_add(bytes as u64, Ordering::SeqCst);
        if let Some(waker) = self.window.waker().take() {
            waker.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_makes_room() {
        let window = Arc::<Window>::default();
        let context = Context::from_waker(Waker::noop());
        let chunks = [(); 2].map(|()| window.chunk(vec![0; WINDOW / 2]));
        assert!(!window.has_room(&context));
        let [first, second] = chunks;
        drop(first.slice(..10));
        assert!(!window.has_room(&context), "a part of it is still there");
        drop(first);
        assert!(window.has_room(&context));
        drop(second);
        assert_eq!(window.sent(), WINDOW as u64);
    }
}
