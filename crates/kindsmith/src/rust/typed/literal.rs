//! Defaults as they are written.

/// A default as it is written.
#[derive(Debug, Clone, Copy)]
pub enum Literal {
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A number with a fraction.
    Float(f64),
    /// A text.
    Text(&'static str),
}
