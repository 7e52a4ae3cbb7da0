//! Reading and checking all of `k8s.io/api` against validation-gen on the same packages, in CPU time.
//!
//! `cargo bench -p kindsmith-cli --bench lint` prints both and their ratio. It needs the Go toolchain to download the
//! module; without it there is nothing to measure, and it says so.
#![allow(clippy::print_stdout, reason = "a benchmark prints")]

mod measure;

use std::fs;
use std::path::{Path, PathBuf};

use kindsmith_cli::files::{Disk, module_cache};
use kindsmith_go::Profile;
use kindsmith_go::package::{Loader, Options};
use kindsmith_lint::Input;
use measure::{cpu_seconds, go, proc};

const RUNS: usize = 20;

fn main() {
    let work = std::env::temp_dir().join("kindsmith-bench");
    let Some(bench) = Bench::prepare(&work) else {
        println!("left out: k8s.io/api (the Go toolchain could not download it)");
        return;
    };
    let ours = bench.ours();
    println!(
        "kindsmith lint of all of {}, CPU time, mean of {RUNS} runs: {:.1} ms",
        bench.api,
        ours * 1e3
    );
    println!("peak memory: {:.1} MB", bench.peak_memory());
    match bench.validation_gen() {
        Some(theirs) => {
            println!(
                "validation-gen on the same packages, CPU time: {:.0} ms",
                theirs * 1e3
            );
            println!("ratio: {:.0}", theirs / ours);
        }
        None => println!("left out: validation-gen (it could not be built)"),
    }
}

struct Bench {
    work: PathBuf,
    api: String,
}

impl Bench {
    /// A module that requires the API and the generator.
    fn prepare(work: &Path) -> Option<Self> {
        fs::create_dir_all(work).ok()?;
        fs::write(work.join("go.mod"), "module bench.local\n\ngo 1.26\n").ok()?;
        let source = "//go:build tools\n\npackage tools\n\nimport (\n\t_ \"k8s.io/api/core/v1\"\n\t_ \
                      \"k8s.io/code-generator/cmd/validation-gen\"\n)\n";
        fs::write(work.join("tools.go"), source).ok()?;
        go(
            work,
            &["get", "k8s.io/api@latest", "k8s.io/code-generator@latest"],
        )?;
        go(work, &["mod", "tidy"])?;
        let api = go(work, &["list", "-m", "-f", "{{.Dir}}", "k8s.io/api"])?;
        Some(Self {
            work: work.to_owned(),
            api: api.trim().to_owned(),
        })
    }

    /// CPU seconds of `kindsmith lint` as a separate process, including start and exit.
    fn ours(&self) -> f64 {
        let pattern = format!("{}/...", self.api);
        let program = Path::new(env!("CARGO_BIN_EXE_kindsmith"));
        // The first run fills the file cache.
        cpu_seconds(program, &["-q", "lint", &pattern], &self.work, 1);
        cpu_seconds(program, &["-q", "lint", &pattern], &self.work, RUNS)
    }

    /// Peak memory of this process in megabytes, after reading and checking everything once.
    fn peak_memory(&self) -> f64 {
        let mut loader = Loader::new(
            &Disk,
            Options {
                module_cache: module_cache(),
                ..Options::default()
            },
        );
        let packages = loader.load(&format!("{}/...", self.api));
        let read = kindsmith_go::read(loader, packages, Profile::Upstream);
        let input = Input::new(&read.schema, &read.origins);
        assert!(read.schema.types().len() > 1000, "all of k8s.io/api was read");
        let findings = kindsmith_lint::check(input);
        let peak = proc("status", |text| {
            let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
            line.split_whitespace().nth(1)?.parse().ok()
        });
        drop((read.diagnostics, findings));
        peak.map_or(f64::NAN, |kilobytes: f64| kilobytes / 1024.0)
    }

    fn validation_gen(&self) -> Option<f64> {
        let binary = self.work.join("validation-gen");
        go(
            &self.work,
            &[
                "build",
                "-o",
                binary.to_str()?,
                "k8s.io/code-generator/cmd/validation-gen",
            ],
        )?;
        let packages = go(&self.work, &["list", "k8s.io/api/..."])?;
        let mut args = vec!["--output-file", "zz_generated.bench.go"];
        for package in READ_ONLY {
            args.extend(["--readonly-pkg", package]);
        }
        args.extend(packages.split_whitespace());
        Some(cpu_seconds(&binary, &args, &self.work, 1))
    }
}

/// The flags that Kubernetes' own code generation script passes.
const READ_ONLY: &[&str] = &[
    "k8s.io/apimachinery/pkg/apis/meta/v1",
    "k8s.io/apimachinery/pkg/api/resource",
    "k8s.io/apimachinery/pkg/runtime",
    "k8s.io/apimachinery/pkg/types",
    "k8s.io/apimachinery/pkg/util/intstr",
    "time",
];
