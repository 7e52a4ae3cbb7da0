//! Names of types.

use std::fmt;
use std::sync::Arc;

/// Shared immutable text.
pub type Str = Arc<str>;

/// The full name of a type: the import path of its package and its own name.
///
/// Builtin types have no [`TypeName`]; an instantiated generic type includes its arguments in `name`, as
/// `List[string]`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeName {
    /// Import path of the declaring package.
    pub package: Str,
    /// Name inside the package.
    pub name: Str,
}

impl TypeName {
    /// The name `name` in the package with import path `package`.
    pub fn new(package: impl Into<Str>, name: impl Into<Str>) -> Self {
        Self {
            package: package.into(),
            name: name.into(),
        }
    }

    /// Whether other packages can use the type.
    #[must_use]
    pub fn is_exported(&self) -> bool {
        self.name.chars().next().is_some_and(char::is_uppercase)
    }
}

impl fmt::Display for TypeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.package.is_empty() {
            f.write_str(&self.name)
        } else {
            write!(f, "{}.{}", self.package, self.name)
        }
    }
}
