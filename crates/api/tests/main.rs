//! All tests of this crate in one program, so that it is linked once.

#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its cases and starts what it needs"
)]

mod asking;
mod bootstrap;
mod definitions;
mod discovery;
mod openapi_v2;
mod openapi_v3;
mod reading;
mod replay;
mod writing;
