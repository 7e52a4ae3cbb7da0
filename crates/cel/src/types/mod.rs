//! CEL types: what the checker computes with, and how they print in errors and results.
//!
//! Knows no expressions and no values.

mod assign;
pub mod decl;
pub mod protobuf;
mod signature;

use std::fmt;
use std::sync::Arc;

pub use assign::{Mapping, most_general};
pub use signature::Signature;

/// A type. Objects and opaque types are told apart by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Type {
    Any,
    Bool,
    Bytes,
    Double,
    Duration,
    Dyn,
    Error,
    Int,
    Null,
    String,
    Timestamp,
    Uint,
    /// A protobuf wrapper message: the inner type or null.
    Wrapper(Arc<Type>),
    List(Arc<Type>),
    Map(Arc<(Type, Type)>),
    Opaque(Arc<str>, Arc<[Type]>),
    Object(Arc<str>),
    /// The type of types; `None` where the type meant is not known.
    Type(Option<Arc<Type>>),
    /// A free type variable.
    Var(u32),
}

/// The kind of a type: its outermost constructor, wrappers seen through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    Any,
    Bool,
    Bytes,
    Double,
    Duration,
    Dyn,
    Error,
    Int,
    Null,
    String,
    Timestamp,
    Uint,
    List,
    Map,
    Opaque,
    Object,
    Type,
    Var,
}

/// The first of the variables that stand for the parameters of the declared types `list` and `map`.
pub const DECLARED_VARS: u32 = u32::MAX - 8;

impl Type {
    /// A list of `element`.
    pub fn list(element: Type) -> Type {
        Type::List(Arc::new(element))
    }

    /// A map from `key` to `value`.
    pub fn map(key: Type, value: Type) -> Type {
        Type::Map(Arc::new((key, value)))
    }

    /// An optional `inner`.
    pub fn optional(inner: Type) -> Type {
        Type::Opaque("optional_type".into(), Arc::new([inner]))
    }

    /// An object type by name.
    pub fn object(name: &str) -> Type {
        Type::Object(name.into())
    }

    /// The type of `inner` as a value.
    pub fn type_of(inner: Type) -> Type {
        Type::Type(Some(Arc::new(inner)))
    }

    /// The outermost constructor.
    pub fn kind(&self) -> Kind {
        match self {
            Type::Any => Kind::Any,
            Type::Bool => Kind::Bool,
            Type::Bytes => Kind::Bytes,
            Type::Double => Kind::Double,
            Type::Duration => Kind::Duration,
            Type::Dyn => Kind::Dyn,
            Type::Error => Kind::Error,
            Type::Int => Kind::Int,
            Type::Null => Kind::Null,
            Type::String => Kind::String,
            Type::Timestamp => Kind::Timestamp,
            Type::Uint => Kind::Uint,
            Type::Wrapper(inner) => inner.kind(),
            Type::List(_) => Kind::List,
            Type::Map(_) => Kind::Map,
            Type::Opaque(..) => Kind::Opaque,
            Type::Object(_) => Kind::Object,
            Type::Type(_) => Kind::Type,
            Type::Var(_) => Kind::Var,
        }
    }

    /// The name values of this type report at run time.
    pub fn name(&self) -> String {
        match self {
            Type::Any => "google.protobuf.Any".into(),
            Type::Bool => "bool".into(),
            Type::Bytes => "bytes".into(),
            Type::Double => "double".into(),
            Type::Duration => "google.protobuf.Duration".into(),
            Type::Dyn => "dyn".into(),
            Type::Error => "error".into(),
            Type::Int => "int".into(),
            Type::Null => "null_type".into(),
            Type::String => "string".into(),
            Type::Timestamp => "google.protobuf.Timestamp".into(),
            Type::Uint => "uint".into(),
            Type::Wrapper(inner) => inner.name(),
            Type::List(_) => "list".into(),
            Type::Map(_) => "map".into(),
            Type::Opaque(name, _) | Type::Object(name) => name.to_string(),
            Type::Type(_) => "type".into(),
            Type::Var(id) => match id.checked_sub(DECLARED_VARS) {
                Some(n) => char::from(b'A' + n as u8).to_string(),
                None => format!("_var{id}"),
            },
        }
    }

