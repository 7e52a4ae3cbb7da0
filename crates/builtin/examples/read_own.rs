//! Measures how long reading the server's own kinds takes: `cargo run --release -p kindsmith-builtin --example
//! read_own`.

#![allow(clippy::disallowed_methods, reason = "an example reads what it shows")]

use std::io::Write as _;
use std::sync::Arc;
use std::time::Instant;

use kindsmith_builtin::{protobuf::Codec, types};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout();
    for _ in 0..rounds() {
        let start = Instant::now();
        let schema = Arc::new(types::read_own().schema);
        let read = start.elapsed();
        let codec = Codec::new(&schema);
        let learned = start.elapsed().checked_sub(read).unwrap();
        let supported = schema.types().filter(|(id, _)| codec.supports(*id)).count();
        let types = schema.types().len();
        writeln!(
            out,
            "{types} types in {read:?}, {supported} messages in {learned:?}"
        )?;
    }
    Ok(())
}

/// How often to read, from the command line.
fn rounds() -> usize {
    let given = std::env::args().nth(1);
    given.and_then(|text| text.parse().ok()).unwrap_or(5)
}
