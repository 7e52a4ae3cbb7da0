//! Grammars of markers: text in, parts with their places out. Knows no tag and no type.

pub mod codetags;
mod extract;
pub mod marker;
pub mod openapi;
mod scanner;
mod syntax_error;

pub use extract::{Marker, marker};
