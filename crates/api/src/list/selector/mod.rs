//! Selectors: which objects a request is about. Parsed with the words of apimachinery; matched against objects as they
//! are served.

mod field;
mod label;
mod lexer;
mod selectable;

pub(crate) use field::{FieldSelector, Term};
pub(crate) use label::LabelSelector;
pub(crate) use selectable::Fields;
