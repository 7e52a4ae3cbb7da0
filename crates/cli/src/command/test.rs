//! `kindsmith test`: rule tests as YAML tables, run in this process.

mod equivalence;
mod generate;
mod jobs;
mod sources;

use std::path::PathBuf;
use std::time::Instant;

use clap::ValueEnum;
use kindsmith_ruletest::coverage::Coverage;
use kindsmith_ruletest::report::Report;
use kindsmith_ruletest::suite::Suite;
use kindsmith_ruletest::{SCHEMA, suite, update};

use crate::Outcome;
use crate::error::Error;
use crate::release::ReleaseArgs;
use crate::schemas::{CrdsArgs, TypesArgs, find_files};
use crate::terminal::Terminal;
use crate::watch::{self, Sources};
use jobs::Job;
use sources::Schemas;

/// Test the rules of CRDs and Go API types with tables of objects
///
/// Runs every case of the suites in this process, as the Kubernetes API server would answer: defaults, validation,
/// CEL rules, ratcheting, status subresource. A suite is a YAML file with `kind: RuleTests`, or one in the format of
/// openshift/api. What it runs against is named in the suite or with `--crds` and `--types`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith test                                  run all suites below this directory
  kindsmith test api/v1/tests --types ./api/v1    test the tags of Go types
  kindsmith test gate.test.yaml --crds crd.yaml   test a CRD
  kindsmith test --filter 'opens before'          only cases whose name contains a text
  kindsmith test -o junit > report.xml            for continuous integration
  kindsmith test --coverage --min-coverage 90     what no case touches; fail below 90%
  kindsmith test --update                         write the actual answers into failing cases
  kindsmith test --watch                          run again when a file changes
  kindsmith test --generate --crds crd.yaml       propose cases for every rule
  kindsmith test --equivalence old.yaml ./api/v1  do a CRD and Go types give the same answers?
  kindsmith test --schema > rule-tests.json       the JSON schema of suites, for editors")]
pub struct Args {
    /// Suites, or directories of suites
    #[arg(value_name = "PATH", default_value = ".")]
    suites: Vec<PathBuf>,
    #[command(flatten)]
    types: TypesArgs,
    #[command(flatten)]
    crds: CrdsArgs,
    #[command(flatten)]
    release: ReleaseArgs,
    /// Only run cases whose suite or name contains TEXT; may be given more than once
    #[arg(long, value_name = "TEXT")]
    filter: Vec<String>,
    /// How to print results
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "text")]
    output: Format,
    /// Write actual answers into failing cases as the expected ones
    #[arg(long, conflicts_with = "watch")]
    update: bool,
    /// Run again whenever a file changes
    #[arg(long)]
    watch: bool,
    /// Print which rules, defaults, values and transitions no case touches
    #[arg(long)]
    coverage: bool,
    /// Fail if less than PERCENT is covered
    #[arg(long, value_name = "PERCENT")]
    min_coverage: Option<f64>,
    /// Number of threads; as many as there are processors by default
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Print proposed cases: for each rule one object that just keeps it and one that just breaks it
    #[arg(long, conflicts_with_all = ["update", "watch"])]
    generate: bool,
    /// With `--generate`: write one file per kind into DIR instead
    #[arg(long, alias = "output-dir", value_name = "DIR", requires = "generate")]
    out: Option<PathBuf>,
    /// With `--generate` and `--equivalence`: only this kind
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// Compare two descriptions of one API on made-up objects: CRDs or Go packages, perhaps with `@VERSION`
    #[arg(long, value_names = ["A", "B"], num_args = 2)]
    equivalence: Option<Vec<String>>,
    /// With `--equivalence`: how many objects to try for each kind
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    budget: u64,
    /// With `--equivalence`: the same seed tries the same objects
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print the JSON schema of suites
    #[arg(long)]
    schema: bool,
}

