//! Packages: which files form one, how imports are resolved, and loading on demand. Reads files only through
//! [`Files`]; knows no schema.

mod builtin;
mod constraint;
mod files;
mod gomod;
mod import_order;
mod index;
mod loader;
mod modules;
mod pattern;
#[cfg(test)]
mod tests;

pub use constraint::{Build, file_name_fits, source_fits};
pub use files::{Entry, Files, MemoryFiles};
pub use gomod::{GoMod, GoWork, Replacement, Requirement};
pub(crate) use index::FilePlace;
pub use index::{Package, PackageId};
pub(crate) use loader::built_in_path;
pub use loader::{Imported, Loader, Options};
pub use modules::escape_path;
