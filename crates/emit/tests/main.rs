//! All tests of this crate in one program, so that it is linked once.

#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its cases and starts what it needs"
)]

mod docs;
mod go_defaults;
mod go_edges;
mod go_fixtures;
mod go_kep;
mod go_native;
mod go_output_tests;
mod go_packages;
mod go_published;
mod go_text;
mod toolchain;
