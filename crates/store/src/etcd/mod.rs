//! The store in a real etcd, version 3, shared with other servers. Must not know the stored data.
//!
//! # Reads
//!
//! Reads are served from a copy of all entries that one stream of events keeps up to date ([`cache`]). To see
//! every write that has returned anywhere, a read of the newest state first asks the cluster for its
//! revision, which takes one round trip that concurrent readers share ([`readers`]), and waits until the copy
//! reaches it. Who reads only what [`Store::caught_up`] vouches for needs no thread that waits. Reads at a revision that the copy has reached need no round trip.
//!
//! # Writes
//!
//! A write is one transaction that compares the revision of the key's last write. It returns when it is in
//! the copy too, so that the watchers of this server have its event. If the connection breaks before the
//! response, the outcome is unknown: [`Error::Unknown`]. A write is retried only if it was not sent.
//!
//! # Talking to etcd
//!
//! One connection to one member carries all requests and the stream of events, so that an event and the answer to its write often
//! come together. It is driven by a thread of its own ([`worker`]), on which requests wait for the answer and for their
//! events, so that the thread of a caller is woken once.
//!
//! # Trouble
//!
//! While the cluster cannot be reached, or has no leader, reads of the newest state and writes fail with
//! [`Error::Unavailable`] within the timeouts of [`EtcdOptions`]; old revisions can be read, and watches
//! continue and miss nothing once the stream is back. If their missing events are compacted by then, they end
//! with [`Error::Compacted`].

#![allow(clippy::disallowed_methods, reason = "the store in etcd")]

mod cache;
mod client;
mod compaction;
mod connection;
mod failure;
mod follow;
mod grpc;
mod lease;
mod options;
mod probe;
mod proto;
mod readers;
#[cfg(test)]
mod tests;
mod unhurried;
mod worker;

use std::sync::Arc;
use std::time::{Duration, Instant};

pub use options::{EtcdOptions, EtcdTls};
use tokio::runtime::Handle;
use tokio::time::timeout_at;

use self::cache::{Cache, revision_of, signed};
use self::client::{Client, Repeat};
use self::failure::Failure;
use self::lease::Leases;
use self::proto::{
    Compare, DeleteRequest, KeyValue, PutRequest, RANGE, RangeRequest, RangeResponse, RequestOp, TXN,
    TxnRequest, TxnResponse,
};
use self::readers::Readers;
use self::worker::Worker;
use crate::{Bytes, CaughtUp, Entry, Error, List, Page, Store, Ttl, Watch};

/// How long a health check may take, as in kube-apiserver.
const HEALTH: Duration = Duration::from_secs(2);

/// A store in an etcd cluster, which other servers may use at the same time.
///
/// Entries under the prefix and their recent history are also in memory: they have to fit.
#[derive(Debug)]
pub struct Etcd {
    cache: Arc<Cache>,
    leases: Arc<Leases>,
    readers: Arc<Readers>,
    worker: Worker,
}

impl Etcd {
    /// Opens the store of a cluster, with its members given as `http://a:2379,b:2379`.
    pub fn open(endpoints: &str) -> Result<Self, Error> {
        Self::open_with(endpoints, EtcdOptions::default())
    }

    /// Opens a store with custom options.
    pub fn open_with(endpoints: &str, options: EtcdOptions) -> Result<Self, Error> {
        let worker = Worker::start()?;
        let (list, tls) = (endpoints.to_owned(), options.tls.clone());
        let client = worker.wait(async move { Client::new(&list, &tls) })??;
        let (open_timeout, compaction) = (options.open_timeout, options.compaction);
        let cache = Arc::new(Cache::new(client, options));
        let store = Self {
            cache: Arc::clone(&cache),
            leases: Arc::default(),
            readers: Arc::new(Readers::new(Arc::clone(&cache))),
            worker,
        };
        let loading = Arc::clone(&cache);
        let current = store.worker.wait(async move {
            let header = loading.ask_header(loading.options.open_timeout).await?;
            let loaded = loading.load(&header).await;
            loaded.map(|()| revision_of(header.revision))
        })?;
        let current = current.map_err(Failure::of_read)?;
        store.worker.spawn(follow::follow(Arc::clone(&cache)));
        if let Some(interval) = compaction {
            store
                .worker
                .spawn(compaction::compact_every(Arc::clone(&cache), interval));
        }
        // Each answer may take that long, and so may each of the newest events.
        let newest = async move {
            loop {
                let before = cache.live.revision();
                let deadline = Instant::now() + open_timeout;
                if cache.reach(current, deadline).await {
                    return true;
                }
                if cache.live.revision() == before {
                    return false;
                }
            }
        };
        if store.worker.wait(newest)? {
            Ok(store)
        } else {
            Err(Error::Unavailable(
                "etcd: its entries could not be read in time".into(),
            ))
        }
    }

