//! Compaction, coordinated between the servers of a cluster: one of them does it each time. Must not know the
//! copy.
//!
//! Follows kube-apiserver (`storage/etcd3/compact.go`), so that both can share an etcd: the version of one
//! key is a clock that all servers try to advance once per interval. The one that succeeds compacts to the
//! revision of the previous tick, so the last interval stays readable.

use std::sync::Arc;
use std::time::Duration;

use prost::bytes::Bytes;
use tokio::time::sleep;

use super::cache::{COMPACT_KEY, Cache, signed};
use super::client::Repeat;
use super::failure::Failure;
use super::proto::{
    COMPACT, CompactionRequest, Compare, Done, PutRequest, RangeRequest, RequestOp, TXN, TxnRequest,
    TxnResponse,
};

/// The state of a server's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock {
    /// The version of the key.
    time: i64,
    /// The revision at that time.
    revision: u64,
}

/// Never returns.
pub(super) async fn compact_every(cache: Arc<Cache>, interval: Duration) {
    let mut clock = Clock::default();
    loop {
        sleep(interval).await;
        // After a failure, the next tick here or on another server does the work.
        if let Ok(next) = tick(&cache, clock).await {
            clock = next;
        }
    }
}

/// Advances the clock if no other server has, and then compacts.
pub(super) async fn tick(cache: &Cache, clock: Clock) -> Result<Clock, Failure> {
    let key = Bytes::from_static(COMPACT_KEY);
    let put = PutRequest {
        key: key.clone(),
        value: clock.revision.to_string().into(),
        lease: 0,
    };
    let look = RangeRequest {
        key: key.clone(),
        ..RangeRequest::default()
    };
    let request = TxnRequest {
        compare: vec![Compare::times(key, clock.time)],
        success: vec![RequestOp {
            put: Some(put),
            ..RequestOp::default()
        }],
        failure: vec![RequestOp {
            range: Some(look),
            ..RequestOp::default()
        }],
    };
    let within = cache.options.write_timeout;
    let answer: TxnResponse = cache.client.call(TXN, &request, within, Repeat::Unsent).await?;
    let revision = answer.revision();
    if !answer.succeeded {
        let time = answer.found().map_or(0, |kv| kv.version);
        return Ok(Clock { time, revision });
    }
    let next = Clock {
        time: clock.time + 1,
        revision,
    };
    if clock.revision > 0 {
        compact(cache, clock.revision).await?;
    }
    Ok(next)
}

/// Compacts everything before a revision.
pub(super) async fn compact(cache: &Cache, to: u64) -> Result<(), Failure> {
    let request = CompactionRequest { revision: signed(to) };
    let within = cache.options.write_timeout;
    let done: Result<Done, _> = cache.client.call(COMPACT, &request, within, Repeat::Freely).await;
    match done {
        Ok(_) | Err(Failure::Compacted) => Ok(()),
        Err(failure) => Err(failure),
    }
}
