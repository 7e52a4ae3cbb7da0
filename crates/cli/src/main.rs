//! The `kindsmith` binary.

fn main() {}
