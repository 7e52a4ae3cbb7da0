//! The installed Go toolchain, with a directory for each test.

use std::path::Path;

pub(crate) use kindsmith_testkit::go_toolchain::{Go, VERSION};

/// An empty directory for a test; see [`Go::new`].
pub(crate) fn go(name: &str, left_out: &str) -> Option<Go> {
    Go::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name), left_out)
}
