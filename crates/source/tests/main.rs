//! All tests of this crate in one program, so that it is linked once.

mod marked;
mod render_laws;
mod render_machine;
mod render_text;
