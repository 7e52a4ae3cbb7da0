//! Reads Go API packages from source alone: no Go toolchain, no type checker. Touches files only through
//! the [`package::Files`] it is given; knows no clock, network or environment.

pub mod constant;
pub mod package;
pub mod syntax;
