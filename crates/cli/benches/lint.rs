//! Reading and checking all of `k8s.io/api` against validation-gen and kube-api-linter on the same packages, in CPU time.
//!
//! `cargo bench -p kindsmith-cli --bench lint` prints them and their ratios. It needs the Go toolchain to download the
//! modules; without it there is nothing to measure, and it says so. `KUBE_API_LINTER` names a directory to take that linter
//! from instead.
#![allow(clippy::print_stdout, reason = "a benchmark prints")]
#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads its input and the clock"
)]

mod measure;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

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
    match bench.kube_api_linter() {
        Some(Linter { rules, theirs }) => {
            let ours = bench.conventions(&rules);
            println!(
                "kube-api-linter's default rules, CPU time: {:.0} ms",
                theirs * 1e3
            );
            println!(
                "kindsmith lint with the same rules, CPU time: {:.1} ms",
                ours * 1e3
            );
            println!("ratio: {:.0}", theirs / ours);
        }
        None => println!("left out: kube-api-linter (it could not be built)"),
    }
}

/// What kube-api-linter needs, in CPU seconds, for these rules.
struct Linter {
    rules: String,
    theirs: f64,
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

    /// CPU seconds of some rules in a process of their own.
    fn conventions(&self, rules: &str) -> f64 {
        let pattern = format!("{}/...", self.api);
        let program = Path::new(env!("CARGO_BIN_EXE_kindsmith"));
        let args = ["-q", "lint", "--select", rules, "-o", "json", &pattern];
        cpu_seconds(program, &args, &self.work, RUNS)
    }

    /// CPU seconds of kube-api-linter alone, without golangci-lint around it and with the build cache of a first run.
    fn kube_api_linter(&self) -> Option<Linter> {
        let work = self.work.join("kube-api-linter");
        fs::create_dir_all(&work).ok()?;
        fs::write(work.join("go.mod"), "module bench.local/kal\n\ngo 1.26\n").ok()?;
        fs::write(work.join("main.go"), LINTER).ok()?;
        if let Ok(directory) = std::env::var("KUBE_API_LINTER") {
            let replace = format!("-replace=sigs.k8s.io/kube-api-linter={directory}");
            go(
                &work,
                &[
                    "mod",
                    "edit",
                    "-require=sigs.k8s.io/kube-api-linter@v0.0.0",
                    &replace,
                ],
            )?;
        }
        let version = self.api.rsplit('@').next()?;
        go(&work, &["get", &format!("k8s.io/api@{version}")])?;
        go(&work, &["mod", "tidy"])?;
        let binary = work.join("linter");
        go(&work, &["build", "-o", binary.to_str()?, "."])?;
        let packages = go(&work, &["list", "k8s.io/api/..."])?;
        let args: Vec<&str> = packages.split_whitespace().collect();
        let names = Command::new(&binary).arg("names").output().ok()?;
        let names = String::from_utf8(names.stdout).ok()?;
        cpu_seconds(&binary, &args, &work, 1);
        Some(Linter {
            rules: names.trim().to_owned(),
            theirs: cpu_seconds(&binary, &args, &work, 1),
        })
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

/// A program with kube-api-linter's default rules and nothing else; `names` prints them.
const LINTER: &str = r#"package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis/multichecker"
	_ "k8s.io/api/core/v1"
	"sigs.k8s.io/kube-api-linter/pkg/analysis/registry"
	"sigs.k8s.io/kube-api-linter/pkg/config"
	_ "sigs.k8s.io/kube-api-linter/pkg/registration"
)

func main() {
	analyzers, err := registry.DefaultRegistry().InitializeLinters(config.Linters{}, config.LintersConfig{})
	if err != nil {
		panic(err)
	}
	if len(os.Args) == 2 && os.Args[1] == "names" {
		var names []string
		for _, analyzer := range analyzers {
			names = append(names, analyzer.Name)
		}
		fmt.Println(strings.Join(names, ","))
		return
	}
	multichecker.Main(analyzers...)
}
"#;

/// The flags that Kubernetes' own code generation script passes.
const READ_ONLY: &[&str] = &[
    "k8s.io/apimachinery/pkg/apis/meta/v1",
    "k8s.io/apimachinery/pkg/api/resource",
    "k8s.io/apimachinery/pkg/runtime",
    "k8s.io/apimachinery/pkg/types",
    "k8s.io/apimachinery/pkg/util/intstr",
    "time",
];
