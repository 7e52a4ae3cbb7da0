//! Go code for the types of a schema: defaulting and validation functions with their registration, and tests that go
//! with them. Drop-in for the output of defaulter-gen and validation-gen: same names, signatures and behavior.
//!
//! Must not know where packages are on disk: a file is known by its package and name.

mod comparable;
mod defaults;
mod file;
mod fixtures;
mod import;
mod text;
mod type_name;
mod validations;

use kindsmith_engine::Profile;
use kindsmith_schema::{Schema, Str};

pub use defaults::defaults;
pub use fixtures::{KindTest, fixtures, kind_tests};
pub use validations::validations;

/// What is asked of the generated code.
#[derive(Debug, Clone)]
pub struct Options {
    /// Text put above every file, as a comment or several; may be empty.
    pub header: String,
    /// Name of the files with validation functions.
    pub validations: String,
    /// Name of the files with defaulting functions.
    pub defaults: String,
    /// Whose reading of the rules is followed.
    pub profile: Profile,
    /// Packages to generate for. Others are left alone even if they ask for code.
    pub packages: Option<Vec<Str>>,
    /// Packages without code of their own whose defaulting functions can be called.
    pub peers: Vec<Str>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            header: String::new(),
            validations: "zz_generated.validations.go".to_owned(),
            defaults: "zz_generated.defaults.go".to_owned(),
            profile: Profile::default(),
            packages: None,
            peers: Vec::new(),
        }
    }
}

/// A generated file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Import path of the package it belongs to.
    pub package: Str,
    /// Its name in the package's directory.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Something that cannot be said in Go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The type it is about.
    pub ty: kindsmith_schema::TypeName,
    /// What is wrong.
    pub message: String,
}

/// What was generated.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Generated {
    /// Files, by package and name.
    pub files: Vec<File>,
    /// What could not be.
    pub problems: Vec<Problem>,
}

impl Options {
    /// The packages that ask for something, in the order of their paths.
    fn selected<'s>(&self, schema: &'s Schema) -> impl Iterator<Item = &'s kindsmith_schema::Package> {
        let named = self.packages.clone();
        schema.packages().iter().filter(move |package| match &named {
            Some(named) => named.contains(&package.path),
            None => package.input,
        })
    }
}
