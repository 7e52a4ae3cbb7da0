//! Rate limit for requests to a service.

use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::http::{Http, HttpError, Request, Response};

/// Delays requests beyond the rate limit.
#[derive(Debug)]
pub struct Limited<H> {
    http: H,
    /// Time per request at the allowed rate.
    cost: Duration,
    /// How many requests may be sent at once after a pause.
    burst: u32,
    /// The time up to which the allowed requests are used.
    used: Mutex<Instant>,
}

impl<H: Http> Limited<H> {
    /// Allows this many requests per second on average, and `burst` at once.
    pub fn new(http: H, per_second: u32, burst: u32) -> Self {
        Limited {
            http,
            cost: Duration::from_secs(1) / per_second.max(1),
            burst: burst.max(1),
            used: Mutex::new(Instant::now()),
        }
    }

    async fn turn(&self) {
        let mut used = self.used.lock().await;
        let now = Instant::now();
        let earliest = now.checked_sub(self.cost * self.burst).unwrap_or(now);
        *used = (*used).max(earliest) + self.cost;
        let turn = *used;
        drop(used);
        tokio::time::sleep_until(turn).await;
    }
}

impl<H: Http> Http for Limited<H> {
    async fn send(&self, request: Request) -> Result<Response, HttpError> {
        self.turn().await;
        self.http.send(request).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nothing;

    impl Http for Nothing {
        async fn send(&self, _: Request) -> Result<Response, HttpError> {
            Err(HttpError(String::new()))
        }
    }

    #[test]
    fn requests_beyond_the_burst_wait() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build();
        runtime.expect("a runtime starts").block_on(async {
            let limited = Limited::new(Nothing, 10, 5);
            tokio::time::advance(Duration::from_mins(1)).await;
            let start = Instant::now();
            for _ in 0..25 {
                limited.turn().await;
            }
            let took = start.elapsed();
            assert!(
                (Duration::from_millis(1900)..=Duration::from_millis(2100)).contains(&took),
                "{took:?}"
            );
        });
    }
}
