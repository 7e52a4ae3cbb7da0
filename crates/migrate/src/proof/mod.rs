//! Proposals tried: the hand-written functions run in Go, the tags in the engine, on the same objects.
//!
//! [`subjects`] finds the functions to run, [`cases`] makes objects at the edge of every rule, [`program`] writes the Go program that
//! runs the functions and says which call made each error, [`judge`] compares. A rule is proven only if both report it for some
//! object, for the same objects and nowhere else. Where a function refuses something first and leaves an error out,
//! [`repairs`] makes objects without what it refused, and [`unexplained`] compares those. Must not know files or processes.

mod cases;
mod judge;
mod objects;
mod program;
mod repairs;
mod subjects;
#[cfg(test)]
mod tests;

pub use cases::{Case, cases};
pub use judge::{
    Answer, Beside, Compared, Declared, Judged, ReadWith, Repair, Told, Verdict, judge, unexplained,
};
pub use program::{Conversion, Program, program};
pub use repairs::repairs;
pub use subjects::{Subject, subjects};
