//! All states of a store since its last compaction, in memory. Must not know locks, watchers or disks.
//!
//! Writes are *staged*, which gives them their revision and makes them count for later writes, and become
//! *visible* to readers afterwards: a store on disk does that once they are durable.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use crate::ranked::{Ranked, Ranking, Visit};
use crate::{Bytes, Entry, Error, Event, Keep, Key, List, Page};

/// The revision of an empty store, as in etcd: `0` is not a valid resource version.
pub(crate) const FIRST: u64 = 1;

/// Keys with their versions.
#[derive(Clone, Debug)]
pub(crate) struct History {
    /// The versions of each key, oldest first, never empty.
    keys: Ranked<Vec<Version>>,
    /// The key written by each revision after the compacted one, in order.
    log: VecDeque<(u64, Key)>,
    /// Expiry times, by the newest version of each entry.
    expiring: BTreeSet<(u64, Key)>,
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

/// Room for this many entries costs nothing worth mentioning.
const SOME: usize = 128;

/// This many writes are always counted backwards.
const MANY: usize = 1_000;

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
    pub(crate) key: Key,
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
            keys: Ranked::default(),
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
        let last = self.keys.get(key);
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
        let (size, expiring) = (&mut self.size, &mut self.expiring);
        self.keys.change(&write.key, &mut |versions| {
            let before = versions.last().map_or(0, |version| version.expires);
            if before > 0 {
                expiring.remove(&(before, Arc::clone(&write.key)));
            }
            if write.expires > 0 {
                expiring.insert((write.expires, Arc::clone(&write.key)));
            }
            let version = Version {
                revision: write.revision,
                value: write.value.clone(),
                expires: write.expires,
            };
            // A deletion counts as old from the start, so the one before it is not counted twice.
            if let Some(before) = versions.last().filter(|before| before.value.is_some()) {
                size.old += before.size(&write.key);
            }
            let added = version.size(&write.key);
            size.all += added;
            if version.value.is_none() {
                size.old += added;
            }
            if versions.is_empty() {
                // Most entries are written once.
                versions.reserve_exact(1);
            }
            versions.push(version);
        });
    }

    /// Takes back writes that were staged and did not become durable.
    pub(crate) fn take_back(&mut self) {
        while let Some((_, key)) = self.log.pop_back_if(|(revision, _)| *revision > self.visible) {
            let (size, expiring) = (&mut self.size, &mut self.expiring);
            self.keys.change(&key, &mut |versions| {
                let Some(lost) = versions.pop() else { return };
                let bytes = lost.size(&key);
                size.all -= bytes;
                if lost.value.is_none() {
                    size.old -= bytes;
                }
                if lost.expires > 0 {
                    expiring.remove(&(lost.expires, Arc::clone(&key)));
                }
                let Some(before) = versions.last() else { return };
                if before.value.is_some() {
                    size.old -= before.size(&key);
                }
                if before.expires > 0 {
                    expiring.insert((before.expires, Arc::clone(&key)));
                }
            });
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
                .versions(key)
                .map_or(&[][..], |versions| upto(versions, *revision));
            let [.., before, _] = versions else { continue };
            left = left.saturating_sub(before.size(key));
            to = Some(*revision);
        }
        to
    }

    /// Returns the expired keys, with the revision of their last write.
    pub(crate) fn expired(&self, now: u64) -> Vec<(Key, u64)> {
        let due = self.expiring.iter().take_while(|(expires, _)| *expires <= now);
        let newest = |key: &Key| Some(self.versions(key)?.last()?.revision);
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
        for (key, versions) in self.keys.from(start, Visit::All) {
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
        let staged = |(revision, key): &(u64, Key)| {
            let version = upto(self.versions(key)?, *revision).last()?;
            Some(version.staged(key))
        };
        self.seen_after(after).filter_map(staged).collect()
    }

    fn seen_after(&self, after: u64) -> impl Iterator<Item = &(u64, Key)> {
        let first = self.log.partition_point(|(revision, _)| *revision <= after);
        let new = self.log.range(first..);
        new.take_while(|(revision, _)| *revision <= self.visible)
    }

    fn events(&self, after: u64) -> impl Iterator<Item = Arc<Event>> + '_ {
        let seen = self.seen_after(after);
        seen.filter_map(|(revision, key)| self.event(*revision, key))
    }

    fn event(&self, revision: u64, key: &Key) -> Option<Arc<Event>> {
        let versions = self.versions(key)?;
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
        let found = self.keys.get(key);
        Ok(found.and_then(|(key, versions)| entry_at(key, versions, at)))
    }

    /// Lists entries; `known` is the number of entries from the start on, if already counted.
    pub(crate) fn list(&self, list: &List<'_>, known: Option<u64>) -> Result<Page, Error> {
        let at = self.resolve(list.at)?;
        let start = list.start.map_or(list.prefix, |start| start.max(list.prefix));
        // The map counts what exists with all writes, even those that are not visible yet.
        let visit = if at >= self.staged {
            Visit::Counting
        } else {
            Visit::All
        };
        let keys = self.keys.under(list.prefix, start, visit);
        let mut found = keys.filter_map(|(key, versions)| {
            let version = upto(versions, at).last()?;
            Some((key, version, version.value.as_ref()?))
        });
        let limit = if list.limit == 0 { usize::MAX } else { list.limit };
        let (mut entries, mut visited) = (Vec::with_capacity(limit.min(SOME)), 0);
        for (key, version, value) in found.by_ref().take(limit) {
            visited += 1;
            if visited == limit || list.keep.is_none_or(|Keep(is_kept)| is_kept(value)) {
                entries.extend(version.entry(key));
            }
        }
        let last = entries.last().filter(|_| visited == limit);
        let remaining = match (last, known) {
            (None, _) => 0,
            (_, Some(known)) => known.saturating_sub(visited as u64),
            (Some(last), None) if list.counts => self.count_after(&last.key, list.prefix, at),
            _ => found.next().is_some().into(),
        };
        Ok(Page {
            entries,
            revision: at,
            remaining,
        })
    }

    /// Counts the entries under a prefix at a revision, after a key under that prefix.
    fn count_after(&self, key: &[u8], prefix: &[u8], at: u64) -> u64 {
        let after = [key, &[0]].concat();
        let end = end_of(prefix);
        let until = end.map_or_else(|| self.keys.count(), |end| self.keys.rank(&end));
        let mut count = until - self.keys.rank(&after);
        let first = self.log.partition_point(|(revision, _)| *revision <= at);
        let writes = self.log.range(first..);
        // Counting backwards through more writes than there are entries would take longer.
        if writes.len() > count + MANY {
            let keys = self.keys.under(prefix, &after, Visit::All);
            return keys.filter(|(_, versions)| exists(upto(versions, at))).count() as u64;
        }
        for (revision, key) in writes {
            if !key.starts_with(prefix) || **key < *after {
                continue;
            }
            let versions = self.versions(key).map_or(&[][..], Vec::as_slice);
            let before = upto(versions, at);
            // The first write of a key after the revision stands for all of them.
            if versions
                .get(before.len())
                .is_some_and(|next| next.revision == *revision)
            {
                count = count + usize::from(exists(before)) - usize::from(exists(versions));
            }
        }
        count as u64
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
            let Some(versions) = self.versions(key) else {
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
            let size = &mut self.size;
            self.keys.change(&key, &mut |versions| {
                let old = upto(versions, to).len();
                let deleted = old > 0 && versions[old - 1].value.is_none();
                let gone = versions.drain(..if deleted { old } else { old.saturating_sub(1) });
                let gone: usize = gone.map(|version| version.size(&key)).sum();
                size.all -= gone;
                size.old -= gone;
                if versions.capacity() > 2 * versions.len() {
                    versions.shrink_to_fit();
                }
            });
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

    fn versions(&self, key: &[u8]) -> Option<&Vec<Version>> {
        self.keys.get(key).map(|(_, versions)| versions)
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

    fn staged(&self, key: &Key) -> Staged {
        Staged {
            revision: self.revision,
            key: Arc::clone(key),
            value: self.value.clone(),
            expires: self.expires,
        }
    }

    fn entry(&self, key: &Key) -> Option<Entry> {
        let value = self.value.clone()?;
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

fn entry_at(key: &Key, versions: &[Version], at: u64) -> Option<Entry> {
    upto(versions, at).last()?.entry(key)
}

impl Ranking for Vec<Version> {
    fn counts(&self) -> bool {
        exists(self)
    }

    fn is_empty(&self) -> bool {
        Vec::is_empty(self)
    }
}

/// Whether the last of some versions is not a deletion.
fn exists(versions: &[Version]) -> bool {
    versions.last().is_some_and(|version| version.value.is_some())
}

/// Returns the first key after all keys with a prefix, if there is one.
fn end_of(prefix: &[u8]) -> Option<Vec<u8>> {
    let last = prefix.iter().rposition(|&byte| byte < u8::MAX)?;
    let mut end = prefix[..=last].to_vec();
    end[last] += 1;
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranked::tests::VISITED;

    fn filled(count: u32) -> History {
        let mut history = History::default();
        for number in 0..count {
            let key = format!("/registry/maps/{:03}/{number:07}", number % 7);
            history
                .stage(key.as_bytes(), Some(b"value"[..].into()), 0, 0)
                .expect("a new key");
        }
        let staged = history.staged;
        history.publish(staged).for_each(drop);
        history
    }

    /// Reads a list in pages; returns how many entries were visited for the first and the most for any.
    fn visited(history: &History, at: Option<u64>, limit: usize) -> (usize, usize) {
        let (mut start, mut first, mut most, mut found) = (None, 0, 0, Vec::new());
        let of = List::of(b"/registry/maps/");
        let all = history.list(&List { at, ..of }, None).expect("a list").entries;
        loop {
            VISITED.set(0);
            let list = List {
                start: start.as_deref(),
                limit,
                at,
                ..of
            };
            let page = history.list(&list, None).expect("a page");
            let visited = VISITED.get();
            first = if found.is_empty() { visited } else { first };
            most = most.max(visited);
            found.extend(page.entries.clone());
            assert_eq!(page.remaining as usize, all.len() - found.len());
            start = page.next();
            if start.is_none() {
                assert_eq!(found, all);
                return (first, most);
            }
        }
    }

    #[test]
    fn a_page_visits_only_its_own_entries() {
        for count in [1_000, 10_000, 60_000] {
            let (first, most) = visited(&filled(count), None, 500);
            assert!(first < 550 && most < 550, "{count}: {first}, {most}");
        }
    }

    #[test]
    fn a_page_passes_over_deleted_entries_and_later_writes() {
        let mut history = filled(20_000);
        let before = history.visible;
        let all = history
            .list(&List::of(b"/registry/"), None)
            .expect("a list")
            .entries;
        for entry in &all[..9_000] {
            let modified = entry.modified;
            history.stage(&entry.key, None, modified, 0).expect("it is there");
        }
        history
            .stage(b"/registry/maps/000/a", Some(b"value"[..].into()), 0, 0)
            .expect("a new key");
        let (unpublished, _) = visited(&history, None, 500);
        assert!(unpublished < 550, "{unpublished}");
        let staged = history.staged;
        history.publish(staged).for_each(drop);
        let (first, most) = visited(&history, None, 500);
        assert!(first < 1_000 && most < 1_000, "{first}, {most}");
        let (old, _) = visited(&history, Some(before), 500);
        assert!(old < 550, "{old}");
    }
}
