//! Turns what is wrong with manifests into findings, drawn like those of sources.

use kindsmith::{Action, ArenaReview, FieldError, WarningReason};
use kindsmith_go::Read;
use kindsmith_json::path::PathBuf;
use kindsmith_schema::{Level, Place};
use kindsmith_source::{Diagnostic, Finding, Severity, Span};

use super::manifest::Manifest;
use crate::finding;

/// Findings so far.
#[derive(Debug, Default)]
pub(super) struct Findings(Vec<Diagnostic>);

impl Findings {
    pub(super) fn fail(&mut self, finding: &'static Finding, span: Span, message: String) {
        self.0.push(Diagnostic::error(finding, span, message));
    }

    pub(super) fn warn(&mut self, finding: &'static Finding, span: Span, message: String) {
        self.0.push(Diagnostic::warning(finding, span, message));
    }

    pub(super) fn add(&mut self, diagnostic: Diagnostic) {
        self.0.push(diagnostic);
    }

    /// All findings, with or without the notes.
    pub(super) fn all(&self, notes: bool) -> Vec<Diagnostic> {
        let shown = self
            .0
            .iter()
            .filter(|finding| notes || finding.severity != Severity::Note);
        shown.cloned().collect()
    }

    /// Adds the findings of a reviewed document.
    pub(super) fn review(&mut self, manifest: &Manifest<'_>, read: &Read, review: &ArenaReview<'_>) {
        for step in &review.trace {
            if let Action::Defaulted(value) = &step.action {
                let message = format!("{} defaults to {value}", step.path);
                let note = Diagnostic::note(&finding::DEFAULTED, manifest.span(&step.path), message);
                self.0.push(with_tag(note, read, step.source, "set by this tag"));
            }
        }
        for warning in &review.warnings {
            let code = match warning.reason {
                WarningReason::UnknownField => &finding::UNKNOWN_FIELD,
                WarningReason::DuplicateField | WarningReason::Other => &finding::SERVER_WARNING,
            };
            self.warn(code, manifest.span(&warning.path), warning.message.clone());
        }
        for rejection in &review.errors {
            let span = manifest.span(&rejection.path);
            match &rejection.error {
                Some(error) => self.invalid(span, read, error),
                None => self.fail(
                    if rejection.path == PathBuf::default() {
                        &finding::INVALID
                    } else {
                        &finding::DECODE
                    },
                    span,
                    rejection.message.clone(),
                ),
            }
        }
    }

    /// A document without a schema.
    pub(super) fn no_schema(&mut self, manifest: &Manifest<'_>) {
        let (api_version, kind) = manifest.identity();
        let message = format!("no schema for {api_version} {kind}; skipped");
        let finding = Diagnostic::warning(&finding::NO_SCHEMA, manifest.span(&PathBuf::default()), message);
        self.0
            .push(finding.help("name its CRD with `--crds` or its Go package with `--types`"));
    }

    /// A validation error. Rules that are not enforced yet only warn.
    fn invalid(&mut self, span: Span, read: &Read, error: &FieldError) {
        let finding = match error.level {
            Some(Level::Alpha) => Diagnostic::warning(&finding::INVALID, span, error.to_string())
                .help("the rule is marked alpha: the API server does not enforce it"),
            _ => Diagnostic::error(&finding::INVALID, span, error.to_string()),
        };
        self.0
            .push(with_tag(finding, read, error.rule, "required by this tag"));
    }
}

/// Adds the tag that caused a finding.
fn with_tag(finding: Diagnostic, read: &Read, tag: Option<Place>, label: &'static str) -> Diagnostic {
    match tag.and_then(|place| read.origins.span(&place)) {
        Some(span) => finding.related(span, label),
        None => finding,
    }
}
