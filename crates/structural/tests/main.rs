//! All tests of this crate in one program, so that it is linked once.

#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its cases and starts what it needs"
)]

mod coerce;
mod default;
mod laws;
mod naive;
mod naive_values;
mod prune;
mod published;
mod ratchet;
mod recorded;
mod rules;
mod value_laws;
mod values;
