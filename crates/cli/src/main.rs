//! The `kindsmith` binary: only starts [`kindsmith_cli::run`].

#![allow(clippy::disallowed_methods, reason = "the binary has arguments")]

use std::process::ExitCode;

// Its allocator becomes that of the program.
use kindsmith_allocator as _;

fn main() -> ExitCode {
    kindsmith_cli::run(std::env::args_os().collect())
}
