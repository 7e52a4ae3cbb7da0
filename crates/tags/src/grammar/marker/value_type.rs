//! The types of values.

use super::ArgumentType;

/// The type of a value; lists and objects may be nested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Type {
    Int,
    Number,
    Text,
    Bool,
    Any,
    List(Box<Type>),
    Object,
}

impl From<ArgumentType> for Type {
    fn from(ty: ArgumentType) -> Self {
        match ty {
            ArgumentType::Int => Self::Int,
            ArgumentType::Number => Self::Number,
            ArgumentType::Text => Self::Text,
            ArgumentType::Bool => Self::Bool,
            ArgumentType::Any => Self::Any,
            ArgumentType::Texts => Self::List(Box::new(Self::Text)),
            ArgumentType::Anys => Self::List(Box::new(Self::Any)),
        }
    }
}
