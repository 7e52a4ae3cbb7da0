//! Uses of types: names, scalars, and what is made of them.

use crate::{Str, TypeId};

/// The use of a type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TypeRef {
    /// A named type.
    Named(TypeId),
    /// A builtin scalar.
    Scalar(Scalar),
    /// `*T`.
    Pointer(Box<TypeRef>),
    /// `[]T`.
    List(Box<TypeRef>),
    /// `[N]T`.
    Array(u64, Box<TypeRef>),
    /// `map[K]V`.
    Map(Box<TypeRef>, Box<TypeRef>),
    /// `any` or `interface{}`: any JSON value.
    Any {
        /// Whether it was spelled `interface{}`; published schemas differ.
        spelled_out: bool,
    },
    /// An interface with methods.
    Interface,
    /// A type that an API cannot use, by its Go kind and its text: channels, functions, complex numbers.
    Unsupported {
        /// The reference tool's word for the kind: `Chan`, `Func`, `Unsupported`.
        kind: &'static str,
        /// The type as written.
        text: Str,
    },
}

/// A builtin scalar type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are Go's own names")]
pub enum Scalar {
    Bool,
    String,
    Int,
    Int8,
    Int16,
    Int32,
    Int64,
    Uint,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Byte,
    Rune,
    Uintptr,
    Float32,
    Float64,
}

impl TypeRef {
    /// A pointer to this type.
    #[must_use]
    pub fn pointer(self) -> Self {
        Self::Pointer(Box::new(self))
    }

    /// A list of this type.
    #[must_use]
    pub fn list(self) -> Self {
        Self::List(Box::new(self))
    }

    /// A map with values of this type.
    #[must_use]
    pub fn map(self, key: Self) -> Self {
        Self::Map(Box::new(key), Box::new(self))
    }

    /// The named type of the values, items or pointers: `Color` of `[]*Color`.
    #[must_use]
    pub fn innermost(&self) -> Option<TypeId> {
        match self {
            Self::Named(id) => Some(*id),
            Self::Pointer(inner) | Self::List(inner) | Self::Array(_, inner) | Self::Map(_, inner) => {
                inner.innermost()
            }
            Self::Scalar(_) | Self::Any { .. } | Self::Interface | Self::Unsupported { .. } => None,
        }
    }

    /// Calls `visit` on every named type inside.
    pub fn for_each_named(&mut self, visit: &mut impl FnMut(&mut TypeId)) {
        match self {
            Self::Named(id) => visit(id),
            Self::Pointer(inner) | Self::List(inner) | Self::Array(_, inner) => inner.for_each_named(visit),
            Self::Map(key, value) => {
                key.for_each_named(visit);
                value.for_each_named(visit);
            }
            Self::Scalar(_) | Self::Any { .. } | Self::Interface | Self::Unsupported { .. } => {}
        }
    }
}

impl Scalar {
    /// All scalars.
    pub const ALL: [Self; 17] = [
        Self::Bool,
        Self::String,
        Self::Int,
        Self::Int8,
        Self::Int16,
        Self::Int32,
        Self::Int64,
        Self::Uint,
        Self::Uint8,
        Self::Uint16,
        Self::Uint32,
        Self::Uint64,
        Self::Byte,
        Self::Rune,
        Self::Uintptr,
        Self::Float32,
        Self::Float64,
    ];

    /// The scalar with this Go name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scalar| scalar.name() == name)
    }

    /// The Go name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::String => "string",
            Self::Int => "int",
            Self::Int8 => "int8",
            Self::Int16 => "int16",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::Uint => "uint",
            Self::Uint8 => "uint8",
            Self::Uint16 => "uint16",
            Self::Uint32 => "uint32",
            Self::Uint64 => "uint64",
            Self::Byte => "byte",
            Self::Rune => "rune",
            Self::Uintptr => "uintptr",
            Self::Float32 => "float32",
            Self::Float64 => "float64",
        }
    }

    /// The range of an integer type; `int` and `uint` are 64 bits wide. `None` for other scalars.
    #[must_use]
    pub fn range(self) -> Option<(i128, i128)> {
        Some(match self {
            Self::Int | Self::Int64 => (i128::from(i64::MIN), i128::from(i64::MAX)),
            Self::Int8 => (i128::from(i8::MIN), i128::from(i8::MAX)),
            Self::Int16 => (i128::from(i16::MIN), i128::from(i16::MAX)),
            Self::Int32 | Self::Rune => (i128::from(i32::MIN), i128::from(i32::MAX)),
            Self::Uint | Self::Uint64 | Self::Uintptr => (0, i128::from(u64::MAX)),
            Self::Uint8 | Self::Byte => (0, i128::from(u8::MAX)),
            Self::Uint16 => (0, i128::from(u16::MAX)),
            Self::Uint32 => (0, i128::from(u32::MAX)),
            Self::Bool | Self::String | Self::Float32 | Self::Float64 => return None,
        })
    }

    /// Whether the type holds integers.
    #[must_use]
    pub fn is_integer(self) -> bool {
        self.range().is_some()
    }
}
