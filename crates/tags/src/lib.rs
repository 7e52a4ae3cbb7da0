//! Markers in comments: their grammars, the catalogue of all tags, and the meaning of each in the schema.
//!
//! [`read()`] takes declarations with their comments ([`Site`]) and fills a [`schema::Builder`](kindsmith_schema::Builder).
//! Knows no Go syntax, no files and no rendering: comments come in as lines with spans, findings go out as
//! [`Diagnostic`](kindsmith_source::Diagnostic)s.

pub mod catalogue;
mod declaration;
pub mod finding;
pub mod go_type;
pub mod grammar;
mod marker;
pub mod read;
mod site;
pub mod tag;

pub use catalogue::{catalogue, find};
pub use declaration::Declaration;
pub use kindsmith_schema::Profile;
pub use marker::{Node, Unfit};
pub use read::{Constants, Options, Outcome, read, read_with};
pub use site::{Block, BlockKind, Line, Site};
pub use tag::{Family, Scope, Tag};
