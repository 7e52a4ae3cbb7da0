//! The data types of a store. Must not know how they are stored.

use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// A key, shared between the store, its readers and its watchers.
pub type Key = Arc<[u8]>;

/// A value, shared between the store, its readers and its watchers, with a note that they can leave for each other.
#[derive(Clone)]
pub struct Bytes(Arc<Noted>);

struct Noted {
    note: AtomicU64,
    hint: AtomicU64,
    form: OnceLock<Box<Form>>,
    bytes: Box<[u8]>,
}

/// Another form of a value, for those who know the mark.
struct Form {
    mark: u64,
    bytes: Arc<[u8]>,
}

/// How many bytes the forms of all values may take. They go with their values.
const FORMS: usize = 32 << 20;

/// How many they take.
static FORM_BYTES: AtomicUsize = AtomicUsize::new(0);

impl Form {
    /// A form, if there is room for it.
    fn new(mark: u64, bytes: &[u8]) -> Option<Self> {
        let free = |taken: usize| Some(taken + bytes.len()).filter(|taken| *taken <= FORMS);
        let taken = FORM_BYTES.fetch_update(Ordering::Relaxed, Ordering::Relaxed, free);
        taken.ok().map(|_| Form {
            mark,
            bytes: bytes.into(),
        })
    }
}

impl Drop for Form {
    fn drop(&mut self) {
        FORM_BYTES.fetch_sub(self.bytes.len(), Ordering::Relaxed);
    }
}

impl Bytes {
    /// Returns what was noted about this value: 0 if nothing was.
    pub fn note(&self) -> u64 {
        self.0.note.load(Ordering::Relaxed)
    }

    /// Returns how many hold this value, in the store and elsewhere.
    pub fn holders(&self) -> usize {
        Arc::strong_count(&self.0)
    }

    /// Notes something for all who share this value, in place of the note before. The store keeps it as long as the
    /// value is in memory, and writes it nowhere.
    pub fn set_note(&self, note: u64) {
        self.0.note.store(note, Ordering::Relaxed);
    }

    /// Returns a second note, which is about the bytes alone: 0 if there is none.
    pub fn hint(&self) -> u64 {
        self.0.hint.load(Ordering::Relaxed)
    }

    /// Sets the second note, as [`Bytes::set_note`] does the first.
    pub fn set_hint(&self, hint: u64) {
        self.0.hint.store(hint, Ordering::Relaxed);
    }

    /// Returns the value in the form that was kept with this mark.
    pub fn form(&self, mark: u64) -> Option<&Arc<[u8]>> {
        let form = self.0.form.get().filter(|form| form.mark == mark);
        form.map(|form| &form.bytes)
    }

    /// Keeps the value in another form, unless it has one or those of all values take too much.
    pub fn keep_form(&self, mark: u64, bytes: &[u8]) {
        if self.0.form.get().is_none()
            && let Some(form) = Form::new(mark, bytes)
        {
            let _ = self.0.form.set(Box::new(form));
        }
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0.bytes
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl PartialEq for Bytes {
    fn eq(&self, other: &Self) -> bool {
        self.0.bytes == other.0.bytes
    }
}

impl Eq for Bytes {}

impl fmt::Debug for Bytes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.bytes.fmt(out)
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Arc::new(Noted {
            note: AtomicU64::new(0),
            hint: AtomicU64::new(0),
            form: OnceLock::new(),
            bytes: bytes.into(),
        }))
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        bytes.to_vec().into()
    }
}

/// A key with its value at some revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: Key,
    /// The last value written.
    pub value: Bytes,
    /// The revision of that write.
    pub modified: u64,
}

/// One write, as a watcher sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The key.
    pub key: Key,
    /// The revision of the write.
    pub revision: u64,
    /// The new value; `None` if the key was deleted.
    pub value: Option<Bytes>,
    /// The old entry; `None` if the key was created.
    pub previous: Option<Entry>,
}

