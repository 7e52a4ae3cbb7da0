//! CPU times of programs, and the Go toolchain that builds the tools we compare with.
#![allow(dead_code, reason = "each benchmark uses a part of this module")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The output of the Go toolchain; `None` if it fails.
pub(crate) fn go(work: &Path, args: &[&str]) -> Option<String> {
    let output = Command::new("go")
        .args(args)
        .current_dir(work)
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Mean CPU seconds of a program over some runs, as the kernel counts them for child processes.
pub(crate) fn cpu_seconds(program: &Path, args: &[&str], work: &Path, runs: usize) -> f64 {
    let before = children_ticks();
    for _ in 0..runs {
        let mut command = Command::new(program);
        let status = command
            .args(args)
            .current_dir(work)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        status.expect("the program starts");
    }
    (children_ticks() - before) / TICKS_PER_SECOND / runs as f64
}

/// The unit of times in `/proc` on Linux.
const TICKS_PER_SECOND: f64 = 100.0;

fn children_ticks() -> f64 {
    let ticks = proc("stat", |text| {
        // The program's name may contain spaces; the numbers follow its closing parenthesis.
        let numbers: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        Some(numbers.get(13)?.parse::<f64>().ok()? + numbers.get(14)?.parse::<f64>().ok()?)
    });
    ticks.expect("Linux reports the times of child processes")
}

/// Reads a value from a file below `/proc/self`.
pub(crate) fn proc<T>(file: &str, read: impl Fn(&str) -> Option<T>) -> Option<T> {
    read(&fs::read_to_string(format!("/proc/self/{file}")).ok()?)
}
