//! All tests of this crate in one program, so that it is linked once.

mod answers;
mod examples;