/// The format of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people: failures with diffs
    Text,
    /// For scripts: one JSON document
    Json,
    /// For continuous integration: JUnit XML
    Junit,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        if self.schema {
            terminal.print(SCHEMA)?;
            return Ok(Outcome::Clean);
        }
        if let Some(sides) = &self.equivalence {
            return self.compare(&sides[0], &sides[1], terminal);
        }
        if self.generate {
            return self.propose(terminal);
        }
        if !self.watch {
            return self.once(terminal);
        }
        watch::repeat(terminal, &Sources::all(&self.watched()), |_| {
            // A suite with a mistake can be corrected while we wait.
            if let Err(error) = self.once(terminal) {
                terminal.complain(&error);
            }
            Ok(())
        })
    }

    fn once(&self, terminal: &Terminal) -> Result<Outcome, Error> {
        let start = Instant::now();
        let suites = self.read_suites(terminal)?;
        let schemas = Schemas::new(&self.types, &self.crds, self.release.release()?, terminal);
        let mut report = Report::default();
        let jobs: Vec<Job<'_>> = schemas.jobs(&suites, self.jobs, &mut report)?;
        let profile = self.types.profile.into();
        let mut coverage = self.has_coverage().then(Coverage::default);
        report.results = jobs::run(&jobs, profile, self.jobs, coverage.as_mut());
        report.elapsed = start.elapsed();
        if self.update {
            return self.rewrite(&report, &suites, terminal);
        }
        let outcome = self.print(&report, coverage.as_ref(), terminal)?;
        match coverage {
            None => Ok(outcome),
            Some(coverage) => self.judge(outcome, &coverage, terminal),
        }
    }

    fn has_coverage(&self) -> bool {
        self.coverage || self.min_coverage.is_some()
    }

    /// Compares the coverage with the one required.
    fn judge(&self, outcome: Outcome, coverage: &Coverage, terminal: &Terminal) -> Result<Outcome, Error> {
        let percent = coverage.percent();
        terminal.say(&format!("{percent:.1}% covered"));
        match self.min_coverage {
            Some(required) if percent < required => {
                terminal.warn(&format!("{percent:.1}% covered, {required}% required"));
                Ok(Outcome::Findings)
            }
            _ => Ok(outcome),
        }
    }

    fn print(
        &self,
        report: &Report,
        coverage: Option<&Coverage>,
        terminal: &Terminal,
    ) -> Result<Outcome, Error> {
        let text = match self.output {
            Format::Text => report.text() + &coverage.map(Coverage::text).unwrap_or_default(),
            Format::Json => report.json(coverage),
            Format::Junit => report.junit(),
        };
        terminal.print(&text)?;
        terminal.say(&report.summary());
        if report.is_clean() {
            Ok(Outcome::Clean)
        } else {
            Ok(Outcome::Findings)
        }
    }

    /// The suites at the paths, with the cases that the filters leave.
    fn read_suites(&self, terminal: &Terminal) -> Result<Vec<Suite>, Error> {
        let mut suites = Vec::new();
        for path in &self.suites {
            for file in find_files(path)? {
                let text = std::fs::read_to_string(&file).map_err(|error| Error::reading(&file, &error))?;
                let name = file.display().to_string();
                let name = name.strip_prefix("./").unwrap_or(&name);
                let read = suite::read(name, &text).map_err(|error| Error::input(error.to_string()))?;
                suites.extend(read);
            }
        }
        if suites.is_empty() {
            let error = Error::input("no suites found");
            return Err(error.hint("a suite is a YAML file with `kind: RuleTests`; see docs/rule-tests.md"));
        }
        for suite in &mut suites {
            for note in &suite.notes {
                terminal.say(&format!("note: {}: {note}", suite.file));
            }
            let has = |name: &str| self.filter.iter().any(|filter| name.contains(&**filter));
            if !self.filter.is_empty() && !has(&suite.name) && !has(&suite.file) {
                suite.cases.retain(|case| has(&case.name));
            }
        }
        suites.retain(|suite| !suite.cases.is_empty());
        Ok(suites)
    }

    /// Writes actual answers into the files of failing cases.
    fn rewrite(&self, report: &Report, suites: &[Suite], terminal: &Terminal) -> Result<Outcome, Error> {
        let mut changed = 0;
        for suite in suites {
            let path = PathBuf::from(&suite.file);
            let mut text = std::fs::read_to_string(&path).map_err(|error| Error::reading(&path, &error))?;
            let mut is_changed = false;
            // From the last case to the first, so that lines of cases that are still to come stay right.
            let mut cases: Vec<_> = suite.cases.iter().collect();
            cases.sort_by_key(|case| std::cmp::Reverse(case.line));
            for case in cases {
                let is_it = |result: &&_| is_failure_of(result, suite, case);
                let Some(result) = report.results.iter().find(is_it) else {
                    continue;
                };
                let actual = &result.verdict.actual;
                let new =
                    (!actual.is_unprepared).then(|| update::updated(&text, suite.dialect, case, actual));
                match new.flatten() {
                    Some(new) => {
                        text = new;
                        is_changed = true;
                        changed += 1;
                    }
                    None => terminal.warn(&format!(
                        "{}:{}: cannot update {:?}; edit it by hand",
                        suite.file, case.line, case.name
                    )),
                }
            }
            if is_changed {
                let denied = |error| Error::environment(format!("cannot write {}: {error}", suite.file));
                std::fs::write(&path, text).map_err(denied)?;
            }
        }
        terminal.say(&format!("{changed} updated, {} were right", report.passed()));
        if report.broken.is_empty() && changed == report.failed() {
            Ok(Outcome::Clean)
        } else {
            self.print(report, None, terminal)
        }
    }

    /// Everything whose change starts another run.
    fn watched(&self) -> Vec<PathBuf> {
        let mut paths = self.suites.clone();
        paths.extend(self.crds.paths().iter().cloned());
        paths.extend(self.types.directories());
        paths
    }
}

fn is_failure_of(result: &kindsmith_ruletest::report::CaseResult, suite: &Suite, case: &suite::Case) -> bool {
    result.verdict.failure.is_some() && result.file == suite.file && result.line == case.line
}
