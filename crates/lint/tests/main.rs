//! All tests of this crate in one program, so that it is linked once.

#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its cases and starts what it needs"
)]

mod crd_misuse;
mod defaults;
mod generators;
mod levels;
mod libraries;
mod linted;
mod misuse;
mod native;
mod native_mark;
mod public_apis;
mod suppress;
mod version_drift;
