//! CEL types and how they print in errors and results.
//!
//! Knows no expressions and no values.

pub mod decl;
pub mod patch_types;
pub mod protobuf;
mod record;
mod signature;
mod unify;

use std::fmt;
use std::sync::Arc;

pub use record::Record;
pub use signature::Signature;
pub use unify::Unifier;

/// A type. Objects and opaque types are identified by name.
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
    /// The types of keys and values.
    Map(Arc<[Type; 2]>),
    Opaque(Arc<str>, Arc<[Type]>),
    Object(Arc<str>),
    /// The type of a type; `None` if that type is unknown.
    Type(Option<Arc<Type>>),
    /// A free type variable.
    Var(u32),
}

/// The outermost constructor of a type; a wrapper has the kind of its inner type.
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

/// The first of the variables used as parameters of the declared types `list` and `map`.
pub(crate) const DECLARED_VARS: u32 = u32::MAX - 8;

impl Type {
    /// A list of `element`.
    pub fn list(element: Type) -> Type {
        Type::List(Arc::new(element))
    }

    /// A map from `key` to `value`.
    pub fn map(key: Type, value: Type) -> Type {
        Type::Map(Arc::new([key, value]))
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

    /// The outermost constructor, without wrappers.
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

    /// The name that values of this type have at run time.
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

    /// The name in declarations, which shows wrappers.
    fn declared_name(&self) -> String {
        match self {
            Type::Wrapper(inner) => format!("wrapper({})", inner.name()),
            other => other.name(),
        }
    }

    /// The type's parameters in order.
    pub fn parameters(&self) -> &[Type] {
        match self {
            Type::List(inner) | Type::Type(Some(inner)) => std::slice::from_ref(inner),
            Type::Map(pair) => &**pair,
            Type::Opaque(_, parameters) => parameters,
            _ => &[],
        }
    }

    /// `dyn` or `any`.
    pub(crate) fn is_dyn(&self) -> bool {
        matches!(self, Type::Dyn | Type::Any)
    }

    /// `dyn`, `any` or the error type.
    pub(crate) fn is_dyn_or_error(&self) -> bool {
        self.is_dyn() || *self == Type::Error
    }

    /// The inner type of an optional.
    pub(crate) fn unwrap_optional(&self) -> Option<&Type> {
        match self {
            Type::Opaque(name, parameters) if &**name == "optional_type" => parameters.first(),
            _ => None,
        }
    }

    /// The inner type of a wrapper; any other type itself.
    fn unwrapped(&self) -> &Type {
        match self {
            Type::Wrapper(inner) => inner,
            other => other,
        }
    }

    /// Whether the types differ in their parameters at most. Wrappers count as what they wrap.
    fn same_constructor(&self, other: &Type) -> bool {
        let names_match = match (self.unwrapped(), other.unwrapped()) {
            (Type::Opaque(name, _), Type::Opaque(other, _)) => name == other,
            (Type::Object(name), Type::Object(other)) => name == other,
            (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
        };
        names_match && self.parameters().len() == other.parameters().len()
    }

    /// Whether `holds` is true for all parameters of the two types, pair by pair.
    fn all_parameters(&self, other: &Type, mut holds: impl FnMut(&Type, &Type) -> bool) -> bool {
        let mut pairs = self.parameters().iter().zip(other.parameters());
        pairs.all(|(one, other)| holds(one, other))
    }

    /// Whether the types are equal if wrappers count as what they wrap.
    pub fn is_exact(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Var(id), Type::Var(other)) => id == other,
            _ => self.same_constructor(other) && self.all_parameters(other, Type::is_exact),
        }
    }

    /// Like [`Type::is_exact`], with all type variables equal.
    pub fn is_equivalent(&self, other: &Type) -> bool {
        self.same_constructor(other) && self.all_parameters(other, Type::is_equivalent)
    }

    /// Whether the type is as general as `other` or more so: it may have `dyn` or a variable where `other` has a type.
    pub fn covers(&self, other: &Type) -> bool {
        let is_open = |ty: &Type| ty.is_dyn() || matches!(ty, Type::Var(_));
        if is_open(self) || is_open(other) {
            return is_open(self);
        }
        // Types of types are equal whatever their parameters.
        self.kind() == Kind::Type && other.kind() == Kind::Type
            || self.same_constructor(other) && self.all_parameters(other, Type::covers)
    }

    /// The type with every variable replaced.
    pub(crate) fn replace_variables(&self, replace: &impl Fn(u32) -> Type) -> Type {
        let inner = |ty: &Type| ty.replace_variables(replace);
        match self {
            Type::Var(id) => replace(*id),
            Type::List(element) => Type::list(inner(element)),
            Type::Map(pair) => Type::map(inner(&pair[0]), inner(&pair[1])),
            Type::Opaque(name, parameters) => {
                Type::Opaque(name.clone(), parameters.iter().map(inner).collect())
            }
            Type::Type(Some(meant)) => Type::type_of(inner(meant)),
            other => other.clone(),
        }
    }

    /// Whether the type, written out, has at most `limit` parts.
    pub(crate) fn is_within(&self, limit: usize) -> bool {
        fn fits(ty: &Type, rest: &mut usize) -> bool {
            *rest > 0 && {
                *rest -= 1;
                ty.parameters().iter().all(|inner| fits(inner, rest))
            }
        }
        fits(self, &mut { limit })
    }

    /// Whether a variable occurs in the type.
    pub fn has_variables(&self) -> bool {
        matches!(self, Type::Var(_)) || self.parameters().iter().any(Type::has_variables)
    }

    /// The text used in compile errors.
    pub(crate) fn in_errors(&self) -> String {
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
                let inner: Vec<String> = parameters.iter().map(Type::in_errors).collect();
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
        let inner: Vec<String> = parameters.iter().map(Type::to_string).collect();
        write!(f, "{}({})", self.declared_name(), inner.join(", "))
    }
}
