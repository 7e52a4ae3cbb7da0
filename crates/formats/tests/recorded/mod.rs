//! Replays answers recorded from Go 1.26 and the Kubernetes libraries. The inputs are hand-written seeds and random edits
//! of them; the answers are what Go printed.

mod format;
mod named;
mod quantity;
mod semver;
mod strfmt;

use kindsmith_testkit::Report;
use kindsmith_testkit::table::{outcome, rows};
