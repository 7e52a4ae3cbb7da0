//! An operator written with controller-runtime (`e2e/webhooks`): its webhooks for defaults, validation and conversion are
//! called, in an environment of envtest and by a server that runs. Without Go or its modules, a line says so.

use std::path::Path;
use std::process::{Command, Output};

use crate::binary::root;
use crate::serving::Serving;
use kindsmith_testkit::tool::{Tool, downloading, left_out, say};

const KINDSMITH: &str = env!("CARGO_BIN_EXE_kindsmith");

#[test]
fn an_operator_with_webhooks_works() {
    let folder = root().join("e2e/webhooks");
    downloading("what e2e/webhooks/go.mod requires");
    let modules = Command::new("go")
        .args(["mod", "download"])
        .current_dir(&folder)
        .output();
    if !modules.is_ok_and(|output| output.status.success()) {
        left_out(Tool::Go, "an operator with webhooks, written in Go");
        return;
    }
    let assets = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("webhooks-{}", std::process::id()));
    let made = Command::new(KINDSMITH)
        .args(["envtest", "assets"])
        .arg(&assets)
        .output();
    check("assets", &made.expect("the binary starts"));
    let mut in_envtest = Command::new("go");
    in_envtest.env("KUBEBUILDER_ASSETS", &assets);
    check("envtest", &test(&mut in_envtest, &folder));
    let serving = Serving::start();
    let mut with_server = serving.client("go");
    with_server.env("USE_EXISTING_CLUSTER", "true");
    let output = test(&mut with_server, &folder);
    check("serve", &output);
    let steps = String::from_utf8_lossy(&output.stdout)
        .matches("    --- PASS")
        .count();
    say(&format!(
        "an operator with webhooks: {steps} steps in envtest and with serve"
    ));
    let _ = std::fs::remove_dir_all(&assets);
}

/// Runs the operator's suite, never from Go's cache of results.
fn test(go: &mut Command, folder: &Path) -> Output {
    let go = go
        .args(["test", "-v", "-count=1", "-vet=off", "-timeout=5m", "."])
        .current_dir(folder);
    go.output().expect("it was there a moment ago")
}

fn check(what: &str, output: &Output) {
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(output.status.success(), "{what}: {stdout}{stderr}");
}

/// What the operator is installed with is what `kindsmith gen` makes of its types and markers.
#[test]
fn the_operators_manifests_are_generated() {
    let output = Command::new(KINDSMITH)
        .args([
            "gen",
            "object",
            "crd:maxDescLen=0",
            "webhook",
            "paths=./...",
            "--check",
        ])
        .arg("output:crd:artifacts:config=config/crd")
        .current_dir(root().join("e2e/webhooks"))
        .output();
    check("gen", &output.expect("the binary starts"));
}
