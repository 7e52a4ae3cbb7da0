//! What goes wrong, and when.

use std::collections::VecDeque;

/// One thing that goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The service answers with this status and does nothing.
    Status(u16),
    /// The connection breaks before the request is done.
    Lost,
    /// The request is done, and then the connection breaks.
    Unheard,
    /// The operation that the request starts fails later.
    Operation,
    /// Somebody else writes right after the request.
    OutsideEdit,
}

/// Faults in the order of requests; `None` lets one pass.
#[derive(Debug, Clone, Default)]
pub struct Script {
    steps: VecDeque<(Option<&'static str>, Option<Fault>)>,
}

impl Script {
    /// The next request goes this way.
    pub fn push(&mut self, fault: Option<Fault>) {
        self.steps.push_back((None, fault));
    }

    /// The next request of this method goes this way; those before it are let pass.
    pub fn push_for(&mut self, method: &'static str, fault: Fault) {
        self.steps.push_back((Some(method), Some(fault)));
    }

    /// What is left.
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
