//! A copy of etcd's data, kept up to date by one stream of events. Must not know its readers.
//!
//! The stream covers the whole key space, even keys of others: every revision is then seen as an event, so
//! the copy's revision is known without asking etcd how far the stream is. Asking is not reliable before etcd
//! 3.4.31 and 3.5.13, whose answers can be ahead of events that are still to be sent.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use prost::bytes::Bytes;
use tokio::sync::oneshot;
use tokio::time::{timeout, timeout_at};

use super::client::{Client, Repeat};
use super::failure::Failure;
use super::options::EtcdOptions;
use super::proto::{Event, Header, KeyValue, RANGE, RangeRequest, RangeResponse, WatchCreate, WatchResponse};
use crate::history::{FIRST, History, Staged};
use crate::live::Live;
use crate::{Bytes as Value, Error};

/// The key that all servers of a cluster, including kube-apiserver, use to coordinate compaction.
pub(super) const COMPACT_KEY: &[u8] = b"compact_rev_key";
/// Entries of the first response while loading, and of any that follows one which came slowly.
const PAGE: i64 = 500;
/// The most entries per response. etcd counts all keys up to the end for each response, so loading a million of them in small
/// pieces takes minutes; kube-apiserver asks for as many.
const MOST: i64 = 10_000;
/// How many bytes a response should have at most.
const PAGE_BYTES: usize = 16 << 20;
/// The number of revisions kept if nobody compacts; dropped when there are twice as many.
const KEPT: u64 = 100_000;

/// The copy and the connection to etcd.
#[derive(Debug)]
pub(super) struct Cache {
    pub(super) client: Client,
    pub(super) live: Live,
    pub(super) options: EtcdOptions,
    /// The cluster that the copy is of; 0 before it is loaded.
    cluster: AtomicU64,
    /// Who waits for the copy to advance.
    waiting: Mutex<Vec<Waiter>>,
    /// The values that are being written here: their events need not copy them again.
    expected: Mutex<HashMap<Box<[u8]>, Value>>,
}

/// Somebody who waits for a revision.
#[derive(Debug)]
struct Waiter {
    revision: u64,
    reached: oneshot::Sender<()>,
}

impl Cache {
    pub(super) fn new(client: Client, options: EtcdOptions) -> Self {
        Self {
            client,
            live: Live::new(History::default(), options.limits),
            options,
            cluster: AtomicU64::new(0),
            waiting: Mutex::default(),
            expected: Mutex::default(),
        }
    }

    /// Waits until the copy has reached a revision. Returns whether it has.
    pub(super) async fn reach(&self, revision: u64, deadline: Instant) -> bool {
        let (reached, reaches) = oneshot::channel();
        {
            let mut waiting = self.waiting();
            // Whoever advances the copy looks for waiters afterwards.
            if self.live.revision() >= revision {
                return true;
            }
            waiting.push(Waiter { revision, reached });
        }
        matches!(timeout_at(deadline.into(), reaches).await, Ok(Ok(())))
    }

