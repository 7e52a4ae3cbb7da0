//! `kindsmith lint`: what is wrong with the tags and types of Go API packages.

mod baseline;
mod config;
mod fix;
mod watch;

use std::path::PathBuf;

use kindsmith_go::Read;
use kindsmith_lint::Config;
use kindsmith_source::Diagnostic;
use kindsmith_source::render::Report;

use crate::Outcome;
use crate::crd_findings;
use crate::error::Error;
use crate::input::{Input, Profile};
use crate::output::Output;
use crate::registry;
use crate::release::ReleaseArgs;
use crate::rule_page;
use crate::terminal::Terminal;

/// Check the types and tags of Go API packages
///
/// Reads packages from source, without a Go toolchain, and reports every misused, misspelled or misplaced tag with its
/// place and how to fix it. If Kubernetes' generators reject a package, the finding has their error text. Rules are
/// switched on by what a package is: an API compiled into a server, or custom resources.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith lint ./api/v1                       one package
  kindsmith lint ./...                          all packages below this directory
  kindsmith lint api/v1/types.go                findings in one file
  kindsmith lint ./... --extend-select conventions
                                                also kube-api-linter's conventions
  kindsmith lint ./... --fix                    fix what is safe to fix
  kindsmith lint --explain list-type            the page of one rule
  kindsmith lint ./... --write-baseline known.txt
  kindsmith lint ./... --baseline known.txt     only what is new since then
  kindsmith lint ./api/... -o sarif > out.sarif for a code host
  kindsmith lint ./api/v1 --module example.org/other=../other
                                                read another module from its directory")]
pub struct Args {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    release: ReleaseArgs,
    /// Do not check this package's types, like validation-gen's flag of the same name
    #[arg(long = "readonly-pkg", value_name = "IMPORT_PATH")]
    read_only: Vec<String>,
    /// Settings instead of those in the nearest `kindsmith.toml`
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Run only these rules: codes, kube-api-linter's names, `all`, `default`, `conventions`, or a tool
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    select: Vec<String>,
    /// Run these rules too
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    extend_select: Vec<String>,
    /// Do not run these rules
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    ignore: Vec<String>,
    /// Make the fixes that are safe, then report the rest
    #[arg(long)]
    fix: bool,
    /// With --fix: also make fixes that change the API or its Go types
    #[arg(long = "unsafe", requires = "fix")]
    all_fixes: bool,
    /// Explain a rule instead
    #[arg(long, value_name = "CODE")]
    explain: Option<String>,
    /// Report only findings that this file does not list
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write today's findings to a file for --baseline
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    write_baseline: Option<PathBuf>,
    /// Lint again whenever a file changes
    #[arg(long)]
    watch: bool,
    #[command(flatten)]
    output: Output,
}

/// Rules that are on with `--profile kep`: KEP-1929 warns about `omitempty` on structs.
const RULES_OF_KEP: [&str; 1] = ["struct-omitempty"];

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        if let Some(code) = &self.explain {
            terminal.print(&rule_page::page(rule_page::finding(code)?))?;
            return Ok(Outcome::Clean);
        }
        if self.watch {
            return watch::run(&self, terminal);
        }
        let (outcome, read) = self.once(terminal)?;
        // The process ends here; freeing a large schema would take a tenth of the run.
        std::mem::forget(read);
        Ok(outcome)
    }

    /// Lints once, and returns what was read for those who want to know the files.
    fn once(&self, terminal: &Terminal) -> Result<(Outcome, Read), Error> {
        let mut config = config::read(self)?;
        if self.input.profile() == Profile::Kep && config.select.is_empty() {
            config.extend_select.extend(RULES_OF_KEP.map(str::to_owned));
        }
        if self.fix {
            fix::apply(self, terminal, &config)?;
        }
        let mut read = self.input.read(terminal)?;
        let mut findings = self.findings(&mut read, &config);
        if let Some(path) = &self.write_baseline {
            baseline::write(terminal, path, &read.sources, &findings)?;
            return Ok((Outcome::Clean, read));
        }
        if let Some(path) = &self.baseline {
            findings = baseline::new_ones(terminal, path, &read.sources, findings)?;
        }
        let report = Report::new(&read.sources, &findings);
        let outcome = self.output.report(terminal, &report, &registry::sources())?;
        Ok((outcome, read))
    }

    fn findings(&self, read: &mut Read, config: &Config) -> Vec<Diagnostic> {
        let mut diagnostics = std::mem::take(&mut read.diagnostics);
        diagnostics.extend(crd_findings::findings(read, config));
        let read_only = self.read_only.iter().map(String::as_str);
        let read_only: Vec<String> = read_only
            .chain(kindsmith_lint::READ_ONLY)
            .map(str::to_owned)
            .collect();
        let input = kindsmith_lint::Input {
            read_only: &read_only,
            included: kindsmith_lint::Included::Asked,
            profile: self.input.profile().into(),
            ..kindsmith_lint::Input::new(&read.schema, &read.origins)
        };
        let input = input
            .with_source(&read.sources, &read.declarations)
            .with_config(config);
        kindsmith_lint::lint(input, diagnostics)
    }
}
