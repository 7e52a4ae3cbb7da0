//! The use of a type, as Go has it.

use std::borrow::Cow;

use crate::Text;

/// The use of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GoType {
    /// A scalar by its name in Go, such as `int32`.
    Scalar(&'static str),
    /// A type of the same package.
    Named(Text),
    /// A type of another package.
    Imported {
        /// The import path.
        package: Text,
        /// The name.
        name: Text,
    },
    /// A value that may be absent.
    Pointer(Box<GoType>),
    /// A list.
    List(Box<GoType>),
    /// A map.
    Map(Box<GoType>, Box<GoType>),
}

impl GoType {
    /// A type of another package.
    #[must_use]
    pub const fn imported(package: &'static str, name: &'static str) -> Self {
        Self::Imported {
            package: Cow::Borrowed(package),
            name: Cow::Borrowed(name),
        }
    }

    /// A type by its full name in Go, such as `k8s.io/api/core/v1.PodSpec`, or by its name alone.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        match text.rsplit_once('.') {
            Some((package, name)) => Self::Imported {
                package: package.to_owned().into(),
                name: name.to_owned().into(),
            },
            None => Self::Named(text.to_owned().into()),
        }
    }

    /// The type of a value that may be absent. Lists and maps can be absent without a pointer.
    #[must_use]
    pub fn or_absent(self) -> Self {
        match self {
            Self::Pointer(_) | Self::List(_) | Self::Map(..) => self,
            other => Self::Pointer(Box::new(other)),
        }
    }

    /// A list of the type.
    #[must_use]
    pub fn list(self) -> Self {
        Self::List(Box::new(self))
    }

    /// A map from a key to the type.
    #[must_use]
    pub fn map_from(self, key: Self) -> Self {
        Self::Map(Box::new(key), Box::new(self))
    }

    /// A value with rules of its own: not behind a pointer.
    #[must_use]
    pub fn value(&self) -> &Self {
        match self {
            Self::Pointer(inner) => inner.value(),
            other => other,
        }
    }
}
