//! Findings about markers, with the words of the tool that refuses them.

use kindsmith_source::{Diagnostic, Severity, Span};

/// A mistake controller-gen refuses.
pub(super) fn crd(code: &'static str, span: Span, message: impl Into<String>, is_error: bool) -> Diagnostic {
    let message = message.into();
    let upstream = format!("controller-gen: {message}");
    graded(code, span, message, is_error).upstream(upstream)
}

/// A mistake openapi-gen refuses.
pub(super) fn openapi(
    code: &'static str,
    span: Span,
    message: impl Into<String>,
    envelope: &str,
    is_error: bool,
) -> Diagnostic {
    let message = message.into();
    let upstream = format!(
        "OpenAPI code generation error: failed executing generator: some targets had errors: {envelope}{message}"
    );
    graded(code, span, message, is_error).upstream(upstream)
}

/// A mistake no tool has words for, or in our own.
pub(super) fn graded(
    code: &'static str,
    span: Span,
    message: impl Into<String>,
    is_error: bool,
) -> Diagnostic {
    let mut found = Diagnostic::error(code, span, message);
    if !is_error {
        found.severity = Severity::Warning;
    }
    found
}
