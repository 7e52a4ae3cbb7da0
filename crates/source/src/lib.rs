//! Source files, spans and diagnostics, shared by every front end. Knows no language and no schema.

mod diagnostic;
pub mod edit;
mod finding;
pub(crate) mod map;
mod origins;
pub mod render;
mod span;

pub use diagnostic::{Diagnostic, Edit, Fix, Label, Safety, Severity};
pub use finding::{Finding, Tool};
pub use map::{File, Position, SourceMap};
pub use origins::Origins;
pub use span::{FileId, Span};
