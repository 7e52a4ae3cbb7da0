//! All tests of this crate in one program, so that it is linked once.

#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its cases and starts what it needs"
)]

mod builtin;
mod defaults;
mod discovery;
mod go_defaults;
mod go_program;
mod go_protobuf;
mod parity;
mod protobuf;
mod published;
mod recorded;
mod sample;
mod server;
mod tables;
mod types;
mod validation;
