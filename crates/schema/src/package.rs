//! Packages of an API and their options for generators.

use crate::{Docs, Str, TypeName};

/// A package whose types are in the schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Package {
    /// Import path.
    pub path: Str,
    /// Name in the package clause.
    pub name: Str,
    /// Whether it is an input package, not one found by following an import.
    pub input: bool,
    /// The package comment.
    pub docs: Docs,
    /// Group of its kinds (`+groupName`); `None` where the package has none.
    pub group: Option<Str>,
    /// The group of its kinds in code: the constant `GroupName`.
    pub group_constant: Option<Str>,
    /// Version of its kinds (`+versionName`), otherwise the package name.
    pub version: Option<Str>,
    /// Options of generators.
    pub options: PackageOptions,
    /// Functions that generated code calls: `SetDefaults_*`, `SetObjectDefaults_*`, `ValidateCustom_*`.
    pub functions: Vec<Function>,
    /// Unexported names of the package, if it is an input package: imports in generated files must avoid
    /// them.
    pub private_names: Vec<Str>,
}

/// Package-level options of generators.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PackageOptions {
    /// `+k8s:validation-gen`: which types are roots; empty when the package does not use validation-gen.
    pub validation: Vec<RootSelector>,
    /// `+k8s:validation-gen-input`.
    pub validation_input: Option<Str>,
    /// `+k8s:validation-gen-scheme-registry`.
    pub scheme_registry: Option<Str>,
    /// `+k8s:validation-gen-test-fixture`.
    pub test_fixture: Option<Str>,
    /// `+k8s:validation-gen-test-targets`.
    pub test_targets: bool,
    /// `+k8s:validation-gen-nolint`.
    pub no_lint: bool,
    /// `+k8s:defaulter-gen`: member names that select types.
    pub defaulter: Vec<Str>,
    /// `+k8s:defaulter-gen-input`.
    pub defaulter_input: Option<Str>,
    /// `+k8s:openapi-gen=true|false`.
    pub openapi: Option<bool>,
    /// `+k8s:openapi-model-package`.
    pub model_package: Option<Str>,
    /// `+kubebuilder:validation:Optional` on the package.
    pub optional_by_default: bool,
    /// `+kubebuilder:skip`.
    pub skip: bool,
    /// Recognized markers without a meaning in the schema: name and value text.
    pub markers: Vec<(Str, Str)>,
}

/// Which types of a package are roots of validation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RootSelector {
    /// All exported types (`*`).
    All,
    /// Structs with a member of this Go name.
    WithField(Str),
    /// Types whose name has this suffix.
    WithSuffix(Str),
}

/// A hand-written function that generated code calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Go name.
    pub name: Str,
    /// Parameter types as written.
    pub params: Vec<Str>,
    /// The declared type that its only parameter points to, in whatever package.
    pub fills: Option<TypeName>,
    /// Result types as written.
    pub results: Vec<Str>,
    /// Whether it is marked as defaulting everything below its type.
    pub covers: bool,
}

impl Package {
    /// A package without options.
    pub fn new(path: impl Into<Str>, name: impl Into<Str>) -> Self {
        Self {
            path: path.into(),
            name: name.into(),
            input: false,
            docs: Docs::default(),
            group: None,
            group_constant: None,
            version: None,
            options: PackageOptions::default(),
            functions: Vec::new(),
            private_names: Vec::new(),
        }
    }
}
