//! All tests of this crate in one program, so that it is linked once.

#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its cases and starts what it needs"
)]

// Types of other files derive by these names.
#[macro_use]
extern crate kindsmith_derive;

mod embedded;
mod generated;
mod kinds;
mod kubernetes_types;
mod migration;
mod rust;
mod shapes;
mod typed;
