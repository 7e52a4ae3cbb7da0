//! All tests of this crate in one program, so that it is linked once.

mod effective;
mod laws;
mod manager;
mod published;
mod recorded;
mod reference;
mod rig;
mod vectors;
mod wire;
