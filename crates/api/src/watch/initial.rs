//! The objects that exist when a watch begins, in pages: a client that does not read holds one page.

use std::sync::Arc;

use kindsmith_store::{Entry, Error, List, Store, Watch};

/// How many objects are read at once.
const PAGE: usize = 64;

/// The objects under a prefix at a revision that are not sent yet.
pub(crate) struct Initial {
    store: Arc<dyn Store>,
    prefix: String,
    /// The revision at which they are read.
    pub(super) revision: u64,
    /// Whether a bookmark ends them.
    pub(super) has_bookmark: bool,
    entries: std::vec::IntoIter<Entry>,
    /// Where the next page starts.
    next: Option<Vec<u8>>,
}

impl Initial {
    /// Reads the first page at the newest revision.
    pub(crate) fn new(store: &Arc<dyn Store>, prefix: String, has_bookmark: bool) -> Result<Self, Error> {
        let page = store.list(&List {
            limit: PAGE,
            counts: false,
            ..List::of(prefix.as_bytes())
        })?;
        Ok(Initial {
            store: Arc::clone(store),
            prefix,
            revision: page.revision,
            has_bookmark,
            next: page.next(),
            entries: page.entries.into_iter(),
        })
    }

    /// The next object, if there is one.
    pub(super) fn next(&mut self) -> Result<Option<Entry>, Error> {
        if let Some(entry) = self.entries.next() {
            return Ok(Some(entry));
        }
        let Some(start) = self.next.take() else {
            return Ok(None);
        };
        let page = self.store.list(&List {
            start: Some(&start),
            limit: PAGE,
            at: Some(self.revision),
            counts: false,
            ..List::of(self.prefix.as_bytes())
        })?;
        self.next = page.next();
        self.entries = page.entries.into_iter();
        Ok(self.entries.next())
    }

    /// The events after these objects.
    pub(super) fn follow(&self) -> Result<Watch, Error> {
        self.store.watch(self.prefix.as_bytes(), self.revision)
    }
}

impl std::fmt::Debug for Initial {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Initial")
            .field("prefix", &self.prefix)
            .field("revision", &self.revision)
            .finish_non_exhaustive()
    }
}
