//! Shared by the tests of several crates: Go packages to read, recordings, comparisons, and optional tools. A
//! dev-dependency only.

#![allow(clippy::disallowed_methods, reason = "tests read their cases")]

mod draw;
mod go_packages;
pub mod go_toolchain;
pub mod random_types;
mod recordings;
mod report;
pub mod table;
pub mod tool;

pub use draw::Draw;
pub use go_packages::GoPackages;
pub use recordings::{entries, json, name, names, recordings, text};
pub use report::Report;
