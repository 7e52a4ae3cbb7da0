//! All tests of this crate in one program, so that it is linked once.

mod crd_markers;
mod declared;
mod default_markers;
mod kep;
mod laws;
mod levels;
mod meaning;
mod misuse;
mod misuse_together;
mod openapi_markers;
mod placement;
mod resource;
