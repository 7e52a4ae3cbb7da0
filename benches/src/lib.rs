//! Shared by the benches: timing, tables, and the Go programs to compare with.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

/// The duration of one measurement.
const SPAN: Duration = Duration::from_millis(200);
/// How often to measure; the best result counts, because noise only adds time.
const ROUNDS: u32 = 5;

/// Nanoseconds per call.
pub fn time(mut call: impl FnMut()) -> f64 {
    let mut calls = 1_u32;
    loop {
        let start = Instant::now();
        (0..calls).for_each(|_| call());
        let taken = start.elapsed();
        if taken > SPAN / 4 || calls > 1 << 28 {
            calls = (f64::from(calls) * SPAN.as_secs_f64() / taken.as_secs_f64()).max(1.0) as u32;
            break;
        }
        calls *= 4;
    }
    let round = |_| {
        let start = Instant::now();
        (0..calls).for_each(|_| call());
        start.elapsed().as_nanos() as f64 / f64::from(calls)
    };
    (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min)
}

/// Builds one of the programs in `go/` and runs it; its output is one JSON document. `None` without a Go toolchain.
pub fn go(name: &str, arguments: &[&Path]) -> Option<Value> {
    let home = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let binary = home.join("target").join(format!("go-{name}"));
    let built = Command::new("go")
        .args(["build", "-mod=mod", "-o"])
        .arg(&binary)
        .arg(".")
        .current_dir(home.join("go").join(name))
        .status();
    match built {
        Ok(status) if status.success() => {}
        _ => {
            println!("left out: the peers in Go (no toolchain, or no modules)");
            return None;
        }
    }
    let output = Command::new(binary).args(arguments).output().ok()?;
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(serde_json::from_slice(&output.stdout).expect("the program answers with JSON"))
}

/// A file under `target` for the Go programs.
pub fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("target")
        .join(name);
    std::fs::write(&path, text).expect("target can be written");
    path
}

/// Microseconds, as a table shows them.
pub fn micros(nanos: Option<f64>) -> String {
    nanos.map_or("-".to_owned(), |nanos| format!("{:.2}", nanos / 1000.0))
}
