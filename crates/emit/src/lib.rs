//! Back ends that write text from a schema: Go code, Rust types, documentation.
//!
//! Knows the schema and the output language; validates nothing and touches no files.

pub mod describe;
pub mod docs;
pub mod go;
pub mod rust;
