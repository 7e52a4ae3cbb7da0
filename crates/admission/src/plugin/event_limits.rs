//! The limits of `EventRateLimit`, and what is left of them (plugin/pkg/admission/eventratelimit). Knows no request.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Mutex, PoisonError};

use kindsmith_json::Value;
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_object::{BadValue, Detail, ErrorKind, FieldError};
use kindsmith_request::aggregate;

/// How many buckets a limit keeps if its configuration does not say.
const BUCKETS: usize = 4096;

/// What events are counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    Server,
    Namespace,
    User,
    SourceAndObject,
}

const TYPES: &[(&str, By)] = &[
    ("Server", By::Server),
    ("Namespace", By::Namespace),
    ("User", By::User),
    ("SourceAndObject", By::SourceAndObject),
];

/// The limits of a configuration, with what is left of them.
#[derive(Debug, Default)]
pub struct EventLimits(Vec<Limit>);

#[derive(Debug)]
struct Limit {
    name: &'static str,
    by: By,
    qps: f64,
    burst: f64,
    size: usize,
    buckets: Mutex<Buckets>,
}

/// Buckets by key; the one that was not used for longest goes first.
#[derive(Debug, Default)]
struct Buckets {
    by_key: HashMap<String, Bucket>,
    by_use: BTreeMap<u64, String>,
    uses: u64,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    tokens: f64,
    /// When it was filled last, in nanoseconds.
    filled: i128,
    used: u64,
}

impl EventLimits {
    /// Reads a `Configuration` of `eventratelimit.admission.k8s.io/v1alpha1`.
    ///
    /// # Errors
    ///
    /// What is wrong with it, as `ValidateConfiguration` finds it.
    pub fn read(configuration: Value<'_>) -> Result<Self, InvalidEventLimits> {
        let limits = configuration.list("limits");
        let mut errors = Vec::new();
        if limits.is_empty() {
            let bad = BadValue::Nil;
            errors.push(invalid(field(&[]), bad, "must not be empty"));
        }
        let mut read = Vec::new();
        for (index, limit) in limits.iter().enumerate() {
            read.extend(Limit::read(*limit, index, &mut errors));
        }
        if errors.is_empty() {
            return Ok(EventLimits(read));
        }
        Err(InvalidEventLimits(errors))
    }

    /// Takes a token for an event out of each limit, under the key that it has there; which limits are reached.
    pub(super) fn take(&self, now: i128, key: impl Fn(By) -> String) -> Vec<String> {
        let mut reached = Vec::new();
        for limit in &self.0 {
            let key = key(limit.by);
            if !limit.take(&key, now) {
                reached.push(format!("limit reached on type {} for key {key}", limit.name));
            }
        }
        reached
    }
}

/// What is wrong with a configuration.
#[derive(Debug, Clone)]
pub struct InvalidEventLimits(Vec<FieldError>);

impl fmt::Display for InvalidEventLimits {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&aggregate(self.0.iter().map(ToString::to_string)))
    }
}

impl std::error::Error for InvalidEventLimits {}

fn field(below: &[Step]) -> PathBuf {
    let start = std::iter::once(Step::Field("limits".into()));
    start.chain(below.iter().cloned()).collect()
}

fn invalid(path: PathBuf, bad: BadValue, why: &'static str) -> FieldError {
    FieldError::new(ErrorKind::Invalid, path, bad, Detail::Text(why.into()))
}

