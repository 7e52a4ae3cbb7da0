//! What is said to definitions, held against the reference's recorded answers and against small cases.

#![allow(clippy::print_stdout, reason = "the counts of a replay are for people")]

mod api;
mod cel;
mod known;
mod patch;
