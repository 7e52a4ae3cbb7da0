//! Replays recorded API requests against anything that answers them, and reports differences.
//!
//! Recordings are files of steps, each a request with Kubernetes' response ([`Scenario`]). A [`Transport`] answers
//! requests: by a function call or over a connection. Knows no server; for tests only.

#![allow(clippy::disallowed_methods, reason = "tests read their cases")]

mod compare;
mod files;
mod known;
mod releases;
mod replay;
mod step;
mod transport;

pub use compare::difference;
pub use files::{conformance, files, scenarios, text};
pub use known::Known;
pub use releases::older_steps;
pub use replay::{Report, replay, replay_as};
pub use step::{Scenario, Step};
pub use transport::{Answer, Sent, Transport, warning_text};
