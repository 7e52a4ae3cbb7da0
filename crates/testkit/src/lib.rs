//! What tests of several crates share: Go packages to read, recordings, comparisons, and tools that may be missing. A
//! dev-dependency only.

mod go_packages;
pub mod random_types;
mod recordings;
mod report;
pub mod table;
pub mod tool;

pub use go_packages::GoPackages;
pub use recordings::{entries, json, name, names, recordings, text};
pub use report::Report;
