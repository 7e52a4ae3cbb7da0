//! What all generators share: report, compare or write, and run again when a source changes.

use std::path::PathBuf;

use kindsmith_go::Read;
use kindsmith_go::finding::GO_SYNTAX;
use kindsmith_source::render::Report;
use kindsmith_source::{Diagnostic, Severity, Tool};
use serde_json::{Value, json};

use super::diff;
use super::files::{self, Artifact, Change, State};
use super::marker_help;
use crate::Outcome;
use crate::error::Error;
use crate::input::Profile;
use crate::lost_tags::REFUSED_BY_KEP;
use crate::output::{TextOrJson, pretty};
use crate::terminal::Terminal;
use crate::watch::{self, Sources};

/// Options of every generator.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(super) struct Flow {
    /// Write nothing; fail with a diff if a file is out of date
    #[arg(long)]
    pub(super) check: bool,
    /// Generate again whenever a source changes
    #[arg(long, conflicts_with = "check")]
    pub(super) watch: bool,
    /// How to print the result
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "text")]
    pub(super) format: TextOrJson,
    /// controller-gen's flag: list the markers, with more detail for each further `w`
    #[arg(short = 'w', long = "which-markers", hide = true, action = clap::ArgAction::Count)]
    pub(super) markers: u8,
}

/// The output of a generator.
pub(super) struct Made {
    /// The packages it was generated from.
    pub(super) read: Read,
    /// Generated files.
    pub(super) artifacts: Vec<Artifact>,
    /// Findings. If one is an error, nothing is written.
    pub(super) findings: Vec<Diagnostic>,
    /// Whether files are written in spite of errors.
    pub(super) keeps_going: bool,
    /// The tools whose warnings matter for this output.
    pub(super) tools: &'static [Tool],
    /// Text for standard output.
    pub(super) text: String,
    /// The same for scripts: members of the JSON document.
    pub(super) data: Vec<(&'static str, Value)>,
    /// Files of earlier runs that are no longer generated.
    pub(super) left: Vec<PathBuf>,
}

impl Made {
    /// Files from sources without findings.
    pub(super) fn new(read: Read, artifacts: Vec<Artifact>) -> Self {
        Self {
            read,
            artifacts,
            findings: Vec::new(),
            keeps_going: false,
            tools: &[],
            text: String::new(),
            data: Vec::new(),
            left: Vec::new(),
        }
    }

    /// Drops findings in generated files: after a merge they may contain anything, and are generated again.
    fn without_generated(mut self) -> Self {
        let sources = &self.read.sources;
        self.findings.retain(|finding| {
            let name = sources.file(finding.span.file).name();
            let name = name.rsplit('/').next().unwrap_or(name);
            !(name.starts_with("zz_generated.") && finding.finding == &GO_SYNTAX)
        });
        self
    }

    fn failed(&self) -> bool {
        let is_error = |finding: &Diagnostic| finding.severity == Severity::Error;
        self.findings.iter().any(is_error)
    }
}

impl Flow {
    /// Runs a generator; with `--watch`, again after every change.
    pub(super) fn run(
        self,
        terminal: &Terminal,
        sources: &Sources,
        make: &dyn Fn() -> Result<Made, Error>,
    ) -> Result<Outcome, Error> {
        if let Some(detail) = marker_help::counted(self.markers) {
            terminal.print(&marker_help::text(detail))?;
            return Ok(Outcome::Clean);
        }
        let make = || make().map(Made::without_generated);
        if !self.watch {
            let made = make()?;
            let outcome = self.once(terminal, &made);
            // The process ends here; freeing everything would only take time.
            std::mem::forget(made);
            return outcome;
        }
        self.forever(terminal, sources, &make)
    }

    fn forever(
        self,
        terminal: &Terminal,
        sources: &Sources,
        make: &dyn Fn() -> Result<Made, Error>,
    ) -> Result<Outcome, Error> {
        let mut last: Vec<Artifact> = Vec::new();
        watch::repeat(terminal, sources, |watch| {
            let made = make()?;
            watch.exclude(made.artifacts.iter().map(|file| &*file.path));
            watch.add(&made.read);
            self.once(terminal, &made)?;
            if !made.failed() {
                clear(terminal, &last, &made.artifacts);
                last = made.artifacts;
            }
            Ok(())
        })
    }

