//! The `--output` option, and printing findings.

use clap::ValueEnum;
use kindsmith_source::Finding;
use kindsmith_source::render::{Driver, Report};

use crate::Outcome;
use crate::error::Error;
use crate::terminal::Terminal;

/// The output format for findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people: source lines with what is wrong beneath
    Text,
    /// For scripts: one JSON document
    Json,
    /// For code hosts and editors: one SARIF 2.1.0 log
    Sarif,
}

/// The option of every command that reports findings.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Output {
    /// How to print findings
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "text")]
    format: Format,
}

impl Output {
    /// Prints findings and returns the outcome. A SARIF log lists all findings the command looks for.
    ///
    /// # Errors
    ///
    /// If standard output cannot be written.
    pub fn report(
        self,
        terminal: &Terminal,
        report: &Report<'_>,
        findings: &[&'static Finding],
    ) -> Result<Outcome, Error> {
        let summary = report.summary();
        match self.format {
            Format::Text => terminal.print(&report.text(terminal.style()))?,
            Format::Json => terminal.print(&report.json())?,
            Format::Sarif => terminal.print(&report.sarif(&driver(findings)))?,
        }
        terminal.say(&summary.to_string());
        // Notes are information, not complaints.
        if summary.errors + summary.warnings == 0 {
            return Ok(Outcome::Clean);
        }
        Ok(Outcome::Findings)
    }
}

/// An indented document with a final line break.
pub(crate) fn pretty(document: &serde_json::Value) -> String {
    format!("{document:#}\n")
}

fn driver<'a>(findings: &'a [&'static Finding]) -> Driver<'a> {
    Driver {
        name: "kindsmith",
        version: env!("CARGO_PKG_VERSION"),
        information_uri: env!("CARGO_PKG_REPOSITORY"),
        findings,
    }
}
