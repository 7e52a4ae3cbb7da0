//! What the API cannot know by itself.

/// A point in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time {
    /// Seconds since 1970 in UTC.
    pub seconds: i64,
    /// Nanoseconds since then.
    pub nanoseconds: u32,
}

/// Where time and randomness come from.
pub trait Ambient: Send + Sync {
    /// What time it is.
    fn now(&self) -> Time;

    /// Fills a buffer with random bytes that nobody can foresee.
    fn random(&self, bytes: &mut [u8]);
}
