//! Tags that are misspelt or misused and yet in nobody's way: generators go on without them, but say so.

use kindsmith_source::{Diagnostic, Severity};

use super::flow::Made;

/// What is found in tags alone. Values of defaults are judged where they end up.
const CODES: [&str; 18] = [
    "block-comment",
    "default-form",
    "default-syntax",
    "detached-tag",
    "marker-duplicate",
    "marker-ignored",
    "marker-member",
    "marker-misuse",
    "marker-placement",
    "marker-syntax",
    "marker-value",
    "misplaced-tag",
    "tag-misuse",
    "tag-scope",
    "tag-syntax",
    "trailing-tag",
    "union-misuse",
    "unknown-tag",
];

impl Made {
    /// The findings, and if wanted the hints behind them. Nothing is told twice.
    pub(super) fn diagnostics(&self, with_hints: bool) -> Vec<Diagnostic> {
        let hints = self
            .read
            .diagnostics
            .iter()
            .filter(|hint| with_hints && self.is_hint(hint));
        self.findings.iter().chain(hints).cloned().collect()
    }

    fn is_hint(&self, hint: &Diagnostic) -> bool {
        let is_same = |found: &Diagnostic| found.span == hint.span && found.message == hint.message;
        let upstream = hint.upstream.as_deref().unwrap_or_default();
        hint.severity == Severity::Warning
            && CODES.contains(&hint.code)
            && !self.others.iter().any(|tool| upstream.starts_with(tool))
            && !self.findings.iter().any(is_same)
    }
}
