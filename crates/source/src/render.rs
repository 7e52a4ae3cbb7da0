//! Renders findings as text for people and as documents for machines. Decides how a finding looks, not whether it is
//! one, and touches no terminal: the caller passes colors and width and gets a string.

mod json;
mod marks;
mod region;
mod sarif;
mod summary;
mod text;
mod window;

use crate::{Diagnostic, SourceMap};

pub use sarif::Driver;
pub use summary::Summary;
pub use text::Style;

/// The findings of one run in the order they are shown: by file name, then position, then code.
#[derive(Debug)]
pub struct Report<'a> {
    sources: &'a SourceMap,
    diagnostics: Vec<&'a Diagnostic>,
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
                diagnostic.code(),
                &diagnostic.message,
            )
        });
        Self { sources, diagnostics }
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
}

/// An indented document with a line break at its end.
fn pretty(document: &impl serde::Serialize) -> String {
    let mut text =
        serde_json::to_string_pretty(document).expect("string keys and plain values always serialize");
    text.push('\n');
    text
}
