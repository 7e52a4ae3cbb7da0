//! Replays answers recorded from Go 1.26 and the Kubernetes libraries. The inputs are hand-written seeds and
//! random edits of them; the answers are Go's output.

#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its cases and starts what it needs"
)]

mod base64;
mod cidr;
mod duration;
mod float;
mod ip;
mod quote;
mod regexp;
mod strconv;
mod time;
mod url;

use kindsmith_testkit::Report;
use kindsmith_testkit::table::{byte_rows, outcome, rows};
