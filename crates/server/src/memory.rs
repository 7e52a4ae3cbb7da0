//! A bound on the memory that headers, bodies and answers of all requests take together.

use std::sync::Arc;
use std::time::Duration;

use crate::fairness::{Seat, Seats};

/// The unit of account.
const KILOBYTE: usize = 1024;

/// The memory for bodies, or for answers.
#[derive(Debug, Clone)]
pub(crate) struct Memory {
    units: Arc<Seats>,
    kilobytes: usize,
}

/// A part of it; returned when dropped.
pub(crate) type Share = Seat;

impl Memory {
    /// Memory that clients share fairly. Requests wait for as long as `patience` for room.
    pub(crate) fn new(bytes: usize, patience: Duration) -> Self {
        let kilobytes = (bytes / KILOBYTE).max(1);
        Memory {
            units: Seats::pool(kilobytes, patience),
            kilobytes,
        }
    }

    /// Memory for unauthenticated clients.
    pub(crate) fn of_strangers(bytes: usize, patience: Duration) -> Self {
        let kilobytes = (bytes / KILOBYTE).max(1);
        Memory {
            units: Seats::shared_pool(kilobytes, patience),
            kilobytes,
        }
    }

    /// Room for some bytes; `None` if it does not become free in time. A request for more than all memory gets all of it.
    pub(crate) async fn take(&self, client: &str, bytes: usize) -> Option<Share> {
        self.units.take_many(client, self.kilobytes(bytes)).await
    }

    /// The same, if it is free now.
    pub(crate) fn try_take(&self, client: &str, bytes: usize) -> Option<Share> {
        self.units.try_take(client, self.kilobytes(bytes))
    }

    fn kilobytes(&self, bytes: usize) -> usize {
        bytes.div_ceil(KILOBYTE).min(self.kilobytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn memory_is_bounded_and_returned() {
        let memory = Memory::new(10 * KILOBYTE, Duration::from_secs(1));
        let share = memory.take("a", 8 * KILOBYTE).await.expect("it is free");
        assert!(memory.take("b", 3 * KILOBYTE).await.is_none());
        assert!(memory.take("b", 2 * KILOBYTE).await.is_some());
        assert!(memory.try_take("b", 3 * KILOBYTE).is_none());
        assert!(memory.try_take("b", 2 * KILOBYTE).is_some());
        assert!(memory.try_take("a", KILOBYTE).is_none(), "it has its share");
        drop(share);
        let all = memory.take("a", usize::MAX).await;
        assert!(all.is_some());
    }

    #[test]
    fn strangers_are_all_the_same() {
        let memory = Memory::of_strangers(10 * KILOBYTE, Duration::from_secs(1));
        let _half = memory.try_take("", 5 * KILOBYTE);
        assert!(memory.try_take("", 5 * KILOBYTE).is_some());
    }
}
