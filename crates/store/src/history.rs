//! All states of a store since its last compaction, in memory. Must not know locks, watchers or disks.
//!
//! Writes are *staged*, which gives them their revision and makes them count for later writes, and become
//! *visible* to readers afterwards: a store on disk does that once they are durable.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Bound;
use std::sync::Arc;

use crate::{Bytes, Entry, Error, Event, List, Page};

/// The revision of an empty store, as in etcd: `0` is not a valid resource version.
pub(crate) const FIRST: u64 = 1;

/// Keys with their versions.
#[derive(Clone, Debug)]
pub(crate) struct History {
    /// The versions of each key, oldest first, never empty.
    keys: BTreeMap<Bytes, Vec<Version>>,
    /// The key written by each revision after the compacted one, in order.
    log: VecDeque<(u64, Bytes)>,
    /// Expiry times, by the newest version of each entry.
    expiring: BTreeSet<(u64, Bytes)>,
    size: Size,
    staged: u64,
    visible: u64,
    compacted: u64,
}

/// How much memory versions take, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Size {
    /// All versions.
    pub(crate) all: usize,
    /// Those that compaction can drop: older ones, and deletions.
    pub(crate) old: usize,
}

/// The part of the past that a watcher gets next.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub(crate) events: Vec<Arc<Event>>,
    /// All events up to this revision are in this chunk or in earlier ones.
    pub(crate) reached: u64,
    /// Whether nothing follows.
    pub(crate) is_last: bool,
}

/// Limits of a [`Chunk`]. A chunk has at least one event if there is one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChunkLimits {
    pub(crate) events: usize,
    pub(crate) bytes: usize,
    /// Writes under any prefix that are looked at, because nobody can write meanwhile.
    pub(crate) looks: usize,
}

/// What a version takes besides its key and value: its place in lists and the counters of shared bytes.
const OVERHEAD: usize = 128;

#[derive(Clone, Debug)]
struct Version {
    revision: u64,
    /// `None` if the key was deleted.
    value: Option<Bytes>,
    expires: u64,
}

/// A write with its revision.
#[derive(Debug)]
pub(crate) struct Staged {
    pub(crate) revision: u64,
    pub(crate) key: Bytes,
    pub(crate) value: Option<Bytes>,
    /// The second at which it expires; 0 means never.
    pub(crate) expires: u64,
}

/// Why a write was not staged.
#[derive(Debug)]
pub(crate) struct Refused {
    /// The current entry, perhaps not visible yet.
    pub(crate) current: Option<Entry>,
    /// The conflicting write; `current` must not be returned before this write is visible.
    pub(crate) by: u64,
}

impl Default for History {
    fn default() -> Self {
        Self {
            keys: BTreeMap::new(),
            log: VecDeque::new(),
            expiring: BTreeSet::new(),
            size: Size::default(),
            staged: FIRST,
            visible: FIRST,
            compacted: 0,
        }
    }
}

impl History {
    pub(crate) fn visible(&self) -> u64 {
        self.visible
    }

    pub(crate) fn compacted(&self) -> u64 {
        self.compacted
    }

    pub(crate) fn size(&self) -> Size {
        self.size
    }

    /// Stages a write if the last write of the key was `expected`; without a value it deletes.
    pub(crate) fn stage(
        &mut self,
        key: &[u8],
        value: Option<Bytes>,
        expected: u64,
        expires: u64,
    ) -> Result<Staged, Refused> {
        let last = self.keys.get_key_value(key);
        let newest = last.and_then(|(key, versions)| Some((key, versions.last()?)));
        let current = newest.and_then(|(key, version)| version.entry(key));
        let modified = current.as_ref().map_or(0, |entry| entry.modified);
        let deletes_nothing = value.is_none() && current.is_none();
        if modified != expected || deletes_nothing {
            let by = newest.map_or(0, |(_, version)| version.revision);
            return Err(Refused { current, by });
        }
        let staged = Staged {
            revision: self.staged + 1,
            key: last.map_or_else(|| key.into(), |(key, _)| Arc::clone(key)),
            value,
            expires,
        };
        self.append(&staged);
        Ok(staged)
    }

