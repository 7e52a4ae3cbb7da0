//! Validation of CRDs, tested against recorded responses and with small cases.

#![allow(clippy::print_stdout, reason = "the counts of a replay are for people")]

mod api;
mod cases;
mod cel;
mod conditions;
mod gates;
mod laws;
mod object;
mod patch;
mod ratchet;
mod releases;
mod sample;
mod schema;
