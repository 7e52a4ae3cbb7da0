//! Without a build script, cargo does not look at the dependencies of one.

#![allow(clippy::disallowed_methods, reason = "a build script")]

fn main() {}
