//! Findings about markers, with the words of the tool that refuses them.

use kindsmith_source::{Diagnostic, Finding, Severity, Span};

/// A mistake controller-gen refuses.
pub(super) fn crd(
    finding: &'static Finding,
    span: Span,
    message: impl Into<String>,
    is_error: bool,
) -> Diagnostic {
    let message = message.into();
    let upstream = format!("controller-gen: {message}");
    graded(finding, span, message, is_error).upstream(upstream)
}

/// A mistake openapi-gen refuses.
pub(super) fn openapi(
    finding: &'static Finding,
    span: Span,
    message: impl Into<String>,
    envelope: &str,
    is_error: bool,
) -> Diagnostic {
    let message = message.into();
    let upstream = format!(
        "OpenAPI code generation error: failed executing generator: some targets had errors: {envelope}{message}"
    );
    graded(finding, span, message, is_error).upstream(upstream)
}

/// A mistake no tool has words for, or in our own.
pub(super) fn graded(
    finding: &'static Finding,
    span: Span,
    message: impl Into<String>,
    is_error: bool,
) -> Diagnostic {
    let mut found = Diagnostic::error(finding, span, message);
    if !is_error {
        found.severity = Severity::Warning;
    }
    found
}
