//! Replays recorded requests of the API against anything that answers them, and tells where the answers differ.
//!
//! Recordings are files of steps, each a request with the reference's answer ([`Scenario`]). A [`Transport`] answers
//! requests: a function call or a connection to a server. Knows no server; for tests only.

mod compare;
mod files;
mod known;
mod replay;
mod step;
mod transport;

pub use compare::difference;
pub use files::{conformance, files, scenarios, text};
pub use known::Known;
pub use replay::{Report, replay};
pub use step::{Scenario, Step};
pub use transport::{Answer, Sent, Transport, warning_text};