    fn once(self, terminal: &Terminal, made: &Made) -> Result<Outcome, Error> {
        let failed = made.failed();
        let changes = match (failed && !made.keeps_going, self.check) {
            (true, _) => Vec::new(),
            (false, true) => files::compare(&made.artifacts)?,
            (false, false) => files::write(&made.artifacts)?,
        };
        match self.format {
            TextOrJson::Text => self.tell(terminal, made, &changes)?,
            TextOrJson::Json => terminal.print(&self.document(made, &changes))?,
        }
        let stale = self.check && changes.iter().any(|change| change.state != State::Unchanged);
        Ok(if failed || stale {
            Outcome::Findings
        } else {
            Outcome::Clean
        })
    }

    fn tell(self, terminal: &Terminal, made: &Made, changes: &[Change]) -> Result<(), Error> {
        let shown = made.diagnostics(!terminal.is_quiet());
        let report = Report::new(&made.read.sources, &shown);
        if !shown.is_empty() {
            terminal.warn(report.text(terminal.style()).trim_end());
        }
        terminal.print(&made.text)?;
        let mut counts = [0, 0];
        for (change, artifact) in changes.iter().zip(&made.artifacts) {
            let changed = change.state != State::Unchanged;
            counts[usize::from(changed)] += 1;
            if changed && self.check {
                let old = change.old.as_deref().unwrap_or_default();
                terminal.print(&diff::unified(&change.path, old, &artifact.text))?;
            } else if changed {
                terminal.say(&format!("{} {}", change.state.verb(), change.path));
            }
        }
        for left in &made.left {
            terminal.say(&format!(
                "{} is left from before and made by nothing any more: remove it",
                left.display()
            ));
        }
        let [same, changed] = counts;
        let verb = if self.check { "out of date" } else { "written" };
        if !changes.is_empty() {
            terminal.say(&format!("{changed} {verb}, {same} unchanged"));
        } else if made.failed() && !made.artifacts.is_empty() {
            terminal.say("nothing written, because of the errors above");
        }
        Ok(())
    }

    /// The JSON document about a run.
    fn document(self, made: &Made, changes: &[Change]) -> String {
        let report = Report::new(&made.read.sources, &made.diagnostics(true)).json();
        let findings: Value = serde_json::from_str(&report).unwrap_or_default();
        let file = |(change, artifact): (&Change, &Artifact)| {
            let mut file = json!({ "path": change.path, "state": change.state.word() });
            if self.check && change.state != State::Unchanged {
                let old = change.old.as_deref().unwrap_or_default();
                file["diff"] = diff::unified(&change.path, old, &artifact.text).into();
            }
            file
        };
        let files: Vec<Value> = changes.iter().zip(&made.artifacts).map(file).collect();
        let left: Vec<_> = made.left.iter().map(|path| path.display().to_string()).collect();
        let mut document = json!({ "files": files, "left": left, "report": findings });
        for (name, value) in &made.data {
            document[*name] = value.clone();
        }
        pretty(&document)
    }
}

/// Whether a finding stops a generator: it is an error, and a tool that the generator replaces rejects the source.
/// Errors of other tools do not stop it.
pub(super) fn stops(finding: &Diagnostic, tools: &[Tool]) -> bool {
    finding.severity == Severity::Error && tools.iter().any(|tool| finding.finding.concerns(*tool))
}

/// Under the KEP's profile every generator refuses the defaults that KEP-1929 forbids, whoever else accepts them.
pub(super) fn refuse_defaults(read: &Read, profile: Profile, findings: &mut Vec<Diagnostic>) {
    if profile != Profile::Kep {
        return;
    }
    for finding in &read.diagnostics {
        let is_known = findings
            .iter()
            .any(|known| known.span == finding.span && known.message == finding.message);
        if REFUSED_BY_KEP.contains(&finding.finding.code()) && !is_known {
            findings.push(Diagnostic {
                severity: Severity::Error,
                ..finding.clone()
            });
        }
    }
}

/// Removes files that the last round generated and this one does not: their kind or package is gone.
fn clear(terminal: &Terminal, last: &[Artifact], now: &[Artifact]) {
    for old in last {
        let is_gone = now.iter().all(|artifact| artifact.path != old.path);
        if is_gone && files::remove(old) {
            terminal.say(&format!("removed {}", old.path.display()));
        }
    }
}
