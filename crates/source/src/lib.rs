//! Source files, spans and diagnostics, shared by every front end. Knows no language and no schema.

mod diagnostic;
pub(crate) mod map;
pub mod render;
mod span;

pub use diagnostic::{Diagnostic, Fix, Label, Severity};
pub use map::{File, Position, SourceMap};
pub use span::{FileId, Span};