impl Limit {
    fn read(limit: Value<'_>, index: usize, errors: &mut Vec<FieldError>) -> Option<Self> {
        let place = |key: &str| field(&[Step::Index(index), Step::Field(key.into())]);
        let number = |key: &str| limit.integer(key);
        let given = limit.text("type");
        let known = TYPES.iter().find(|(name, _)| *name == given);
        if known.is_none() {
            let names = TYPES.iter().map(|(name, _)| (*name).into()).collect();
            let (bad, detail) = (BadValue::Text(given.into()), Detail::Supported(names));
            errors.push(FieldError::new(
                ErrorKind::NotSupported,
                place("type"),
                bad,
                detail,
            ));
        }
        let is_server = given == "Server";
        for (key, is_wrong, why) in [
            ("burst", number("burst") <= 0, "must be positive"),
            ("qps", number("qps") <= 0, "must be positive"),
            (
                "cacheSize",
                number("cacheSize") < 0 && !is_server,
                "must not be negative",
            ),
        ] {
            if is_wrong {
                let bad = BadValue::Integer(number(key).into());
                errors.push(invalid(place(key), bad, why));
            }
        }
        let (name, by) = known?;
        #[expect(clippy::cast_precision_loss, reason = "Go also counts in floats")]
        let (qps, burst) = (number("qps") as f64, number("burst") as f64);
        Some(Limit {
            name,
            by: *by,
            qps,
            burst,
            size: match usize::try_from(number("cacheSize")) {
                Ok(0) | Err(_) => BUCKETS,
                Ok(size) => size,
            },
            buckets: Mutex::default(),
        })
    }

    /// Takes a token out of a bucket; false if there is none.
    fn take(&self, key: &str, now: i128) -> bool {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let buckets = &mut *buckets;
        buckets.uses += 1;
        let used = buckets.uses;
        let full = Bucket {
            tokens: self.burst,
            filled: now,
            used,
        };
        let mut bucket = buckets.by_key.get(key).copied().unwrap_or(full);
        buckets.by_use.remove(&bucket.used);
        let passed = now - bucket.filled;
        #[expect(clippy::cast_precision_loss, reason = "Go also counts in floats")]
        let seconds = passed.max(0) as f64 / 1e9;
        bucket = Bucket {
            tokens: (bucket.tokens + seconds * self.qps).min(self.burst),
            filled: bucket.filled.max(now),
            used,
        };
        let is_there = bucket.tokens >= 1.0;
        if is_there {
            bucket.tokens -= 1.0;
        }
        buckets.by_key.insert(key.to_owned(), bucket);
        buckets.by_use.insert(used, key.to_owned());
        if buckets.by_key.len() > self.size
            && let Some((_, oldest)) = buckets.by_use.pop_first()
        {
            buckets.by_key.remove(&oldest);
        }
        is_there
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};

    use super::*;

    fn read(configuration: &str) -> Result<EventLimits, InvalidEventLimits> {
        let arena = Arena::new();
        EventLimits::read(parse_str(&arena, configuration).expect("JSON"))
    }

    #[test]
    fn configurations_are_refused_in_the_words_of_kubernetes() {
        for (configuration, expected) in [
            ("{}", "limits: Invalid value: null: must not be empty"),
            (
                r#"{"limits":[{"type":"Pod","qps":1,"burst":1}]}"#,
                r#"limits[0].type: Unsupported value: "Pod": supported values: "Server", "Namespace", "User", "SourceAndObject""#,
            ),
            (
                r#"{"limits":[{"type":"User","qps":0,"burst":-1,"cacheSize":-1}]}"#,
                "[limits[0].burst: Invalid value: -1: must be positive, limits[0].qps: Invalid value: 0: must be positive, \
                 limits[0].cacheSize: Invalid value: -1: must not be negative]",
            ),
        ] {
            let error = read(configuration).err().map(|error| error.to_string());
            assert_eq!(error.as_deref(), Some(expected));
        }
    }

    #[test]
    fn buckets_fill_with_time_and_the_oldest_goes() {
        let limits = read(r#"{"limits":[{"type":"User","qps":2,"burst":3,"cacheSize":2}]}"#).expect("valid");
        let limit = &limits.0[0];
        let at = |milliseconds: i128| milliseconds * 1_000_000;
        let taken: Vec<bool> = [0, 0, 0, 0, 499, 500, 600]
            .map(|now| limit.take("a", at(now)))
            .to_vec();
        assert_eq!(taken, [true, true, true, false, false, true, false]);
        assert!(limit.take("b", at(600)));
        assert!(!limit.take("a", at(600)));
        // The third key makes room by forgetting `b`; `a` is still empty.
        assert!(limit.take("c", at(600)));
        assert!(!limit.take("a", at(600)));
        assert_eq!(limit.buckets.lock().expect("no test panicked").by_key.len(), 2);
    }
}
