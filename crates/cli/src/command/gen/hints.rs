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

/// What to tell of the sources besides the findings. Nothing is told twice.
pub(super) fn of(made: &Made) -> Vec<Diagnostic> {
    let is_new = |hint: &Diagnostic| {
        let is_same = |found: &Diagnostic| found.span == hint.span && found.message == hint.message;
        !made.findings.iter().any(is_same)
    };
    let concerns = |hint: &Diagnostic| {
        let upstream = hint.upstream.as_deref().unwrap_or_default();
        !made.others.iter().any(|tool| upstream.starts_with(tool))
    };
    let hints = made.read.diagnostics.iter().filter(|hint| {
        hint.severity == Severity::Warning && CODES.contains(&hint.code) && concerns(hint) && is_new(hint)
    });
    hints.cloned().collect()
}