    /// Tells those who wait for a revision that is reached, and forgets those who have given up. Others would only look and
    /// wait again: with 16 writers each event woke all of them.
    fn rise(&self) {
        let now = self.live.revision();
        let is_over = |waiter: &mut Waiter| waiter.revision <= now || waiter.reached.is_closed();
        let over: Vec<Waiter> = self.waiting().extract_if(.., is_over).collect();
        for waiter in over {
            // It may just have given up.
            let _ = waiter.reached.send(());
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<Waiter>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a value that is about to be written, for its event.
    pub(super) fn expect(&self, key: &[u8], value: Value) {
        self.expected().insert(key.into(), value);
    }

    /// Forgets a value whose event has come, or does not come.
    pub(super) fn expect_no_more(&self, key: &[u8]) {
        self.expected().remove(key);
    }

    fn expected(&self) -> MutexGuard<'_, HashMap<Box<[u8]>, Value>> {
        self.expected.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The value of an event: the one that was written here, with its note, if it is the same.
    fn value_of(&self, kv: &KeyValue) -> Value {
        let known = self.expected().get(&*kv.key).cloned();
        let known = known.filter(|known| **known == *kv.value);
        known.unwrap_or_else(|| kv.value[..].into())
    }

    /// Asks the cluster for its revision: every write that has returned anywhere is at or below it.
    pub(super) async fn ask(&self, within: Duration) -> Result<u64, Failure> {
        let (cluster, known) = (
            self.ask_header(within).await?,
            self.cluster.load(Ordering::Acquire),
        );
        if known == 0 || cluster.cluster_id == known {
            Ok(revision_of(cluster.revision))
        } else {
            Err(Failure::lost(
                "etcd: another cluster answers; its entries are being read",
            ))
        }
    }

    /// Asks a member who it is and what its revision is.
    pub(super) async fn ask_header(&self, within: Duration) -> Result<Header, Failure> {
        // Just one key, because etcd counts its results.
        let request = RangeRequest {
            key: Bytes::from_static(COMPACT_KEY),
            count_only: true,
            ..RangeRequest::default()
        };
        let answer: RangeResponse = self.client.call(RANGE, &request, within, Repeat::Freely).await?;
        answer
            .header
            .ok_or_else(|| Failure::lost("etcd: an answer has no header"))
    }

    /// Whether what answers has the history of the copy: it may be another cluster, or one that lost its data.
    pub(super) async fn is_ours(&self, header: &Header) -> Result<bool, Failure> {
        let known = self.cluster.load(Ordering::Acquire);
        let reached = self.live.revision();
        if (known != 0 && known != header.cluster_id) || revision_of(header.revision) < reached {
            return Ok(false);
        }
        let Some(newest) = self.live.newest() else {
            return Ok(true);
        };
        let request = RangeRequest {
            key: Bytes::copy_from_slice(&newest.key),
            revision: signed(reached),
            ..RangeRequest::default()
        };
        let within = self.options.read_timeout;
        let answer: Result<RangeResponse, _> =
            self.client.call(RANGE, &request, within, Repeat::Freely).await;
        match answer {
            Ok(answer) => {
                let there = answer.kvs.first().map(|kv| revision_of(kv.mod_revision));
                Ok(there == Some(newest.modified))
            }
            // The stream of events will say so too.
            Err(Failure::Compacted) => Ok(true),
            Err(failure) => Err(failure),
        }
    }

    /// Loads a new copy, as old as possible, and tells watchers of the old one to start again.
    pub(super) async fn load(&self, header: &Header) -> Result<(), Failure> {
        let current = revision_of(header.revision);
        let mut from = current.saturating_sub(self.options.history).max(FIRST);
        let entries = loop {
            match self.snapshot(from).await {
                Ok(entries) => break entries,
                Err(Failure::Compacted) => {
                    let oldest = timeout(self.options.open_timeout, self.oldest(from)).await;
                    from = oldest.unwrap_or_else(|_| Err(Failure::lost("etcd: no answer in time")))?;
                }
                Err(failure) => return Err(failure),
            }
        };
        let history = restore(entries, from);
        self.live.reset(history);
        self.cluster.store(header.cluster_id, Ordering::Release);
        self.rise();
        Ok(())
    }

    async fn snapshot(&self, at: u64) -> Result<Vec<KeyValue>, Failure> {
        let (mut key, range_end) = range(&self.options.prefix);
        let mut entries: Vec<KeyValue> = Vec::new();
        let (mut limit, within) = (PAGE, self.options.open_timeout);
        loop {
            let request = RangeRequest {
                key: key.clone(),
                range_end: range_end.clone(),
                limit,
                revision: signed(at),
                ..RangeRequest::default()
            };
            // A large page that does not come is not made for us again and again.
            let repeat = if limit > PAGE {
                Repeat::Unsent
            } else {
                Repeat::Freely
            };
            let asked = Instant::now();
            let page: RangeResponse = match self.client.call(RANGE, &request, within, repeat).await {
                Ok(page) => page,
                Err(failure) if failure.is_passing() && limit > PAGE => {
                    limit = PAGE;
                    continue;
                }
                Err(failure) => return Err(failure),
            };
            let bytes = page.kvs.iter().map(|kv| kv.value.len()).sum();
            limit = next_limit(limit, bytes, asked.elapsed() < within / 4);
            entries.extend(page.kvs);
            match entries.last().filter(|_| page.more) {
                Some(last) => key = [&last.key[..], &[0]].concat().into(),
                None => return Ok(entries),
            }
        }
    }

    /// Finds the oldest readable revision, which etcd reports only to a watch that starts before it.
    async fn oldest(&self, before: u64) -> Result<u64, Failure> {
        let mut stream = self.client.watch(everything(before)).await?;
        let ended = || Failure::lost("etcd does not say what is compacted");
        while let Some(response) = stream.next::<WatchResponse>().await? {
            if response.canceled {
                let oldest = revision_of(response.compact_revision);
                return if oldest > before { Ok(oldest) } else { Err(ended()) };
            }
        }
        Err(ended())
    }

    /// Applies events. Those of one revision come together.
    pub(super) fn absorb(&self, events: Vec<Event>) {
        let seen = self.live.revision();
        let (mut to, mut floor) = (seen, 0);
        let mut writes = Vec::with_capacity(events.len());
        for event in events {
            let Some(kv) = event.kv else { continue };
            let revision = revision_of(kv.mod_revision);
            if revision <= seen {
                continue;
            }
            to = to.max(revision);
            if *kv.key == *COMPACT_KEY {
                floor = compacted_by(&kv.value);
            } else if kv.key.starts_with(&self.options.prefix) {
                let value = (event.kind == 0).then(|| self.value_of(&kv));
                writes.push(staged(&kv, value));
            }
        }
        self.live.absorb(&writes, to);
        if to.saturating_sub(self.live.compacted()) > 2 * KEPT {
            floor = floor.max(to - KEPT);
        }
        if let Some(overfull) = self.live.overfull() {
            floor = floor.max(overfull);
        }
        if floor > 0 {
            self.live.compact(floor.min(to));
        }
        self.rise();
    }

    /// Ends all watches.
    pub(super) fn close(&self) {
        self.live.end(&Error::Closed);
    }
}

/// How many entries to ask for after a response of so many bytes to a request for `limit` of them.
fn next_limit(limit: i64, bytes: usize, is_quick: bool) -> i64 {
    let wanted = if is_quick && bytes <= PAGE_BYTES / 2 {
        limit * 2
    } else if is_quick && bytes <= PAGE_BYTES {
        limit
    } else {
        limit / 2
    };
    wanted.clamp(PAGE, MOST)
}

fn compacted_by(value: &[u8]) -> u64 {
    let text = std::str::from_utf8(value).unwrap_or_default();
    text.parse().unwrap_or(0)
}

fn staged(kv: &KeyValue, value: Option<Value>) -> Staged {
    Staged {
        revision: revision_of(kv.mod_revision),
        key: kv.key[..].into(),
        value,
        // etcd itself handles the lease.
        expires: 0,
    }
}

/// Creates the history of a store that was compacted at a revision.
fn restore(mut entries: Vec<KeyValue>, at: u64) -> History {
    entries.retain(|kv| *kv.key != *COMPACT_KEY);
    entries.sort_unstable_by_key(|kv| kv.mod_revision);
    let mut history = History::default();
    for kv in &entries {
        history.append(&staged(kv, Some(kv.value[..].into())));
    }
    history.settle_at(at);
    history
}

/// All keys, from a revision on.
pub(super) fn everything(from: u64) -> WatchCreate {
    let (key, range_end) = range(b"");
    WatchCreate {
        key,
        range_end,
        start_revision: signed(from),
        fragment: true,
    }
}

/// Returns etcd's range for a prefix: an end of one zero byte means no end.
fn range(prefix: &[u8]) -> (Bytes, Bytes) {
    let start = if prefix.is_empty() { &[0][..] } else { prefix };
    let mut end = prefix.to_vec();
    while end.pop_if(|byte| *byte == u8::MAX).is_some() {}
    match end.last_mut() {
        Some(last) => *last += 1,
        None => end.push(0),
    }
    (Bytes::copy_from_slice(start), end.into())
}

/// etcd's revisions are never negative.
pub(super) fn revision_of(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// A revision that etcd cannot have reached is capped to its maximum.
pub(super) fn signed(revision: u64) -> i64 {
    i64::try_from(revision).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_prefixes() {
        let cases: [(&[u8], &[u8], &[u8]); 4] = [
            (b"", b"\0", b"\0"),
            (b"/registry/", b"/registry/", b"/registry0"),
            (b"a\xff", b"a\xff", b"b"),
            (b"\xff\xff", b"\xff\xff", b"\0"),
        ];
        for (prefix, start, end) in cases {
            let (key, range_end) = range(prefix);
            assert_eq!((&key[..], &range_end[..]), (start, end));
        }
    }

    #[test]
    fn pages_grow_while_they_come_quickly_and_are_small() {
        let cases = [
            (PAGE, 0, true, 2 * PAGE),
            (8_000, PAGE_BYTES / 2, true, MOST),
            (MOST, 1, true, MOST),
            (4_000, PAGE_BYTES, true, 4_000),
            (4_000, PAGE_BYTES + 1, true, 2_000),
            (4_000, 1, false, 2_000),
            (PAGE, usize::MAX, false, PAGE),
        ];
        for (limit, bytes, is_quick, expected) in cases {
            assert_eq!(
                next_limit(limit, bytes, is_quick),
                expected,
                "{limit} {bytes} {is_quick}"
            );
        }
    }
}
