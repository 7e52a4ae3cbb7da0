//! The values of constants: what occurs in API packages. What is not understood has no value; that is no mistake.

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
    /// A truth value.
    Bool(bool),
}

/// A constant: its value and its type.
#[derive(Debug, Clone, PartialEq)]
pub struct Constant {
    /// The value.
    pub value: Value,
    /// The type; none if untyped.
    pub ty: Option<TypeName>,
}

/// The name of a type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TypeName {
    /// The import path; none for a type of the language.
    pub package: Option<Arc<str>>,
    /// The name.
    pub name: String,
}

impl Constant {
    fn untyped(value: Value) -> Self {
        Self { value, ty: None }
    }
}
