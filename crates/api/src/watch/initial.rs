//! The objects that exist when a watch begins, in pages: a client that does not read holds one page.

use std::sync::Arc;

use kindsmith_store::{Entry, Error, Keep, List, Store, Watch};

/// How many objects are read at once.
const PAGE: usize = 64;
/// How many are looked at, if most of them are passed over.
const SELECTED_PAGE: usize = 256;

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
    /// How many pages were read.
    pub(super) pages: usize,
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
            pages: 1,
        })
    }

    /// The next object, if there is one. Those that `keep` does not want may be left out.
    pub(super) fn next(&mut self, keep: Option<Keep<'_>>) -> Result<Option<Entry>, Error> {
        if let Some(entry) = self.entries.next() {
            return Ok(Some(entry));
        }
        let Some(start) = self.next.take() else {
            return Ok(None);
        };
        let page = self.store.list(&List {
            start: Some(&start),
            limit: keep.map_or(PAGE, |_| SELECTED_PAGE),
            at: Some(self.revision),
            counts: false,
            keep,
            ..List::of(self.prefix.as_bytes())
        })?;
        self.next = page.next();
        self.entries = page.entries.into_iter();
        self.pages += 1;
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
