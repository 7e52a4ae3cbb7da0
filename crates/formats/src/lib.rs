//! Kubernetes' string formats, names, quantities and versions: what a text means, or why it is rejected.
//!
//! One module per family. Must not know objects, schemas or files. Where Kubernetes prints an error, the error here
//! prints the same characters.

pub mod format;
pub mod limit;
pub mod named;
pub mod nearest;
pub mod quantity;
pub mod semver;
pub mod strfmt;
pub mod uuid;
