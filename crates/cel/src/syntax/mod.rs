//! Text to syntax tree: lexer, parser, macros, and the texts of syntax errors.
//!
//! Knows nothing about types or values.

mod antlr_recovery;
pub mod ast;
mod build;
mod call;
pub mod error;
mod lexer;
mod macros;
mod parser;
pub mod source;
mod token;
mod unescape;

pub(crate) use macros::names as macro_names;
pub use parser::parse;
pub(crate) use parser::{parse_in, parse_with_bindings};
