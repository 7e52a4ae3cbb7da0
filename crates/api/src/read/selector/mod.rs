//! Selectors: which objects a request is about. Parse errors are those of apimachinery; objects are matched in the
//! served version.

mod field;
mod label;
mod lexer;
mod selectable;

pub(crate) use field::{FieldSelector, Term};
pub(crate) use label::parse as parse_labels;
pub(crate) use selectable::Fields;