    /// Waits until the copy has every write that has returned anywhere by now; returns the revision.
    fn catch_up(&self) -> Result<u64, Error> {
        self.catch_up_within(self.cache.options.read_timeout)
    }

    fn catch_up_within(&self, within: Duration) -> Result<u64, Error> {
        let deadline = Instant::now() + within;
        let readers = Arc::clone(&self.readers);
        self.worker.wait(async move {
            let caught_up = readers.catch_up(&Handle::current(), deadline);
            // The question under way may have more time than this reader, such as a health check.
            let in_time = timeout_at(deadline.into(), caught_up).await;
            in_time.unwrap_or_else(|_| Err(readers::late("no answer in time")))
        })?
    }

    /// Like `catch_up`, but returns at once for a revision that the copy already has.
    fn catch_up_to(&self, at: Option<u64>) -> Result<(), Error> {
        if at.is_none_or(|at| at > self.cache.live.revision()) {
            self.catch_up()?;
        }
        Ok(())
    }

    fn write(&self, key: &[u8], value: Option<Bytes>, expected: u64, ttl: u64) -> Result<u64, Error> {
        let cache = &self.cache;
        let size = key.len() + value.as_ref().map_or(0, |value| value.len());
        cache.live.check(key, value.as_deref().unwrap_or_default())?;
        if !key.starts_with(&cache.options.prefix) {
            return Err(Error::Unavailable(
                "the key is not below the store's prefix".into(),
            ));
        }
        if value.is_none() && expected == 0 {
            return Err(self.refused(key)?);
        }
        let deadline = Instant::now() + cache.options.write_timeout;
        let (task, leases) = (Arc::clone(cache), Arc::clone(&self.leases));
        if let Some(value) = &value {
            cache.expect(key, value.clone());
        }
        let write = Write::new(key, value, expected);
        let answer = self
            .worker
            .wait(async move { write.settle(&task, &leases, ttl, deadline).await });
        let answer = answer.inspect_err(|_| cache.expect_no_more(key))?;
        let limit = cache.options.limits.entry_bytes;
        let outcome = match answer {
            Err(failure) => Err(failure.of_write(size, limit)),
            Ok(answer) if !answer.succeeded => Err(Error::Conflict(answer.found().map(|kv| entry(&kv)))),
            Ok(answer) => Ok(answer.revision()),
        };
        cache.expect_no_more(key);
        outcome
    }

    /// Returns the conflict for deleting an absent key.
    fn refused(&self, key: &[u8]) -> Result<Error, Error> {
        let (cache, look) = (Arc::clone(&self.cache), look(key));
        let within = cache.options.read_timeout;
        let answer: Result<RangeResponse, _> = self
            .worker
            .wait(async move { cache.client.call(RANGE, &look, within, Repeat::Freely).await })?;
        let there = answer.map_err(Failure::of_read)?.kvs;
        Ok(Error::Conflict(there.first().map(entry)))
    }
}

impl Drop for Etcd {
    fn drop(&mut self) {
        self.cache.close();
    }
}

impl Store for Etcd {
    fn revision(&self) -> Result<u64, Error> {
        self.catch_up()
    }

    fn get(&self, key: &[u8], at: Option<u64>) -> Result<Option<Entry>, Error> {
        self.catch_up_to(at)?;
        self.cache.live.get(key, at)
    }

    fn list(&self, list: &List<'_>) -> Result<Page, Error> {
        self.catch_up_to(list.at)?;
        self.cache.live.list(list)
    }

    fn update(&self, key: &[u8], value: Bytes, expected: u64) -> Result<u64, Error> {
        self.write(key, Some(value), expected, 0)
    }

    fn update_with_ttl(&self, key: &[u8], value: Bytes, expected: u64, ttl: Ttl) -> Result<u64, Error> {
        self.write(key, Some(value), expected, ttl.seconds.max(1))
    }