    /// Adds a write from an earlier run. Revisions must be ascending.
    pub(crate) fn append(&mut self, write: &Staged) {
        self.staged = write.revision;
        self.log.push_back((write.revision, Arc::clone(&write.key)));
        let versions = self.keys.entry(Arc::clone(&write.key)).or_default();
        let before = versions.last().map_or(0, |version| version.expires);
        if before > 0 {
            self.expiring.remove(&(before, Arc::clone(&write.key)));
        }
        if write.expires > 0 {
            self.expiring.insert((write.expires, Arc::clone(&write.key)));
        }
        let version = Version {
            revision: write.revision,
            value: write.value.clone(),
            expires: write.expires,
        };
        // A deletion counts as old from the start, so the one before it is not counted twice.
        if let Some(before) = versions.last().filter(|before| before.value.is_some()) {
            self.size.old += before.size(&write.key);
        }
        let size = version.size(&write.key);
        self.size.all += size;
        if version.value.is_none() {
            self.size.old += size;
        }
        versions.push(version);
    }

    /// Takes back writes that were staged and did not become durable.
    pub(crate) fn take_back(&mut self) {
        while let Some((_, key)) = self.log.pop_back_if(|(revision, _)| *revision > self.visible) {
            let Some(versions) = self.keys.get_mut(&key) else {
                continue;
            };
            let Some(lost) = versions.pop() else { continue };
            let size = lost.size(&key);
            self.size.all -= size;
            if lost.value.is_none() {
                self.size.old -= size;
            }
            if lost.expires > 0 {
                self.expiring.remove(&(lost.expires, Arc::clone(&key)));
            }
            match versions.last() {
                Some(before) => {
                    if before.value.is_some() {
                        self.size.old -= before.size(&key);
                    }
                    if before.expires > 0 {
                        self.expiring.insert((before.expires, Arc::clone(&key)));
                    }
                }
                None => drop(self.keys.remove(&key)),
            }
        }
        self.staged = self.visible;
    }

    /// Returns up to which revision to compact so that old versions take at most half of `most` bytes; `None` if they
    /// take no more than `most`.
    pub(crate) fn overfull(&self, most: usize) -> Option<u64> {
        let mut left = self.size.old;
        if left <= most {
            return None;
        }
        let mut to = None;
        for (revision, key) in self
            .log
            .iter()
            .take_while(|(revision, _)| *revision <= self.visible)
        {
            if left <= most / 2 {
                break;
            }
            let versions = self
                .keys
                .get(key)
                .map_or(&[][..], |versions| upto(versions, *revision));
            let [.., before, _] = versions else { continue };
            left = left.saturating_sub(before.size(key));
            to = Some(*revision);
        }
        to
    }

    /// Returns the expired keys, with the revision of their last write.
    pub(crate) fn expired(&self, now: u64) -> Vec<(Bytes, u64)> {
        let due = self.expiring.iter().take_while(|(expires, _)| *expires <= now);
        let newest = |key: &Bytes| Some(self.keys.get(key)?.last()?.revision);
        due.filter_map(|(_, key)| Some((Arc::clone(key), newest(key)?)))
            .collect()
    }

