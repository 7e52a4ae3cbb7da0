//! Findings about markers, with the message of the tool that rejects them.

use kindsmith_source::{Diagnostic, Finding, Severity, Span};

/// An error of controller-gen.
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

/// An error of openapi-gen.
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

/// An error without a tool's message, or with our own.
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
