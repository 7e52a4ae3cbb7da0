//! All tests of this crate in one program, so that it is linked once.

mod defaults;
mod kep;
mod laws;
mod naive;
mod native;
mod passes;
mod recorded;
