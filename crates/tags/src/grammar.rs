//! Grammars of markers: text in, parts with their places out. Knows no tag and no type.

pub mod codetags;
mod extract;
mod scanner;

pub use extract::{Marker, marker};
