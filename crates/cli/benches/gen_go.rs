//! `gen go` and `gen openapi` against the Go generators on the same packages, in CPU time: the output tests of
//! code-generator, and the core of `k8s.io/api`.
//!
//! `cargo bench -p kindsmith-cli --bench gen_go` prints both and their ratio. It needs the Go toolchain to download the
//! modules and to build the generators; what cannot be downloaded is skipped and named.
#![allow(clippy::print_stdout, reason = "a benchmark prints")]
#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads its input and the clock"
)]

mod measure;

use std::fs;
use std::path::{Path, PathBuf};

use measure::{cpu_seconds, go};

const RUNS: usize = 10;
const TOOLS: &str = "k8s.io/code-generator";
const OPENAPI: &str = "k8s.io/kube-openapi/cmd/openapi-gen";

fn main() {
    let work = std::env::temp_dir().join("kindsmith-bench-go");
    let Some(module) = prepare(&work) else {
        println!("left out: {TOOLS} (the Go toolchain could not download it)");
        return;
    };
    for (tool, only, output) in [
        ("validation-gen", "validations", "zz_generated.validations.go"),
        ("defaulter-gen", "defaults", "zz_generated.defaults.go"),
    ] {
        let packages = format!("./cmd/{tool}/output_tests/...");
        let ours = ["-q", "gen", "go", &packages, "--only", only];
        let theirs = ["--output-file", output, &packages];
        compare(tool, &format!("{TOOLS}/cmd/{tool}"), &module, &ours, &theirs);
    }
    let packages = ["core/v1", "apps/v1", "batch/v1", "networking/v1"];
    let Some(api) = go(&module, &["list", "-m", "-f", "{{.Dir}}", "k8s.io/api"]) else {
        println!("left out: openapi-gen (k8s.io/api could not be downloaded)");
        return;
    };
    let folders: Vec<String> = packages
        .iter()
        .map(|package| format!("{}/{package}", api.trim()))
        .collect();
    let document = work.join("openapi.json");
    let mut ours = vec![
        "-q",
        "gen",
        "openapi",
        "--v3",
        "--out",
        document.to_str().unwrap_or_default(),
    ];
    ours.extend(folders.iter().map(String::as_str));
    let imports: Vec<String> = packages
        .iter()
        .map(|package| format!("k8s.io/api/{package}"))
        .collect();
    let directory = work.join("openapi");
    let mut theirs = vec![
        "--output-dir",
        directory.to_str().unwrap_or_default(),
        "--output-pkg",
        "bench.local/openapi",
        "--output-file",
        "zz_generated.openapi.go",
        "--report-filename",
        "/dev/null",
    ];
    theirs.extend(imports.iter().map(String::as_str));
    compare("openapi-gen", OPENAPI, &module, &ours, &theirs);
}

/// Prints our CPU time, theirs, and the ratio.
fn compare(tool: &str, package: &str, module: &Path, ours: &[&str], theirs: &[&str]) {
    let program = Path::new(env!("CARGO_BIN_EXE_kindsmith"));
    // The first run fills the file cache.
    cpu_seconds(program, ours, module, 1);
    let ours = cpu_seconds(program, ours, module, RUNS);
    let binary = module.join(tool);
    if go(
        module,
        &[
            "build",
            "-mod=mod",
            "-o",
            binary.to_str().unwrap_or_default(),
            package,
        ],
    )
    .is_none()
    {
        println!(
            "left out: {tool} (it could not be built); ours: {:.1} ms",
            ours * 1e3
        );
        return;
    }
    cpu_seconds(&binary, theirs, module, 1);
    let theirs = cpu_seconds(&binary, theirs, module, 1);
    println!(
        "{tool}: {:.0} ms CPU, ours {:.1} ms; ratio {:.0} (at least 50)",
        theirs * 1e3,
        ours * 1e3,
        theirs / ours
    );
}

/// A writable copy of code-generator that requires the other modules.
fn prepare(work: &Path) -> Option<PathBuf> {
    fs::create_dir_all(work).ok()?;
    let about = go(work, &["mod", "download", "-json", &format!("{TOOLS}@v0.37.2")])?;
    let about: serde_json::Value = serde_json::from_str(&about).ok()?;
    let module = work.join("code-generator");
    if !module.exists() {
        copy(Path::new(about["Dir"].as_str()?), &module)?;
    }
    go(&module, &["get", "k8s.io/api@v0.37.2", OPENAPI])?;
    Some(module)
}

fn copy(from: &Path, to: &Path) -> Option<()> {
    fs::create_dir_all(to).ok()?;
    for entry in fs::read_dir(from).ok()?.flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            // Files in the module cache are read-only; copying the text makes a writable one.
            fs::write(target, fs::read(path).ok()?).ok()?;
        }
    }
    Some(())
}
