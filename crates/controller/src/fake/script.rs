//! Scripted faults.

use std::collections::VecDeque;

/// A fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The service responds with this status and does nothing.
    Status(u16),
    /// The connection breaks before the request is handled.
    Lost,
    /// The request is handled, then the connection breaks.
    Unheard,
    /// The operation that the request starts fails later.
    Operation,
    /// Somebody else changes the resource right after the request.
    OutsideEdit,
}

/// Faults in the order of requests; `None` for a request without fault.
#[derive(Debug, Clone, Default)]
pub struct Script {
    steps: VecDeque<(Option<&'static str>, Option<Fault>)>,
}

impl Script {
    /// Adds a fault for the next request.
    pub fn push(&mut self, fault: Option<Fault>) {
        self.steps.push_back((None, fault));
    }

    /// Adds a fault for the next request with this method; requests before it succeed.
    pub fn push_for(&mut self, method: &'static str, fault: Fault) {
        self.steps.push_back((Some(method), Some(fault)));
    }

    /// How many faults are left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    pub(super) fn next(&mut self, method: &str) -> Option<Fault> {
        match self.steps.front() {
            Some((Some(wanted), _)) if *wanted != method => None,
            _ => self.steps.pop_front().and_then(|(_, fault)| fault),
        }
    }
}