    /// The name as declared: wrappers say so.
    fn declared_name(&self) -> String {
        match self {
            Type::Wrapper(inner) => format!("wrapper({})", inner.name()),
            other => other.name(),
        }
    }

    /// The type's parameters in order.
    pub fn parameters(&self) -> Vec<&Type> {
        match self {
            Type::List(element) => vec![element],
            Type::Map(pair) => vec![&pair.0, &pair.1],
            Type::Opaque(_, parameters) => parameters.iter().collect(),
            Type::Type(Some(inner)) => vec![inner],
            _ => Vec::new(),
        }
    }

    /// `dyn` or `any`.
    pub fn is_dyn(&self) -> bool {
        matches!(self, Type::Dyn | Type::Any)
    }

    /// `dyn`, `any` or the error type.
    pub fn is_dyn_or_error(&self) -> bool {
        self.is_dyn() || *self == Type::Error
    }

    /// What an optional type wraps.
    pub fn unwrap_optional(&self) -> Option<&Type> {
        match self {
            Type::Opaque(name, parameters) if &**name == "optional_type" => parameters.first(),
            _ => None,
        }
    }

    /// Equal up to wrappers (cel-go `IsExactType`).
    pub fn is_exact(&self, other: &Type) -> bool {
        self.same(other, true)
    }

    /// Equal up to wrappers and the names of type variables (cel-go `IsEquivalentType`).
    pub fn is_equivalent(&self, other: &Type) -> bool {
        self.same(other, false)
    }

    fn same(&self, other: &Type, variable_names: bool) -> bool {
        let (mine, theirs) = (self.parameters(), other.parameters());
        if self.kind() != other.kind() || mine.len() != theirs.len() {
            return false;
        }
        if (variable_names || self.kind() != Kind::Var) && self.name() != other.name() {
            return false;
        }
        mine.iter().zip(theirs).all(|(a, b)| a.same(b, variable_names))
    }

    /// Whether a value of type `from` may stand where this type is wanted (cel-go `IsAssignableType`).
    pub fn accepts(&self, from: &Type) -> bool {
        match self {
            Type::Dyn | Type::Any | Type::Var(_) => true,
            Type::Wrapper(inner) => *from == Type::Null || inner.accepts(from),
            _ => {
                let (mine, theirs) = (self.parameters(), from.parameters());
                self.kind() == from.kind()
                    && self.name() == from.name()
                    && mine.len() == theirs.len()
                    && mine.iter().zip(theirs).all(|(a, b)| a.accepts(b))
            }
        }
    }

    /// The text used in compile errors (cel-go `FormatCELType`).
    pub fn in_errors(&self) -> String {
        match self {
            Type::Any => "any".into(),
            Type::Duration => "duration".into(),
            Type::Error => "!error!".into(),
            Type::Null => "null".into(),
            Type::Timestamp => "timestamp".into(),
            Type::Var(_) => self.name(),
            _ => {
                let parameters = self.parameters();
                if parameters.is_empty() {
                    return self.declared_name();
                }
                let inner: Vec<String> = parameters.iter().map(|p| p.in_errors()).collect();
                format!("{}({})", self.name(), inner.join(", "))
            }
        }
    }
}

/// The text of a checked type, as in `type(list(int))`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Type::Var(_) = self {
            return write!(f, "<{}>", self.name());
        }
        let parameters = self.parameters();
        if parameters.is_empty() {
            return f.write_str(&self.declared_name());
        }
        let inner: Vec<String> = parameters.iter().map(|p| p.to_string()).collect();
        write!(f, "{}({})", self.declared_name(), inner.join(", "))
    }
}
