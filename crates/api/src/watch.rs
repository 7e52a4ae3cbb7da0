//! Watches: events of a resource as they happen, encoded for one client.

use std::task::{Context, Poll};
use std::time::Duration;

/// The events of one watch, in the form its client asked for. The caller polls it, and ends it when its time is over.
#[derive(Debug)]
pub struct WatchStream {
    /// How long it is to last, if the client said so.
    pub timeout: Option<Duration>,
    /// Whether bookmarks are to be sent from time to time.
    pub wants_bookmarks: bool,
    store: kindsmith_store::Watch,
}

impl WatchStream {
    /// Asks for the next bytes to be sent; `None` is the end.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Vec<u8>>> {
        let _ = (&mut self.store, context);
        Poll::Ready(None)
    }

    /// A bookmark of what was seen so far; to be sent about once a minute, and before the end.
    pub fn bookmark(&mut self) -> Option<Vec<u8>> {
        None
    }
}