    /// Makes all writes up to a revision visible and returns them.
    pub(crate) fn publish(&mut self, to: u64) -> impl Iterator<Item = Arc<Event>> + '_ {
        let after = std::mem::replace(&mut self.visible, to);
        self.events(after)
    }

    /// Returns the next visible writes under a prefix after a revision.
    pub(crate) fn chunk(&self, prefix: &[u8], after: u64, limits: ChunkLimits) -> Result<Chunk, Error> {
        self.readable(after)?;
        let mut chunk = Chunk {
            events: Vec::new(),
            reached: after,
            is_last: false,
        };
        let (mut bytes, mut looks) = (0, 0);
        for (revision, key) in self.seen_after(after) {
            if chunk.events.len() >= limits.events || bytes >= limits.bytes || looks >= limits.looks {
                return Ok(chunk);
            }
            looks += 1;
            chunk.reached = *revision;
            if key.starts_with(prefix)
                && let Some(event) = self.event(*revision, key)
            {
                bytes += event.size();
                chunk.events.push(event);
            }
        }
        chunk.reached = self.visible;
        chunk.is_last = true;
        Ok(chunk)
    }

    /// Returns all visible versions of the keys from `start` on up to a revision, and where the next ones start. Stops
    /// behind the key with which there are `most` bytes.
    pub(crate) fn dump(&self, start: &[u8], to: u64, most: usize) -> (Vec<Staged>, Option<Vec<u8>>) {
        let (mut writes, mut bytes) = (Vec::new(), 0);
        let keys = self
            .keys
            .range::<[u8], _>((Bound::Included(start), Bound::Unbounded));
        for (key, versions) in keys {
            for version in upto(versions, to) {
                bytes += version.size(key);
                writes.push(version.staged(key));
            }
            if bytes >= most {
                return (writes, Some([&key[..], &[0]].concat()));
            }
        }
        (writes, None)
    }

    /// Returns the visible writes after a revision.
    pub(crate) fn tail(&self, after: u64) -> Vec<Staged> {
        let staged = |(revision, key): &(u64, Bytes)| {
            let version = upto(self.keys.get(key)?, *revision).last()?;
            Some(version.staged(key))
        };
        self.seen_after(after).filter_map(staged).collect()
    }

    fn seen_after(&self, after: u64) -> impl Iterator<Item = &(u64, Bytes)> {
        let first = self.log.partition_point(|(revision, _)| *revision <= after);
        let new = self.log.range(first..);
        new.take_while(|(revision, _)| *revision <= self.visible)
    }

    fn events(&self, after: u64) -> impl Iterator<Item = Arc<Event>> + '_ {
        let seen = self.seen_after(after);
        seen.filter_map(|(revision, key)| self.event(*revision, key))
    }

    fn event(&self, revision: u64, key: &Bytes) -> Option<Arc<Event>> {
        let versions = self.keys.get(key)?;
        let (version, before) = upto(versions, revision).split_last()?;
        let event = Event {
            key: Arc::clone(key),
            revision,
            value: version.value.clone(),
            previous: before.last().and_then(|version| version.entry(key)),
        };
        Some(Arc::new(event))
    }

    pub(crate) fn get(&self, key: &[u8], at: Option<u64>) -> Result<Option<Entry>, Error> {
        let at = self.resolve(at)?;
        let found = self.keys.get_key_value(key);
        Ok(found.and_then(|(key, versions)| entry_at(key, versions, at)))
    }

    /// Lists entries; `known` is the number of entries from the start on, if already counted.
    pub(crate) fn list(&self, list: &List<'_>, known: Option<u64>) -> Result<Page, Error> {
        let at = self.resolve(list.at)?;
        let start = list.start.map_or(list.prefix, |start| start.max(list.prefix));
        let keys = self
            .keys
            .range::<[u8], _>((Bound::Included(start), Bound::Unbounded));
        let ours = keys.take_while(|(key, _)| key.starts_with(list.prefix));
        let mut found = ours.filter_map(|(key, versions)| entry_at(key, versions, at));
        let limit = if list.limit == 0 { usize::MAX } else { list.limit };
        let entries: Vec<_> = found.by_ref().take(limit).collect();
        let remaining = match known {
            Some(known) => known.saturating_sub(entries.len() as u64),
            None if list.counts => found.count() as u64,
            None => found.next().is_some().into(),
        };
        Ok(Page {
            entries,
            revision: at,
            remaining,
        })
    }

    /// Returns the revisions whose writes are unreadable after compaction, oldest first; `None` if that
    /// revision is already compacted.
    pub(crate) fn superseded(&self, to: u64) -> Result<Option<Vec<u64>>, Error> {
        if to <= self.compacted {
            return Ok(None);
        }
        self.readable(to)?;
        let mut dropped = Vec::new();
        for (revision, key) in self.log.iter().take_while(|(revision, _)| *revision <= to) {
            let Some(versions) = self.keys.get(key) else {
                continue;
            };
            let (before, after) = versions.split_at(upto(versions, *revision).len());
            let Some((version, older)) = before.split_last() else {
                continue;
            };
            dropped.extend(older.last().map(|version| version.revision));
            let newest = after.first().is_none_or(|next| next.revision > to);
            if version.value.is_none() && newest {
                dropped.push(*revision);
            }
        }
        dropped.sort_unstable();
        Ok(Some(dropped))
    }

    /// Drops all states before a visible revision.
    pub(crate) fn compact(&mut self, to: u64) {
        self.compacted = self.compacted.max(to);
        while let Some((_, key)) = self.log.pop_front_if(|(revision, _)| *revision <= to) {
            let Some(versions) = self.keys.get_mut(&key) else {
                continue;
            };
            let old = upto(versions, to).len();
            let deleted = old > 0 && versions[old - 1].value.is_none();
            let gone = versions.drain(..if deleted { old } else { old.saturating_sub(1) });
            let gone: usize = gone.map(|version| version.size(&key)).sum();
            self.size.all -= gone;
            self.size.old -= gone;
            if versions.is_empty() {
                self.keys.remove(&key);
            } else if versions.capacity() > 2 * versions.len() {
                versions.shrink_to_fit();
            }
        }
        if self.log.capacity() > 4 * self.log.len() {
            self.log.shrink_to(2 * self.log.len());
        }
    }

    /// Returns the revision of the `most`th write that compaction to a revision looks at, or that revision.
    pub(crate) fn step(&self, to: u64, most: usize) -> u64 {
        match self.log.get(most) {
            Some((revision, _)) => (*revision).min(to),
            None => to,
        }
    }

    /// Finishes restoring writes of an earlier run that was compacted up to `compacted`. Returns the writes
    /// that compaction should have removed, oldest first.
    pub(crate) fn restored(&mut self, compacted: u64) -> Result<Vec<u64>, Error> {
        // The last write may have been a deletion that compaction removed.
        self.staged = self.staged.max(compacted);
        self.visible = self.staged;
        let leftover = self.superseded(compacted)?.unwrap_or_default();
        self.compact(compacted);
        Ok(leftover)
    }

    /// Returns the visible entry that was written last, of those that exist.
    #[cfg(feature = "etcd")]
    pub(crate) fn newest(&self) -> Option<Entry> {
        let entries = self.keys.iter();
        let entries = entries.filter_map(|(key, versions)| entry_at(key, versions, self.visible));
        entries.max_by_key(|entry| entry.modified)
    }

    /// Finishes restoring the entries of a store that was compacted at a revision, without older states.
    #[cfg(feature = "etcd")]
    pub(crate) fn settle_at(&mut self, revision: u64) {
        self.staged = revision;
        self.visible = revision;
        self.compact(if revision == FIRST { 0 } else { revision });
    }

    fn resolve(&self, at: Option<u64>) -> Result<u64, Error> {
        let at = at.unwrap_or(self.visible);
        self.readable(at)?;
        Ok(at)
    }

    fn readable(&self, at: u64) -> Result<(), Error> {
        let (compacted, current) = (self.compacted, self.visible);
        match at {
            _ if at < compacted => Err(Error::Compacted { at, compacted }),
            _ if at > current => Err(Error::Future { at, current }),
            _ => Ok(()),
        }
    }
}

impl Version {
    fn size(&self, key: &[u8]) -> usize {
        let value = self.value.as_ref().map_or(0, |value| value.len());
        key.len() + value + OVERHEAD
    }

    fn staged(&self, key: &Bytes) -> Staged {
        Staged {
            revision: self.revision,
            key: Arc::clone(key),
            value: self.value.clone(),
            expires: self.expires,
        }
    }

    fn entry(&self, key: &Bytes) -> Option<Entry> {
        let value = Arc::clone(self.value.as_ref()?);
        Some(Entry {
            key: Arc::clone(key),
            value,
            modified: self.revision,
        })
    }
}

/// Returns the versions that existed at a revision.
fn upto(versions: &[Version], at: u64) -> &[Version] {
    // Most reads want the newest.
    match versions.last() {
        Some(last) if last.revision <= at => versions,
        _ => &versions[..versions.partition_point(|version| version.revision <= at)],
    }
}

fn entry_at(key: &Bytes, versions: &[Version], at: u64) -> Option<Entry> {
    upto(versions, at).last()?.entry(key)
}
