//! `kindsmith serve` as its clients see it: over TLS, from start to stop.

#[path = "../binary/mod.rs"]
mod binary;
mod client;
mod hooked;
mod hooks;
mod policies;
mod replay;
mod running;
mod start;
mod tidy;
