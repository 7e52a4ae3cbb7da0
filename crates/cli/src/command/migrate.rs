//! `kindsmith migrate`: APIs moved from one way of stating rules to another, checked before anything is written.

mod crd;
mod files;
mod markers;
mod validation;

use clap::Subcommand;
use kindsmith_go::Read;
use kindsmith_go::finding::GO_SYNTAX;
use kindsmith_source::Diagnostic;
use kindsmith_source::render::Report;

use crate::Outcome;
use crate::error::Error;
use crate::terminal::Terminal;

/// Move APIs to declarative rules
///
/// Every change is checked before it is written: what was generated before and after must be equal, or the difference is
/// shown.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith migrate validation --types ./api/v1 --validation ./validation
                                                        +k8s: tags for hand-written validation
  kindsmith migrate markers ./api/... --write           kubebuilder's markers to +k8s: tags
  kindsmith migrate crd ./crds --out ./api              Go types for CRDs")]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Validation(validation::Args),
    Markers(markers::Args),
    Crd(crd::Args),
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        match self.what {
            What::Validation(args) => args.run(terminal),
            What::Markers(args) => args.run(terminal),
            What::Crd(args) => args.run(terminal),
        }
    }
}

/// Whether a file could not be read to its end, which is told. What it would say is missing then, so nothing is proposed.
fn is_unreadable(read: &Read, terminal: &Terminal) -> bool {
    let is_syntax = |found: &&Diagnostic| found.finding == &GO_SYNTAX;
    let found: Vec<Diagnostic> = read.diagnostics.iter().filter(is_syntax).cloned().collect();
    if !found.is_empty() {
        let report = Report::new(&read.sources, &found);
        terminal.say(report.text(terminal.style()).trim_end());
    }
    !found.is_empty()
}
