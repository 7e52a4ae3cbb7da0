//! Reads Go API packages from source alone: no Go toolchain, no type checker. Touches files only through
//! the [`package::Files`] it is given; knows no clock, network or environment.

pub mod constant;
mod feature_gates;
pub mod finding;
mod lower;
pub mod markers;
pub mod package;
mod read;
pub mod syntax;
pub mod types;

pub use feature_gates::FeatureGate;
pub use kindsmith_tags::finding::MARKER_MISUSE;
pub use kindsmith_tags::{Options, Profile};
pub use read::{Read, packages_only, read, read_with};
