//! All tests of this crate in one program, so that it is linked once.

mod bundle;
mod documents;
mod laws;
mod published;
mod recordings;
