//! All tests of this crate in one program, so that it is linked once.

#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its cases and starts what it needs"
)]

mod crd_markers;
mod declared;
mod default_markers;
mod kep;
mod laws;
mod levels;
mod meaning;
mod misuse;
mod misuse_together;
mod openapi_markers;
mod placement;
mod resource;
