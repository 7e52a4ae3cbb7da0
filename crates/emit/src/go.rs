//! Go code for the types of a schema: defaulting and validation functions with their registration, and tests that go
//! with them. Drop-in for the output of defaulter-gen and validation-gen: same names, signatures and behavior.
//!
//! Must not know where packages are on disk: a file is identified by its package and name.

mod comparable;
mod defaults;
mod file;
mod fixtures;
mod generated;
mod import;
mod text;
mod type_name;
mod validations;

pub use defaults::defaults;
pub use fixtures::{Exclusion, KindTest, fixtures, kind_tests};
pub use generated::{BUILD_TAG, File, Generated, Options, Problem};
pub use validations::validations;
