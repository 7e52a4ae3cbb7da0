//! The values of constants, as far as API packages use them. An expression that is not understood has no
//! value; that is not an error.

mod arithmetic;
mod evaluate;
mod literal;
mod standard;
#[cfg(test)]
mod tests;
mod types;

use std::sync::Arc;

pub use evaluate::Constants;

/// The value of a constant.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A string.
    String(String),
    /// An integer or rune.
    Int(i128),
    /// A floating-point number.
    Float(f64),
    /// A boolean.
    Bool(bool),
}

/// A constant: its value and its type.
#[derive(Debug, Clone, PartialEq)]
pub struct Constant {
    /// The value.
    pub value: Value,
    /// The type; `None` if untyped.
    pub ty: Option<TypeName>,
}

/// The name of a type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TypeName {
    /// The import path; `None` for a builtin type.
    pub package: Option<Arc<str>>,
    /// The name.
    pub name: String,
}

impl Constant {
    fn untyped(value: Value) -> Self {
        Self { value, ty: None }
    }
}
