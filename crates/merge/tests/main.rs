//! All tests of this crate in one program, so that it is linked once.

#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its cases and starts what it needs"
)]

mod effective;
mod laws;
mod manager;
mod published;
mod recorded;
mod reference;
mod rig;
mod vectors;
mod wire;
