//! What the caller provides: time, randomness and cryptography.

use std::sync::atomic::{AtomicU64, Ordering};

use kindsmith_gostd::hex;
use kindsmith_gostd::time::{Layout, Time as GoTime};
use kindsmith_json::Arena;
use kindsmith_request::{Signature, Stamp};

/// A point in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time {
    /// Seconds since 1970 in UTC.
    pub seconds: i64,
    /// Nanoseconds within the second.
    pub nanoseconds: u32,
}

impl Time {
    /// Nanoseconds since 1970.
    pub(crate) fn nanoseconds_since_1970(self) -> i128 {
        i128::from(self.seconds) * 1_000_000_000 + i128::from(self.nanoseconds)
    }
}

/// Where time and randomness come from.
pub trait Environment: Send + Sync {
    /// The current time.
    fn now(&self) -> Time;

    /// The time on a clock that is never set: for how long something took, and when something expires.
    fn steady(&self) -> Time {
        self.now()
    }

    /// Lets a moment pass, as long as Kubernetes needs to write an object and read it again.
    fn pause(&self) {}

    /// Fills a buffer with unpredictable random bytes.
    fn random(&self, bytes: &mut [u8]);

    /// Whether a signature is right; one that cannot be checked is.
    fn verifies(&self, signature: &Signature<'_>) -> bool {
        let _ = signature;
        true
    }
}

/// A clock that stands still, and bytes that only look random: what runs with it repeats exactly.
#[derive(Debug, Default)]
pub struct Still {
    seconds: i64,
    repeats: bool,
    drawn: AtomicU64,
}

impl Still {
    /// Stands at a time in seconds since 1970.
    #[must_use]
    pub fn at(seconds: i64) -> Self {
        Still {
            seconds,
            ..Still::default()
        }
    }

    /// Gives the same bytes every time, so that generated names are taken.
    #[must_use]
    pub fn repeating(self) -> Self {
        Still {
            repeats: true,
            ..self
        }
    }
}

impl Environment for Still {
    fn now(&self) -> Time {
        Time {
            seconds: self.seconds,
            nanoseconds: 0,
        }
    }

    fn random(&self, bytes: &mut [u8]) {
        if self.repeats {
            return bytes.fill(7);
        }
        for byte in bytes {
            let state = self.drawn.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
            *byte = (state.wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 56) as u8;
        }
    }
}

/// Identifiers made of random bytes.
pub(crate) struct Random<'r>(pub(crate) &'r dyn Environment);

/// Letters of generated names: no vowels, so that no words appear, and nothing easily confused (apimachinery's
/// pkg/util/rand).
const LETTERS: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";

impl Random<'_> {
    /// A version 4 UUID.
    pub(crate) fn uid(&self) -> String {
        let mut bytes = [0; 16];
        self.0.random(&mut bytes);
        hex::uuid(bytes)
    }

    /// Five characters for the end of a generated name.
    pub(crate) fn name_suffix(&self) -> String {
        let mut bytes = [0; 5];
        self.0.random(&mut bytes);
        let letters = bytes
            .iter()
            .map(|&byte| char::from(LETTERS[usize::from(byte) % LETTERS.len()]));
        letters.collect()
    }
}

/// The values that only the server sets: uid, creation time, generated name.
pub(crate) fn stamp<'a>(arena: &'a Arena, environment: &dyn Environment) -> Stamp<'a> {
    Stamp {
        uid: arena.alloc_str(&Random(environment).uid()),
        now: arena.alloc_str(&now(environment)),
        name_suffix: arena.alloc_str(&Random(environment).name_suffix()),
    }
}

/// The current time as in objects: RFC 3339 in UTC, to the second.
pub(crate) fn now(environment: &dyn Environment) -> String {
    let now = environment.now();
    GoTime::from_unix(now.seconds, 0).map_or_else(String::new, |time| time.format(Layout::Rfc3339))
}
