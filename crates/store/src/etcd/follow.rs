//! Keeps the copy up to date as long as the store is open: loads it, follows events, starts again when the
//! stream breaks. Must not know the meaning of events.

use std::sync::Arc;

use tokio::time::sleep;

use super::cache::{Cache, everything};
use super::client::Backoff;
use super::failure::Failure;
use super::proto::WatchResponse;

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
        if !response.fragment && !events.is_empty() {
            cache.absorb(std::mem::take(&mut events));
        }
    }
    Err(Failure::lost("the stream of events ended"))
}
