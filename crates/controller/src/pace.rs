//! When the next pass over an object is due. Pure: the caller passes a random number.

use std::fmt;
use std::time::Duration;

use crate::Json;

/// The annotation with the mean time between passes, in seconds.
pub(crate) const INTERVAL: &str = "cnrm.cloud.google.com/reconcile-interval-in-seconds";

/// Time between passes over an object that is up to date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// The mean time; `None` to wait until the object changes.
    pub mean: Option<Duration>,
}

/// An annotation with an interval that is not a number of seconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidInterval {
    /// The value of the annotation.
    pub value: String,
}

impl fmt::Display for InvalidInterval {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "annotation {INTERVAL}: {:?} is not a number of seconds",
            self.value
        )
    }
}

impl std::error::Error for InvalidInterval {}

impl Pace {
    /// The interval from the object's annotation, or the default.
    ///
    /// # Errors
    /// If the annotation is not a number of seconds.
    pub fn of(object: &Json, usual: Duration) -> Result<Self, InvalidInterval> {
        let Some(text) = object["metadata"]["annotations"]
            .get(INTERVAL)
            .and_then(Json::as_str)
        else {
            return Ok(Pace { mean: Some(usual) });
        };
        match text.trim().parse::<u32>() {
            Ok(0) => Ok(Pace { mean: None }),
            Ok(seconds) => Ok(Pace {
                mean: Some(Duration::from_secs(seconds.into())),
            }),
            Err(_) => Err(InvalidInterval {
                value: text.to_owned(),
            }),
        }
    }

    /// The time to the next pass: between 0.5 and 1.5 of the mean, so that many objects spread out. `dice` is between 0
    /// and 1.
    #[must_use]
    pub fn next(&self, dice: f64) -> Option<Duration> {
        self.mean.map(|mean| mean.mul_f64(0.5 + dice.clamp(0.0, 1.0)))
    }
}

/// Time to the next attempt after failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Backoff {
    failures: u32,
}

impl Backoff {
    /// The shortest wait.
    pub const FIRST: Duration = Duration::from_millis(250);
    /// The longest wait.
    pub const LAST: Duration = Duration::from_mins(2);

    /// The wait after one more failure.
    pub fn fail(&mut self) -> Duration {
        let wait = Self::FIRST.saturating_mul(1 << self.failures.min(16));
        self.failures = self.failures.saturating_add(1);
        wait.min(Self::LAST)
    }

    /// Resets after a success.
    pub fn reset(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn passes_spread_around_the_mean() {
        let usual = Duration::from_mins(10);
        let pace = |text: &str| Pace::of(&json!({"metadata": {"annotations": {INTERVAL: text}}}), usual);
        assert_eq!(
            Pace::of(&json!({}), usual).map(|pace| pace.next(0.0)),
            Ok(Some(usual / 2))
        );
        assert_eq!(
            pace("10").map(|pace| pace.next(1.0)),
            Ok(Some(Duration::from_secs(15)))
        );
        assert_eq!(pace("0").map(|pace| pace.next(0.5)), Ok(None));
        assert!(pace("-1").is_err() && pace("soon").is_err());
    }

    #[test]
    fn failures_wait_longer_and_longer_up_to_a_limit() {
        let mut backoff = Backoff::default();
        let waits: Vec<u128> = (0..12).map(|_| backoff.fail().as_millis()).collect();
        assert_eq!(waits[..4], [250, 500, 1000, 2000]);
        assert_eq!(waits[11], 120_000);
        backoff.reset();
        assert_eq!(backoff.fail(), Backoff::FIRST);
    }
}
