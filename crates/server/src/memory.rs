//! A bound on the memory that headers, bodies and answers of all requests take together.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The unit of account.
const KILOBYTE: usize = 1024;

/// The memory for bodies and answers.
#[derive(Debug, Clone)]
pub(crate) struct Memory {
    free: Arc<Semaphore>,
    kilobytes: u32,
    patience: Duration,
}

/// A part of it; returned when dropped.
pub(crate) type Share = OwnedSemaphorePermit;

impl Memory {
    /// Requests wait for as long as `patience` for room.
    pub(crate) fn new(bytes: usize, patience: Duration) -> Self {
        let kilobytes = u32::try_from(bytes / KILOBYTE).unwrap_or(u32::MAX).max(1);
        Memory {
            free: Arc::new(Semaphore::new(kilobytes as usize)),
            kilobytes,
            patience,
        }
    }

    /// Room for some bytes; `None` if there is none in time. What is larger than all memory takes all of it.
    pub(crate) async fn take(&self, bytes: usize) -> Option<Share> {
        let kilobytes = u32::try_from(bytes.div_ceil(KILOBYTE)).unwrap_or(u32::MAX);
        let wanted = Arc::clone(&self.free).acquire_many_owned(kilobytes.min(self.kilobytes));
        tokio::time::timeout(self.patience, wanted).await.ok()?.ok()
    }

    /// The same, if it is free now.
    pub(crate) fn try_take(&self, bytes: usize) -> Option<Share> {
        let kilobytes = u32::try_from(bytes.div_ceil(KILOBYTE)).unwrap_or(u32::MAX);
        let free = Arc::clone(&self.free);
        free.try_acquire_many_owned(kilobytes.min(self.kilobytes)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn memory_is_bounded_and_returned() {
        let memory = Memory::new(10 * KILOBYTE, Duration::from_secs(1));
        let share = memory.take(8 * KILOBYTE).await.expect("it is free");
        assert!(memory.take(3 * KILOBYTE).await.is_none());
        assert!(memory.take(2 * KILOBYTE).await.is_some());
        assert!(memory.try_take(3 * KILOBYTE).is_none());
        assert!(memory.try_take(2 * KILOBYTE).is_some());
        drop(share);
        let all = memory.take(usize::MAX).await;
        assert!(all.is_some());
    }
}