impl Event {
    /// Returns the number of bytes of keys and values that the event keeps alive.
    pub(crate) fn size(&self) -> usize {
        let value = self.value.as_ref().map_or(0, |value| value.len());
        let previous = self.previous.as_ref().map_or(0, |entry| entry.value.len());
        self.key.len() + value + previous
    }
}

/// The lifetime of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ttl {
    /// The time of the write, in seconds since a fixed moment (1970 for servers).
    pub now: u64,
    /// The lifetime in seconds after that.
    pub seconds: u64,
}

impl Ttl {
    /// Returns the second at which the entry expires.
    pub(crate) fn end(self) -> u64 {
        // 0 would mean never.
        self.now.saturating_add(self.seconds).max(1)
    }
}

/// A revision at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The newest revision at that time.
    pub revision: u64,
    /// Seconds since a fixed moment (1970 for servers).
    pub seconds: u64,
}

/// A list request.
#[derive(Clone, Copy, Debug)]
pub struct List<'a> {
    /// The prefix of all keys to list.
    pub prefix: &'a [u8],
    /// The first key to list: [`Page::next`] of the previous page.
    pub start: Option<&'a [u8]>,
    /// The maximum number of entries; 0 means all of them.
    pub limit: usize,
    /// The revision to read at: for later pages that of the first one, `None` for the newest.
    pub at: Option<u64>,
    /// Whether [`Page::remaining`] is exact. Counting takes time; otherwise it is at most 1.
    pub counts: bool,
    /// Which values to return; `None` for all. Others count for the limit, and the last of a page is returned in any case.
    pub keep: Option<Keep<'a>>,
}

/// Decides which values a list returns. It is called while nobody can write.
#[derive(Clone, Copy)]
pub struct Keep<'a>(pub &'a dyn Fn(&Bytes) -> bool);

impl fmt::Debug for Keep<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Keep")
    }
}

impl<'a> List<'a> {
    /// Lists everything under a prefix at the newest revision.
    pub fn of(prefix: &'a [u8]) -> Self {
        Self {
            prefix,
            start: None,
            limit: 0,
            at: None,
            counts: true,
            keep: None,
        }
    }
}

/// A list, or a page of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The entries in the order of their keys.
    pub entries: Vec<Entry>,
    /// The revision at which all of them were read.
    pub revision: u64,
    /// The number of entries after the last one, or 1 for any number if nobody counts.
    pub remaining: u64,
}

impl Page {
    /// Returns where the next page starts, if there is one: right after the last key, whether or not that key
    /// still exists by then.
    pub fn next(&self) -> Option<Vec<u8>> {
        let last = self.entries.last().filter(|_| self.remaining > 0)?;
        let mut start = last.key.to_vec();
        start.push(0);
        Some(start)
    }
}

/// Limits of a store.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// The maximum size of key and value together in bytes. The default is etcd's default limit for requests.
    pub entry_bytes: usize,
    /// The maximum number of pending events before a watcher is cut off as too slow.
    pub backlog_events: usize,
    /// The maximum size of pending events in bytes; a single event may be larger.
    pub backlog_bytes: usize,
    /// How many bytes older states may take before [`Store::overfull`](crate::Store::overfull) wants them compacted.
    pub history_bytes: usize,
    /// How many bytes all states may take; then writes fail with [`Error::Full`](crate::Error::Full), except
    /// deletions. The default is etcd's.
    pub quota_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            entry_bytes: 1_572_864,
            backlog_events: 1_000,
            backlog_bytes: 8 << 20,
            history_bytes: 256 << 20,
            quota_bytes: 2 << 30,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_bounded_and_go_with_their_values() {
        let large = vec![0; FORMS - 1_000];
        let [first, second] = [(); 2].map(|()| Bytes::from(&b"value"[..]));
        first.keep_form(1, &large);
        first.keep_form(2, b"another");
        assert_eq!(first.form(1).map(|form| form.len()), Some(large.len()));
        assert_eq!(first.form(2), None, "it has one already");
        second.keep_form(1, &large);
        assert_eq!(second.form(1), None, "there is no room");
        drop(first);
        second.keep_form(1, &large);
        assert!(second.form(1).is_some());
    }
}
