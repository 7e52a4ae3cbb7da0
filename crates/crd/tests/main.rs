//! All tests of this crate in one program, so that it is linked once.

mod admission;
mod api;
mod definitions;
mod resource_laws;
mod rules;
