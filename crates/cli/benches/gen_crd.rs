//! `gen crd` and `gen object` against controller-gen on the same packages, in CPU time: the APIs of cert-manager and kserve,
//! and all recorded packages.
//!
//! `cargo bench -p kindsmith-cli --bench gen_crd` prints both and their ratio. It needs the Go toolchain to download the
//! modules and to build controller-gen; without it only our own time over the recorded packages is printed. kserve is read
//! from the module cache, or from the checkout that `KSERVE` names.
#![allow(clippy::print_stdout, reason = "a benchmark prints")]
#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads its input and the clock"
)]

mod measure;

use std::fs;
use std::path::{Path, PathBuf};

use measure::{cpu_seconds, go};

const RUNS: usize = 20;
/// The programs take turns, so that a change in the machine's load hits both.
const ROUNDS: usize = 7;
const API: &str = "github.com/cert-manager/cert-manager";
const KSERVE: &str = "github.com/kserve/kserve";

fn main() {
    let program = Path::new(env!("CARGO_BIN_EXE_kindsmith"));
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/gen/types/menagerie");
    let words = ["-q", "gen", "crd", "paths=./...", "output:none"];
    println!(
        "kindsmith gen crd of 214 kinds, CPU time, mean of {RUNS} runs: {:.1} ms",
        mean(program, &words, &recorded) * 1e3
    );
    let work = std::env::temp_dir().join("kindsmith-bench-crd");
    let Some((api, controller_gen)) = prepare(&work) else {
        println!("left out: {API} (the Go toolchain could not download it, or not build controller-gen)");
        return;
    };
    for generator in ["crd", "object"] {
        let words = [generator, "paths=./pkg/apis/...", "output:none"];
        compare(API, &words, program, &controller_gen, &api);
    }
    let Some(kserve) = kserve(&work) else {
        println!(
            "left out: {KSERVE} (neither in the module cache nor in the module proxy; KSERVE names a checkout)"
        );
        return;
    };
    // As in its Makefile.
    for generator in [
        "crd:maxDescLen=0",
        "object:headerFile=hack/boilerplate.go.txt,year=2026",
    ] {
        let words = [generator, "paths=./pkg/apis/serving/...", "output:none"];
        compare(KSERVE, &words, program, &controller_gen, &kserve);
    }
}

/// The directory of kserve's source.
fn kserve(work: &Path) -> Option<PathBuf> {
    if let Some(checkout) = std::env::var_os("KSERVE") {
        return Some(PathBuf::from(checkout));
    }
    let about = go(work, &["mod", "download", "-json", &format!("{KSERVE}@latest")])?;
    let about: serde_json::Value = serde_json::from_str(&about).ok()?;
    Some(PathBuf::from(about["Dir"].as_str()?))
}

fn compare(api: &str, words: &[&str], program: &Path, controller_gen: &Path, directory: &Path) {
    let ours: Vec<&str> = ["-q", "gen"].iter().chain(words).copied().collect();
    let generator = words[0];
    // The first runs fill the file cache and the build cache of `go list`.
    cpu_seconds(program, &ours, directory, 1);
    cpu_seconds(controller_gen, words, directory, 1);
    let rounds: Vec<(f64, f64)> = (0..ROUNDS)
        .map(|_| {
            let ours = cpu_seconds(program, &ours, directory, RUNS);
            (ours, cpu_seconds(controller_gen, words, directory, 1))
        })
        .collect();
    let of_ours = median(rounds.iter().map(|(ours, _)| *ours));
    let of_theirs = median(rounds.iter().map(|(_, theirs)| *theirs));
    println!(
        "kindsmith gen {generator} of {api}, CPU time, median of {ROUNDS} rounds: {:.1} ms",
        of_ours * 1e3
    );
    println!(
        "controller-gen on the same packages, CPU time: {:.0} ms",
        of_theirs * 1e3
    );
    println!("ratio: {:.0} (at least 50)", of_theirs / of_ours);
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn mean(program: &Path, words: &[&str], work: &Path) -> f64 {
    // The first run fills the file cache.
    cpu_seconds(program, words, work, 1);
    cpu_seconds(program, words, work, RUNS)
}

/// A copy of the API that Go can build, and the path of controller-gen.
fn prepare(work: &Path) -> Option<(PathBuf, PathBuf)> {
    fs::create_dir_all(work).ok()?;
    fs::write(work.join("go.mod"), "module bench.local\n\ngo 1.26\n").ok()?;
    let source = format!(
        "//go:build tools\n\npackage tools\n\nimport (\n\t_ \"{API}/pkg/apis/certmanager/v1\"\n\t_ \
         \"sigs.k8s.io/controller-tools/cmd/controller-gen\"\n)\n"
    );
    fs::write(work.join("tools.go"), source).ok()?;
    let api = format!("{API}@latest");
    go(work, &["get", &api, "sigs.k8s.io/controller-tools@latest"])?;
    go(work, &["mod", "tidy"])?;
    let binary = work.join("controller-gen");
    let package = "sigs.k8s.io/controller-tools/cmd/controller-gen";
    go(work, &["build", "-o", binary.to_str()?, package])?;
    let directory = go(work, &["list", "-m", "-f", "{{.Dir}}", API])?;
    Some((PathBuf::from(directory.trim()), binary))
}
