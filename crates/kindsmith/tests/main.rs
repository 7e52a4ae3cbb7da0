//! All tests of this crate in one program, so that it is linked once.

#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its cases and starts what it needs"
)]

mod embedded;
mod generated;
mod kinds;
mod migration;
mod rust;
mod typed;
