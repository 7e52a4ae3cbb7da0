//! The machine's clock and randomness, and signatures.

use std::cell::RefCell;
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use kindsmith_api::{Environment, Time};
use kindsmith_request::Signature;

use crate::signature;

/// The machine's clock and randomness.
#[derive(Debug, Clone, Copy, Default)]
pub struct System;

/// How many random bytes are asked for at once: identifiers have 16, and asking for them is a system call. The system gives
/// up to 256 bytes without interruption.
const STOCKED: usize = 256;

thread_local! {
    static STOCK: RefCell<Stock> = const { RefCell::new(Stock { bytes: [0; STOCKED], left: 0 }) };
}

/// Random bytes that nobody has seen yet.
struct Stock {
    bytes: [u8; STOCKED],
    left: usize,
}

impl Stock {
    /// Fills something with bytes that are used only there.
    fn take(&mut self, into: &mut [u8]) {
        let fill = |bytes: &mut [u8]| {
            getrandom::fill(bytes).expect("the operating system has randomness");
        };
        if into.len() > STOCKED / 4 {
            return fill(into);
        }
        if self.left < into.len() {
            fill(&mut self.bytes);
            self.left = STOCKED;
        }
        let taken = &mut self.bytes[self.left - into.len()..self.left];
        into.copy_from_slice(taken);
        taken.fill(0);
        self.left -= into.len();
    }
}

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
        STOCK.with_borrow_mut(|stock| stock.take(bytes));
    }

    fn verifies(&self, signature: &Signature<'_>) -> bool {
        signature::verifies(signature)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_bytes_are_given_once() {
        let mut seen = std::collections::HashSet::new();
        for length in [16, 64, 16, 65].repeat(100) {
            let mut bytes = vec![0; length];
            System.random(&mut bytes);
            assert!(seen.insert(bytes[length - 16..].to_vec()) && seen.insert(bytes[..8].to_vec()));
        }
    }

    #[test]
    fn the_steady_clock_starts_as_the_other_and_only_rises() {
        let first = System.steady();
        assert!((System.now().seconds - first.seconds).abs() < 60);
        assert!(System.steady() >= first);
    }
}
