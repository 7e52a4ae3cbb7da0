//! The published Go client libraries against a running server: typed clients over protobuf, informers, leader election,
//! event recorders, dynamic clients (`e2e/go/clients`). Without Go or its modules, a line says so.

use std::process::Command;

use crate::binary::root;
use crate::serving::Serving;
use kindsmith_testkit::tool::{Tool, downloading, left_out, say};

#[test]
fn clients_written_in_go_run_to_completion() {
    let folder = root().join("e2e/go");
    downloading("what e2e/go/go.mod requires");
    let modules = Command::new("go")
        .args(["mod", "download"])
        .current_dir(&folder)
        .output();
    if !modules.is_ok_and(|output| output.status.success()) {
        left_out(Tool::Go, "clients written in Go");
        return;
    }
    let serving = Serving::start();
    let output = serving
        .client("go")
        .args(["run", "-ldflags=-s -w", "./clients"])
        .current_dir(&folder)
        .output()
        .expect("it was there a moment ago");
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(output.status.success(), "{stdout}{stderr}");
    let last = stdout.lines().last().unwrap_or_default();
    say(&format!("clients written in Go: {last}"));
}
