//! Without a build script, cargo does not look at the dependencies of one.

fn main() {}
