//! Selectors: which objects a request is about. Parsed with the words of apimachinery; matched against objects as they
//! are served.

mod field;
mod kinds;
mod label;
mod lexer;

pub(crate) use field::{FieldSelector, Term};
pub(crate) use kinds::Fields;
pub(crate) use label::LabelSelector;
