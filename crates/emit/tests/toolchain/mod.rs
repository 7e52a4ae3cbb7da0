//! A directory for each test of the installed Go toolchain.

use std::path::Path;

use kindsmith_testkit::go_toolchain::Go;

/// An empty directory for a test; see [`Go::new`].
pub(crate) fn go(name: &str, left_out: &str) -> Option<Go> {
    Go::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name), left_out)
}
