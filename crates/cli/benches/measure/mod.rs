//! CPU times of programs, and the Go toolchain that builds those of others.
#![allow(dead_code, reason = "every benchmark uses its own part")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// What the Go toolchain prints, or nothing if it fails.
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

/// Mean CPU seconds of a program over some runs, as the kernel counts them for children of this process.
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

/// What Linux reports times in.
const TICKS_PER_SECOND: f64 = 100.0;

fn children_ticks() -> f64 {
    let ticks = proc("stat", |text| {
        // The name of the program may hold blanks; numbers follow its closing parenthesis.
        let numbers: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        Some(numbers.get(13)?.parse::<f64>().ok()? + numbers.get(14)?.parse::<f64>().ok()?)
    });
    ticks.expect("Linux tells the times of children")
}

/// Part of a file about this process.
pub(crate) fn proc<T>(file: &str, read: impl Fn(&str) -> Option<T>) -> Option<T> {
    read(&fs::read_to_string(format!("/proc/self/{file}")).ok()?)
}
