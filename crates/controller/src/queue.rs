//! Which object is next. Pure: the caller passes the time in milliseconds.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Duration;

use crate::pace::Backoff;

/// Namespace and name.
pub type Key = (String, String);

/// When the next pass is due.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// When the object changes.
    OnChange,
    /// After this time, or when the object changes.
    After(Duration),
    /// Soon: an operation is running.
    Poll,
    /// After a wait that grows with every failure.
    Retry {
        /// The error.
        error: String,
        /// The seconds to wait at least, if the service gave them.
        at_least: Option<u64>,
    },
}

/// The first and the longest wait while an operation is running.
const POLL: (Duration, Duration) = (Duration::from_secs(1), Duration::from_mins(1));

/// Objects that wait for a pass; one pass at a time per object.
#[derive(Debug, Default)]
pub struct Queue {
    due: BTreeSet<(u64, Key)>,
    when: HashMap<Key, u64>,
    running: HashSet<Key>,
    /// Objects that changed during their pass.
    again: HashSet<Key>,
    failures: HashMap<Key, Backoff>,
    polls: HashMap<Key, u32>,
}

impl Queue {
    /// Records that an object has changed: it is due now, or again after the pass in progress.
    pub fn touch(&mut self, key: Key, now: u64) {
        if self.running.contains(&key) {
            self.again.insert(key);
        } else {
            self.schedule(key, now);
        }
    }

    /// The next object that is due. The caller reports the end of its pass with [`finish`](Self::finish).
    pub fn pop(&mut self, now: u64) -> Option<Key> {
        let (due, _) = self.due.first()?;
        if *due > now {
            return None;
        }
        let (_, key) = self.due.pop_first()?;
        self.when.remove(&key);
        self.running.insert(key.clone());
        Some(key)
    }

    /// When the next object is due.
    #[must_use]
    pub fn next_due(&self) -> Option<u64> {
        self.due.first().map(|(due, _)| *due)
    }

    /// Whether nothing is due or in progress before a time.
    #[must_use]
    pub fn is_idle_until(&self, time: u64) -> bool {
        self.running.is_empty() && self.next_due().is_none_or(|due| due > time)
    }

    /// Records the end of a pass.
    pub fn finish(&mut self, key: Key, next: &Next, now: u64) {
        self.running.remove(&key);
        let after = |wait: Duration| now.saturating_add(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
        let due = match next {
            Next::Retry { at_least, .. } => {
                let wait = self.failures.entry(key.clone()).or_default().fail();
                Some(after(wait.max(Duration::from_secs(at_least.unwrap_or(0)))))
            }
            Next::Poll => {
                self.failures.remove(&key);
                let polls = self.polls.entry(key.clone()).or_default();
                *polls += 1;
                Some(after(POLL.0.saturating_mul(1 << (*polls - 1).min(6)).min(POLL.1)))
            }
            Next::After(wait) => Some(after(*wait)),
            Next::OnChange => None,
        };
        if !matches!(next, Next::Retry { .. } | Next::Poll) {
            self.failures.remove(&key);
            self.polls.remove(&key);
        }
        let due = if self.again.remove(&key) {
            Some(due.map_or(now, |due| due.min(now)))
        } else {
            due
        };
        if let Some(due) = due {
            self.schedule(key, due);
        }
    }

    fn schedule(&mut self, key: Key, due: u64) {
        match self.when.get(&key) {
            Some(&known) if known <= due => return,
            Some(&known) => drop(self.due.remove(&(known, key.clone()))),
            None => {}
        }
        self.when.insert(key.clone(), due);
        self.due.insert((due, key));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> Key {
        ("park".to_owned(), name.to_owned())
    }

    #[test]
    fn an_object_has_one_pass_at_a_time() {
        let mut queue = Queue::default();
        queue.touch(key("a"), 5);
        queue.touch(key("a"), 3);
        queue.touch(key("b"), 4);
        assert_eq!(queue.pop(2), None);
        assert_eq!(queue.pop(9), Some(key("a")));
        assert_eq!(queue.pop(9), Some(key("b")));
        assert_eq!(queue.pop(9), None);
        queue.touch(key("a"), 9);
        assert_eq!(queue.pop(9), None, "it is being looked at");
        queue.finish(key("a"), &Next::OnChange, 10);
        assert_eq!(queue.pop(10), Some(key("a")), "it changed meanwhile");
    }

    #[test]
    fn failures_and_polls_wait_longer_and_longer() {
        let mut queue = Queue::default();
        let fails = |at_least| Next::Retry {
            error: String::new(),
            at_least,
        };
        queue.touch(key("a"), 0);
        let mut wait = |next: &Next| {
            let due = queue.next_due().expect("it is due");
            assert!(queue.pop(due).is_some());
            queue.finish(key("a"), next, due);
            queue.next_due().map(|next| next - due)
        };
        assert_eq!(wait(&fails(None)), Some(250));
        assert_eq!(wait(&fails(None)), Some(500));
        assert_eq!(wait(&fails(Some(7))), Some(7000));
        assert_eq!(wait(&Next::Poll), Some(1000));
        assert_eq!(wait(&Next::Poll), Some(2000));
        assert_eq!(wait(&Next::After(Duration::from_secs(9))), Some(9000));
        assert_eq!(wait(&Next::Poll), Some(1000));
        assert_eq!(wait(&fails(None)), Some(250));
        assert_eq!(wait(&Next::OnChange), None);
    }
}