    fn delete(&self, key: &[u8], expected: u64) -> Result<u64, Error> {
        self.write(key, None, expected, 0)
    }

    fn caught_up(&self) -> Option<CaughtUp> {
        let deadline = Instant::now() + self.cache.options.read_timeout;
        let caught_up = self.readers.catch_up(self.worker.handle(), deadline);
        Some(Box::pin(async move { caught_up.await.map(drop) }))
    }

    fn compact(&self, to: u64) -> Result<(), Error> {
        self.catch_up()?;
        if self.cache.live.superseded(to)?.is_none() {
            return Ok(());
        }
        let cache = Arc::clone(&self.cache);
        let done = self
            .worker
            .wait(async move { compaction::compact(&cache, to).await })?;
        done.map_err(Failure::of_read)?;
        self.cache.live.compact(to);
        Ok(())
    }

    fn watch(&self, prefix: &[u8], after: u64) -> Result<Watch, Error> {
        self.catch_up_to(Some(after))?;
        self.cache.live.watch(prefix, after)
    }

    fn health(&self) -> Result<(), Error> {
        self.catch_up_within(self.cache.options.read_timeout.min(HEALTH))
            .map(drop)
    }

    fn seen(&self) -> u64 {
        self.cache.live.revision()
    }

    fn get_seen(&self, key: &[u8]) -> Result<Option<Entry>, Error> {
        self.cache.live.get(key, None)
    }

    fn list_seen(&self, list: &List<'_>) -> Result<Page, Error> {
        self.cache.live.list(list)
    }

    fn is_remote(&self) -> bool {
        true
    }

    fn compacts_itself(&self) -> bool {
        self.cache.options.compaction.is_some()
    }
}

/// A write that may have to be sent again.
struct Write {
    key: prost::bytes::Bytes,
    value: Option<prost::bytes::Bytes>,
    expected: i64,
}

impl Write {
    fn new(key: &[u8], value: Option<Bytes>, expected: u64) -> Self {
        Self {
            key: prost::bytes::Bytes::copy_from_slice(key),
            value: value.map(prost::bytes::Bytes::from_owner),
            expected: signed(expected),
        }
    }

    /// Writes, and waits until the copy has what was written.
    async fn settle(
        &self,
        cache: &Cache,
        leases: &Leases,
        ttl: u64,
        deadline: Instant,
    ) -> Result<TxnResponse, Failure> {
        let answer = self.send(cache, leases, ttl).await?;
        if answer.succeeded {
            // The write has happened, whether or not its event arrives in time; reads wait for it again.
            cache.reach(answer.revision(), deadline).await;
        }
        Ok(answer)
    }

    async fn send(&self, cache: &Cache, leases: &Leases, ttl: u64) -> Result<TxnResponse, Failure> {
        let within = cache.options.write_timeout;
        let mut tries = 0;
        loop {
            let lease = match ttl {
                0 => 0,
                ttl => Box::pin(leases.lasting(cache, ttl)).await?,
            };
            let request = self.request(lease);
            match cache.client.call(TXN, &request, within, Repeat::Unsent).await {
                // The clock of a new leader may be ahead.
                Err(Failure::NoLease) if tries == 0 => leases.forget(lease),
                outcome => return outcome,
            }
            tries += 1;
        }
    }

    fn request(&self, lease: i64) -> TxnRequest {
        let key = self.key.clone();
        let operation = match &self.value {
            Some(value) => RequestOp {
                put: Some(PutRequest {
                    key: key.clone(),
                    value: value.clone(),
                    lease,
                }),
                ..RequestOp::default()
            },
            None => RequestOp {
                delete: Some(DeleteRequest { key: key.clone() }),
                ..RequestOp::default()
            },
        };
        TxnRequest {
            failure: vec![RequestOp {
                range: Some(look(&key)),
                ..RequestOp::default()
            }],
            compare: vec![Compare::modified(key, self.expected)],
            success: vec![operation],
        }
    }
}

fn look(key: &[u8]) -> RangeRequest {
    RangeRequest {
        key: prost::bytes::Bytes::copy_from_slice(key),
        ..RangeRequest::default()
    }
}

fn entry(kv: &KeyValue) -> Entry {
    Entry {
        key: kv.key[..].into(),
        value: kv.value[..].into(),
        modified: revision_of(kv.mod_revision),
    }
}
