//! Renders findings as text for people and as documents for machines. Decides how a finding looks, not whether it is
//! one, and touches no terminal: the caller passes colors and width and gets a string.

mod github;
pub mod html;
mod json;
mod junit;
mod marks;
mod region;
mod sarif;
mod summary;
mod tap;
mod text;
mod window;

use std::collections::BTreeMap;

use crate::{Diagnostic, FileId, Severity, SourceMap};

pub use sarif::Driver;
pub use summary::Summary;
pub use text::Style;

/// The findings of one run in the order they are shown: by file name, then position, then code.
#[derive(Debug)]
pub struct Report<'a> {
    sources: &'a SourceMap,
    diagnostics: Vec<&'a Diagnostic>,
    /// Files that were looked at, with or without findings.
    covered: Vec<FileId>,
}

impl<'a> Report<'a> {
    /// Sorts findings; the input order does not matter.
    #[must_use]
    pub fn new(sources: &'a SourceMap, diagnostics: impl IntoIterator<Item = &'a Diagnostic>) -> Self {
        let mut diagnostics: Vec<_> = diagnostics.into_iter().collect();
        diagnostics.sort_by_key(|diagnostic| {
            let span = diagnostic.span;
            (
                sources.file(span.file).name(),
                span,
                // What is not a mistake of its own comes last.
                diagnostic.severity == Severity::Note,
                diagnostic.code(),
                &diagnostic.message,
            )
        });
        Self {
            sources,
            diagnostics,
            covered: Vec::new(),
        }
    }

    /// Adds files that were looked at, so that formats for test results can say that they pass.
    #[must_use]
    pub fn covering(mut self, files: impl IntoIterator<Item = FileId>) -> Self {
        self.covered.extend(files);
        self
    }

    /// How many findings of which severity there are.
    #[must_use]
    pub fn summary(&self) -> Summary {
        Summary::of(self)
    }

    /// The findings in the style of rustc, each followed by an empty line. Without the summary.
    #[must_use]
    pub fn text(&self, style: Style) -> String {
        text::render(self, style)
    }

    /// One JSON document: `{"diagnostics": [...], "summary": {...}}`.
    #[must_use]
    pub fn json(&self) -> String {
        json::render(self)
    }

    /// One SARIF 2.1.0 log with one run of `driver`.
    #[must_use]
    pub fn sarif(&self, driver: &Driver<'_>) -> String {
        sarif::render(self, driver)
    }

    /// JUnit XML: a test suite per file.
    #[must_use]
    pub fn junit(&self) -> String {
        junit::render(self)
    }

    /// TAP 14: a test per file.
    #[must_use]
    pub fn tap(&self) -> String {
        tap::render(self)
    }

    /// GitHub's workflow commands, one per finding.
    #[must_use]
    pub fn github(&self) -> String {
        github::render(self)
    }

    /// One self-contained HTML document.
    #[must_use]
    pub fn html(&self) -> String {
        html::render(self)
    }
}

impl<'a> Report<'a> {
    /// The findings of each file, by name; files without findings are those that were covered.
    fn by_file(&self) -> Vec<(&'a str, Vec<&'a Diagnostic>)> {
        let mut files: BTreeMap<&str, Vec<&Diagnostic>> = BTreeMap::new();
        for file in &self.covered {
            files.entry(self.sources.file(*file).name()).or_default();
        }
        for found in &self.diagnostics {
            let name = self.sources.file(found.span.file).name();
            files.entry(name).or_default().push(found);
        }
        files.into_iter().collect()
    }
}

/// An indented document with a line break at its end.
fn pretty(document: &impl serde::Serialize) -> String {
    let mut text =
        serde_json::to_string_pretty(document).expect("string keys and plain values always serialize");
    text.push('\n');
    text
}
