//! What all generators do around their work: report, compare or write, and start again when a source changes.

use std::time::SystemTime;

use kindsmith_go::Read;
use kindsmith_source::render::Report;
use kindsmith_source::{Diagnostic, Severity};
use serde_json::json;

use super::diff;
use super::files::{self, Artifact, Change, State};
use super::watch::Watch;
use crate::Outcome;
use crate::error::Error;
use crate::output::pretty;
use crate::terminal::Terminal;

/// Options of every generator.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(super) struct Flow {
    /// Write nothing; fail and show a diff if a file is out of date
    #[arg(long)]
    pub(super) check: bool,
    /// Generate again whenever a source changes
    #[arg(long, conflicts_with = "check")]
    pub(super) watch: bool,
    /// How to print what was done
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "text")]
    pub(super) format: Format,
}

/// The shape the account of a run is printed in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// For people
    #[default]
    Text,
    /// For scripts: one JSON document
    Json,
}

/// What a generator made.
pub(super) struct Made {
    /// What it was made from.
    pub(super) read: Read,
    /// Files to be.
    pub(super) artifacts: Vec<Artifact>,
    /// What is wrong. With an error among them nothing is written.
    pub(super) findings: Vec<Diagnostic>,
    /// Text for standard output.
    pub(super) text: String,
}

impl Flow {
    /// Runs a generator.
    pub(super) fn run(
        self,
        terminal: &Terminal,
        make: &dyn Fn() -> Result<Made, Error>,
    ) -> Result<Outcome, Error> {
        if !self.watch {
            let made = make()?;
            let outcome = self.once(terminal, &made);
            // The process ends here: taking everything apart again would be work for nothing.
            std::mem::forget(made);
            return outcome;
        }
        self.forever(terminal, make)
    }

    fn forever(self, terminal: &Terminal, make: &dyn Fn() -> Result<Made, Error>) -> Result<Outcome, Error> {
        let start = SystemTime::now();
        let mut made = make()?;
        let mut watch = Watch::new(&made.read, start);
        loop {
            self.once(terminal, &made)?;
            made = loop {
                watch.wait();
                let start = SystemTime::now();
                match make() {
                    Ok(made) => {
                        watch = Watch::new(&made.read, start);
                        break made;
                    }
                    // What cannot be read now may be readable after the next save.
                    Err(error) => {
                        terminal.complain(&error);
                        watch = watch.again();
                    }
                }
            };
        }
    }

    fn once(self, terminal: &Terminal, made: &Made) -> Result<Outcome, Error> {
        let failed = made
            .findings
            .iter()
            .any(|finding| finding.severity == Severity::Error);
        let changes = match (failed, self.check) {
            (true, _) => Vec::new(),
            (false, true) => files::compare(&made.artifacts)?,
            (false, false) => files::write(&made.artifacts)?,
        };
        match self.format {
            Format::Text => self.tell(terminal, made, &changes)?,
            Format::Json => terminal.print(&document(made, &changes))?,
        }
        let stale = self.check && changes.iter().any(|change| change.state != State::Unchanged);
        Ok(match failed || stale {
            true => Outcome::Findings,
            false => Outcome::Clean,
        })
    }

    fn tell(self, terminal: &Terminal, made: &Made, changes: &[Change]) -> Result<(), Error> {
        let report = Report::new(&made.read.sources, &made.findings);
        if !made.findings.is_empty() {
            terminal.warn(report.text(terminal.style()).trim_end());
        }
        terminal.print(&made.text)?;
        let mut counts = [0, 0];
        for (change, artifact) in changes.iter().zip(&made.artifacts) {
            let changed = change.state != State::Unchanged;
            counts[usize::from(changed)] += 1;
            match changed {
                true if self.check => {
                    let old = change.old.as_deref().unwrap_or_default();
                    terminal.print(&diff::unified(&change.path, old, &artifact.text))?;
                }
                true => terminal.say(&format!("{} {}", change.state.verb(), change.path)),
                false => {}
            }
        }
        let [same, changed] = counts;
        let verb = if self.check { "out of date" } else { "written" };
        if !changes.is_empty() {
            terminal.say(&format!("{changed} {verb}, {same} unchanged"));
        }
        Ok(())
    }
}

fn document(made: &Made, changes: &[Change]) -> String {
    let report = Report::new(&made.read.sources, &made.findings).json();
    let findings: serde_json::Value = serde_json::from_str(&report).unwrap_or_default();
    let files: Vec<_> = changes
        .iter()
        .map(|change| json!({ "path": change.path, "state": change.state.word() }))
        .collect();
    pretty(&json!({ "files": files, "report": findings }))
}
