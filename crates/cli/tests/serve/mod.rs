//! `kindsmith serve` as its clients see it: over TLS, from start to stop.

mod audited;
mod blocking;
mod client;
mod configured;
mod conversion;
mod converting;
mod differences;
mod envtest;
mod hooked;
mod hooks;
mod killed;
mod packages;
mod policies;
mod recorded;
mod replay;
mod running;
mod start;
mod stopping;
mod tidy;
mod type_checking;
mod under_load;
