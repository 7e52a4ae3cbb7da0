//! Turns what is wrong with manifests into findings, drawn like those of sources.

use std::path::Path;

use kindsmith::{Action, ArenaReview, FieldError, WarningReason};
use kindsmith_go::Read;
use kindsmith_json::path::PathBuf;
use kindsmith_schema::{Level, Place};
use kindsmith_source::{Diagnostic, Finding, Severity, SourceMap, Span};

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
            let (span, message) = (manifest.span(&warning.path), warning.message.clone());
            // kubectl asks for strict validation, so a server rejects what it only warns of otherwise.
            match warning.reason {
                WarningReason::UnknownField => self.fail(&finding::UNKNOWN_FIELD, span, message),
                WarningReason::DuplicateField => self.fail(&finding::DUPLICATE_FIELD, span, message),
                WarningReason::Other => self.warn(&finding::SERVER_WARNING, span, message),
            }
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

    /// The number of errors so far.
    pub(super) fn errors(&self) -> usize {
        let errors = self.0.iter();
        errors
            .filter(|finding| finding.severity == Severity::Error)
            .count()
    }

    /// A document without a schema.
    pub(super) fn no_schema(&mut self, manifest: &Manifest<'_>, near: Option<String>, is_allowed: bool) {
        let message = match manifest.identity() {
            ("", "") => "no apiVersion and no kind".to_owned(),
            (api_version, "") => format!("no kind beside the apiVersion {api_version}"),
            ("", kind) => format!("no apiVersion beside the kind {kind}"),
            (api_version, kind) => format!("no schema for {api_version} {kind}"),
        };
        let span = manifest.span(&PathBuf::default());
        let finding = match is_allowed {
            true => Diagnostic::warning(&finding::NO_SCHEMA, span, format!("{message}; skipped")),
            false => Diagnostic::error(&finding::NO_SCHEMA, span, message),
        };
        self.0.push(finding.help(match near {
            Some(near) => format!("did you mean {near}?"),
            None => "name its CRD with `--crds` or its Go package with `--types`".to_owned(),
        }));
    }

    /// A file of a directory that is not read.
    pub(super) fn skipped(&mut self, file: &Path, sources: &mut SourceMap) {
        let id = sources.add(file.display().to_string(), "");
        let message = format!("{} was skipped: not .yaml, .yml or .json", file.display());
        self.warn(&finding::NOT_CHECKED, Span::new(id, 0, 0), message);
    }

    /// A kustomization: not an object.
    pub(super) fn kustomization(&mut self, file: &Path, sources: &mut SourceMap) {
        let id = sources.add(file.display().to_string(), "");
        let message = format!("{} was skipped: kustomize makes objects of it", file.display());
        let directory = file.parent().unwrap_or(Path::new("."));
        let finding = Diagnostic::warning(&finding::NOT_CHECKED, Span::new(id, 0, 0), message);
        self.0.push(finding.help(format!(
            "`kubectl kustomize {} | kindsmith check -` checks them",
            directory.display()
        )));
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
