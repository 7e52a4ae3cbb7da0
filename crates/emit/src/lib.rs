//! Back ends that write text from a schema: Go code, documentation.
//!
//! Knows the schema and the language it writes; judges nothing and touches no files.

pub mod describe;
pub mod docs;
pub mod go;
