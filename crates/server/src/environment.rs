//! The machine's clock and randomness, and signatures.

use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use kindsmith_api::{Environment, Time};
use kindsmith_request::Signature;

use crate::signature;

/// The machine's clock and randomness.
#[derive(Debug, Clone, Copy, Default)]
pub struct System;

/// How long kube-apiserver takes to write to etcd and to read what it wrote.
const ROUND_TRIP: Duration = Duration::from_millis(2);

impl Environment for System {
    fn now(&self) -> Time {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Time {
            seconds: i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
            nanoseconds: since.subsec_nanos(),
        }
    }

    fn steady(&self) -> Time {
        static START: OnceLock<(Time, Instant)> = OnceLock::new();
        let (start, since) = START.get_or_init(|| (self.now(), Instant::now()));
        let passed = since.elapsed() + Duration::from_nanos(start.nanoseconds.into());
        let seconds = i64::try_from(passed.as_secs()).unwrap_or(i64::MAX);
        Time {
            seconds: start.seconds.saturating_add(seconds),
            nanoseconds: passed.subsec_nanos(),
        }
    }

    fn pause(&self) {
        std::thread::sleep(ROUND_TRIP);
    }

    fn random(&self, bytes: &mut [u8]) {
        getrandom::fill(bytes).expect("the operating system has randomness");
    }

    fn verifies(&self, signature: &Signature<'_>) -> bool {
        signature::verifies(signature)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steady_clock_starts_as_the_other_and_only_rises() {
        let first = System.steady();
        assert!((System.now().seconds - first.seconds).abs() < 60);
        assert!(System.steady() >= first);
    }
}
