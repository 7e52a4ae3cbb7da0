//! Rust API types as a schema. Derive macros describe types as [`Declaration`]s; these are written as Go types with tags
//! ([`go_text`]) and read by the reader of Go packages, so tags have one reader and every front end the same schema.
//!
//! Knows no Rust syntax and no serde: the macros do. Touches no files.

mod declaration;
pub mod go_text;
mod go_type;
mod package;
mod read;
mod text;
mod types;

pub use declaration::{Body, Declaration, Field, Presence, Variant};
pub use go_type::GoType;
pub use package::Package;
pub use read::{Library, Place, Read, read};
pub use text::Text;
pub use types::Types;
