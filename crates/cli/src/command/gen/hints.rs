//! Hints about misspelled or misused tags that do not stop a generator.

use kindsmith_go::finding::TRAILING_TAG;
use kindsmith_source::{Diagnostic, Finding, Severity};
use kindsmith_tags::finding::{
    BLOCK_COMMENT, CLIENT_TAG, CRD_SCOPE, DEFAULT_ARGUMENTS, DEFAULT_EMPTY, DEFAULT_FORM, DEFAULT_SYNTAX,
    DEFAULTER_TAG, DETACHED_TAG, MARKER_DUPLICATE, MARKER_IGNORED, MARKER_MEMBER, MARKER_MISUSE,
    MARKER_PLACEMENT, MARKER_SYNTAX, MARKER_VALUE, MISPLACED_TAG, TAG_MISUSE, TAG_SCOPE, TAG_SYNTAX,
    TAG_VALUE, TYPE_DEFAULT_SYNTAX, UNION_MISUSE, UNKNOWN_NESTED_TAG, UNKNOWN_TAG,
};

use super::flow::Made;

/// Findings about tags alone. Default values are checked where they are used.
static HINTS: [&Finding; 26] = [
    &BLOCK_COMMENT,
    &CLIENT_TAG,
    &CRD_SCOPE,
    &DEFAULT_ARGUMENTS,
    &DEFAULT_EMPTY,
    &DEFAULT_FORM,
    &DEFAULT_SYNTAX,
    &DEFAULTER_TAG,
    &DETACHED_TAG,
    &MARKER_DUPLICATE,
    &MARKER_IGNORED,
    &MARKER_MEMBER,
    &MARKER_MISUSE,
    &MARKER_PLACEMENT,
    &MARKER_SYNTAX,
    &MARKER_VALUE,
    &MISPLACED_TAG,
    &TAG_MISUSE,
    &TAG_SCOPE,
    &TAG_SYNTAX,
    &TAG_VALUE,
    &TRAILING_TAG,
    &TYPE_DEFAULT_SYNTAX,
    &UNION_MISUSE,
    &UNKNOWN_NESTED_TAG,
    &UNKNOWN_TAG,
];

impl Made {
    /// The findings, followed by the hints if requested. Nothing is reported twice.
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
        hint.severity == Severity::Warning
            && HINTS.contains(&hint.finding)
            && self.tools.iter().any(|tool| hint.finding.concerns(*tool))
            && !self.findings.iter().any(is_same)
    }
}
