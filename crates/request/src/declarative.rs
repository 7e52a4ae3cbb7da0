//! Which errors of tags count, by feature gates, and how often they differ from hand-written rules.
//!
//! Knows gates and counters. Must not know errors: `builtin` compares those.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Which errors of tags count for kinds that have hand-written rules too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lifecycle {
    /// As in Kubernetes 1.38. Tags are always checked: alpha rules are only compared, beta rules enforced if the gate is
    /// on, others always.
    Kubernetes {
        /// `DeclarativeValidationBeta`.
        beta: bool,
    },
    /// As in the text of KEP-5073. The result of tags counts as a whole or not at all, but for rules that are declared to
    /// have no hand-written twin: those always count. A kind without hand-written rules has no other result to choose, so
    /// that takeover does not matter for it.
    Kep {
        /// `DeclarativeValidation`: tags are checked and compared.
        runs: bool,
        /// `DeclarativeValidationTakeover`: tags decide.
        takes_over: bool,
    },
}

impl Default for Lifecycle {
    fn default() -> Self {
        Lifecycle::Kubernetes { beta: true }
    }
}

/// The state of declarative validation on a server.
#[derive(Debug, Default)]
pub struct Declarative {
    /// Which errors count.
    pub lifecycle: Lifecycle,
    /// What was counted.
    pub tally: Tally,
}

/// How often tags and hand-written rules differed.
#[derive(Default)]
pub struct Tally {
    counts: Mutex<Counts>,
    log: Option<Box<LogFn>>,
}

/// Writes one line.
type LogFn = dyn Fn(&str) + Send + Sync;

/// What was counted so far. Identifiers are such as `replicationcontroller_status_update`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Differences, by identifier.
    pub mismatches: BTreeMap<String, u64>,
    /// Panics, by identifier.
    pub panics: BTreeMap<String, u64>,
    /// Errors of updates that were reported twice.
    pub duplicates: u64,
}

impl Tally {
    /// A tally that passes a line about each difference to a log.
    #[must_use]
    pub fn with_log(log: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self {
            counts: Mutex::default(),
            log: Some(Box::new(log)),
        }
    }

    /// What was counted so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.lock().clone()
    }

    /// Counts a difference.
    pub fn mismatch(&self, identifier: &str, line: &str) {
        *self.lock().mismatches.entry(identifier.to_owned()).or_default() += 1;
        self.tell(line);
    }

    /// Counts a panic.
    pub fn panic(&self, identifier: &str, line: &str) {
        *self.lock().panics.entry(identifier.to_owned()).or_default() += 1;
        self.tell(line);
    }

    /// Counts errors that were reported twice.
    pub fn duplicates(&self, number: u64) {
        self.lock().duplicates += number;
    }

    fn tell(&self, line: &str) {
        if let Some(log) = &self.log {
            log(line);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lock().fmt(out)
    }
}
