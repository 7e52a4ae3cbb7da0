//! How often a watch sends. Events that come faster share a write to the connection, which costs more than making them.

use std::time::Duration;

use tokio::time::Instant;

/// A watch that has used up its allowance sends this often.
const EVERY: Duration = Duration::from_millis(4);
/// How often it may send at once before, so that who waits for one event after the other does not wait for the clock.
const ALLOWANCE: u32 = 64;

/// When a watch may send. The rate of what it sends is bounded, the number of events is not.
#[derive(Debug)]
pub(crate) struct Pace {
    /// The moment at which all of the allowance is there again.
    full: Instant,
}

impl Pace {
    pub(crate) fn new() -> Self {
        Pace { full: Instant::now() }
    }

    /// The moment to wait for before the next write, if there is one.
    pub(crate) fn wait(&self) -> Option<Instant> {
        let next = self.full.checked_sub(EVERY * ALLOWANCE)?;
        (next > Instant::now()).then_some(next)
    }

    /// Counts a write.
    pub(crate) fn sent(&mut self) {
        self.full = self.full.max(Instant::now()) + EVERY;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_burst_is_sent_at_once_and_then_every_few_milliseconds() {
        let (mut pace, started) = (Pace::new(), Instant::now());
        for _ in 0..=ALLOWANCE {
            assert_eq!(pace.wait(), None);
            pace.sent();
        }
        for _ in 0..5 {
            tokio::time::sleep_until(pace.wait().expect("the allowance is used up")).await;
            pace.sent();
        }
        assert_eq!(started.elapsed(), EVERY * 5);
    }

    #[tokio::test(start_paused = true)]
    async fn a_pause_gives_the_allowance_back() {
        let mut pace = Pace::new();
        (0..500).for_each(|_| pace.sent());
        tokio::time::sleep(EVERY * 500).await;
        for _ in 0..=ALLOWANCE {
            assert_eq!(pace.wait(), None);
            pace.sent();
        }
        assert!(pace.wait().is_some());
    }
}
