//! The `--output` options, and printing findings.

use clap::ValueEnum;
use kindsmith_json::Value;
use kindsmith_json::write::{Format as Writer, Order, to_yaml};
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
    /// For CI systems: JUnit XML with a test suite per file
    Junit,
    /// For test harnesses: TAP 14 with a test per file
    Tap,
    /// For GitHub Actions: annotations of the changed lines
    Github,
    /// For people who open it from CI: one HTML file
    Html,
}

/// The output format of commands that print something else than findings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextOrJson {
    /// For people
    #[default]
    Text,
    /// For scripts: one JSON document
    Json,
}

/// The output format for objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ObjectFormat {
    /// YAML documents
    Yaml,
    /// One JSON document per object
    Json,
}

impl ObjectFormat {
    /// An object as one document of a stream.
    pub(crate) fn document(self, object: Value<'_>, order: Order) -> String {
        match self {
            Self::Yaml => format!("---\n{}", to_yaml(object, order)),
            Self::Json => {
                let writer = Writer::default().indent("  ").order(order);
                format!("{}\n", writer.to_string(object))
            }
        }
    }
}

impl Format {
    /// A report in this format. A SARIF log lists all findings the command looks for.
    pub(crate) fn render(
        self,
        terminal: &Terminal,
        report: &Report<'_>,
        findings: &[&'static Finding],
    ) -> String {
        match self {
            Self::Text => report.text(terminal.style()),
            Self::Json => report.json(),
            Self::Sarif => report.sarif(&driver(findings)),
            Self::Junit => report.junit(),
            Self::Tap => report.tap(),
            Self::Github => report.github(),
            Self::Html => report.html(),
        }
    }
}

/// The option of every command that reports findings.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Output {
    /// How to print findings
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "text")]
    format: Format,
}

impl Output {
    /// Prints findings and returns the outcome.
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
        terminal.print(&self.format.render(terminal, report, findings))?;
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
