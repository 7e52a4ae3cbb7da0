//! Keeps the copy up to date as long as the store is open: loads it, follows events, starts again when the
//! stream breaks. Must not know the meaning of events.

use std::sync::Arc;

use tokio::time::sleep;

use super::cache::{Cache, everything};
use super::client::Backoff;
use super::failure::Failure;
use super::proto::{Event, WatchResponse};

/// State that one stream leaves for the next.
struct State {
    /// The copy cannot be continued.
    stale: bool,
    backoff: Backoff,
}

/// Follows a loaded copy. Never returns.
pub(super) async fn follow(cache: Arc<Cache>) {
    let mut state = State {
        stale: false,
        backoff: Backoff::default(),
    };
    loop {
        let member = cache.client.current();
        if stream(&cache, &mut state).await.is_err() && !state.stale {
            cache.client.leave(member);
        }
        sleep(state.backoff.next()).await;
    }
}

/// Follows one stream until it breaks.
async fn stream(cache: &Cache, state: &mut State) -> Result<(), Failure> {
    let header = cache.ask_header(cache.options.read_timeout).await?;
    // In an etcd restored from a backup, or in another one, our data never existed.
    if state.stale || !cache.is_ours(&header).await? {
        cache.load(&header).await?;
        state.stale = false;
    }
    let mut stream = cache.client.watch(everything(cache.live.revision() + 1)).await?;
    let mut events = Vec::new();
    while let Some(response) = stream.next::<WatchResponse>().await? {
        if response.canceled {
            state.stale = response.compact_revision > 0;
            return Err(Failure::lost(response.cancel_reason));
        }
        state.backoff.reset();
        events.extend(response.events);
        let end = if response.fragment {
            last_revision(&events)
        } else {
            events.len()
        };
        if end > 0 {
            let rest = events.split_off(end);
            cache.absorb(std::mem::replace(&mut events, rest));
        }
    }
    Err(Failure::lost("the stream of events ended"))
}

/// Where the events of the last revision begin, which may go on in the next response.
fn last_revision(events: &[Event]) -> usize {
    let revision = |event: &Event| event.kv.as_ref().map(|kv| kv.mod_revision);
    let last = events.last().and_then(revision);
    let before = events.iter().rposition(|event| revision(event) != last);
    before.map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::etcd::proto::KeyValue;

    #[test]
    fn the_last_revision_waits_for_what_follows() {
        let cases: [(&[i64], usize); 5] = [
            (&[], 0),
            (&[7], 0),
            (&[7, 7], 0),
            (&[6, 7, 7], 1),
            (&[5, 5, 6, 7], 3),
        ];
        for (revisions, expected) in cases {
            let of = |&mod_revision: &i64| Event {
                kind: 0,
                kv: Some(KeyValue {
                    mod_revision,
                    ..KeyValue::default()
                }),
            };
            let events: Vec<Event> = revisions.iter().map(of).collect();
            assert_eq!(last_revision(&events), expected, "{revisions:?}");
        }
    }
}
