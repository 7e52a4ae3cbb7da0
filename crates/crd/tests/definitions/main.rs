//! What is said to definitions, held against the reference's recorded answers and against small cases.

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
mod sample;
mod schema;
