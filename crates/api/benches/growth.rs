//! How the work of a request grows with its size: the instructions of each case of `tests/linear` at three sizes, each four
//! times the one before. From one to the next a linear case adds four times as much, a quadratic one sixteen times. Ends
//! with 1 if one grows faster than its size.
//!
//! `cargo bench -p kindsmith-api --bench growth`, which needs valgrind.

#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads its input and the clock"
)]
#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

#[path = "../tests/linear/cases.rs"]
mod cases;
#[path = "../tests/writing/server.rs"]
#[expect(dead_code, reason = "the bench needs few of the helpers")]
mod server;

use std::process::{Command, ExitCode};

use cases::{CASES, Case, DEFINITIONS, EMPTY, READS, Step};
use server::Server;

/// Trees add a level, tables are made anew when they are full.
const MOST: f64 = 6.0;

/// Valgrind counts what happens in here.
#[inline(never)]
fn counted(server: &Server, step: &Step) -> (u16, String) {
    server.ask_bytes(step.method, &step.target, step.media, &step.body)
}

/// Sends the requests of a case, and counts the last one.
fn send(steps: &[Step]) {
    let server = Server::default();
    let (last, before) = steps.split_last().expect("a case has steps");
    for step in before {
        server.ask_bytes(step.method, &step.target, step.media, &step.body);
    }
    let (status, answer) = counted(&server, last);
    let is_read = last.method == "GET" || last.target == DEFINITIONS;
    let limit = if is_read { 300 } else { 500 };
    assert!(status < limit, "{}: {status} {answer:.300}", last.target);
}

/// The instructions of a case, counted in a process of its own.
fn instructions(number: usize, size: usize) -> Option<u64> {
    let own = std::env::current_exe().ok()?;
    let done = Command::new("valgrind")
        .args([
            "--tool=callgrind",
            "--callgrind-out-file=/dev/null",
            "--toggle-collect=*counted*",
        ])
        .arg(own)
        .args(["--only", &number.to_string(), &size.to_string()])
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&done.stderr);
    let count = said.lines().find_map(|line| line.split_once("Collected :"))?;
    count.1.trim().parse().ok().filter(|_| done.status.success())
}

fn main() -> ExitCode {
    let cases: Vec<(usize, &Case)> = CASES
        .iter()
        .chain(&EMPTY)
        .map(|case| (500, case))
        .chain(READS.iter().map(|case| (50, case)))
        .collect();
    let words: Vec<String> = std::env::args().collect();
    if let Some(at) = words.iter().position(|word| word == "--only") {
        let number = |word: &str| word.parse::<usize>().expect("a number");
        let (_, (_, steps)) = cases[number(&words[at + 1])];
        send(&steps(number(&words[at + 2])));
        return ExitCode::SUCCESS;
    }
    let mut code = ExitCode::SUCCESS;
    println!(
        "{:>14} {:>14} {:>14} {:>7}",
        "size", "four times", "sixteen times", "growth"
    );
    for (index, (size, (name, _))) in cases.iter().enumerate() {
        let counts = [1, 4, 16].map(|times| instructions(index, times * size));
        let [Some(small), Some(middle), Some(large)] = counts else {
            println!("{name}: valgrind is not there, or the case fails");
            return ExitCode::FAILURE;
        };
        // What every request costs is in all of them.
        let growth = large.saturating_sub(middle) as f64 / middle.saturating_sub(small).max(1) as f64;
        println!("{small:>14} {middle:>14} {large:>14} {growth:>7.1}  {name}");
        if growth > MOST {
            code = ExitCode::FAILURE;
        }
    }
    code
}
