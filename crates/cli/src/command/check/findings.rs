//! What is wrong with manifests, as findings that are drawn like those of sources.

use kindsmith_engine::{DecodeError, Plan};
use kindsmith_go::Read;
use kindsmith_json::path::PathBuf;
use kindsmith_json::{Path, to_string};
use kindsmith_object::{Event, FieldError};
use kindsmith_schema::Level;
use kindsmith_source::{Diagnostic, Finding, Severity, Span};

use super::manifest::Manifest;
use crate::customs::{Fault, Judged, Note};
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

    /// All findings, with or without the notes.
    pub(super) fn all(&self, notes: bool) -> Vec<Diagnostic> {
        let shown = self
            .0
            .iter()
            .filter(|finding| notes || finding.severity != Severity::Note);
        shown.cloned().collect()
    }

    /// Fields that the API server would drop.
    pub(super) fn unknown_fields(&mut self, manifest: &Manifest<'_>, plan: &Plan) {
        for path in plan.unknown_fields(manifest.value) {
            let message = format!(
                "unknown field {}",
                kindsmith_json::write::go_quote(&path.to_string())
            );
            self.warn(&finding::UNKNOWN_FIELD, manifest.span(&path), message);
        }
    }

    pub(super) fn undecodable(&mut self, manifest: &Manifest<'_>, error: &DecodeError) {
        self.fail(&finding::DECODE, manifest.span(error.path()), error.to_string());
    }

    /// A field that was filled in.
    pub(super) fn defaulted(&mut self, manifest: &Manifest<'_>, read: &Read, event: &Event<'_>) {
        let Event::Defaulted { path, source, value } = event else {
            return;
        };
        let message = format!("{path} defaults to {}", to_string(*value));
        let mut note = Diagnostic::note(&finding::DEFAULTED, manifest.span(&Path::to_owned(path)), message);
        if let Some(span) = source.and_then(|place| read.origins.span(&place)) {
            note = note.related(span, "set by this tag");
        }
        self.0.push(note);
    }

    /// What the server would say to an object of a CRD, or to a CRD.
    pub(super) fn judged(&mut self, manifest: &Manifest<'_>, judged: &Judged<'_>) {
        for note in &judged.notes {
            if let Note::Defaulted(path, value) = note {
                let message = format!("{path} defaults to {value}");
                self.0.push(Diagnostic::note(
                    &finding::DEFAULTED,
                    manifest.span(path),
                    message,
                ));
            }
        }
        for Fault { path, text, .. } in &judged.warnings {
            let finding = if text.starts_with("unknown field") {
                &finding::UNKNOWN_FIELD
            } else {
                &finding::SERVER_WARNING
            };
            self.warn(finding, manifest.span(path), text.clone());
        }
        for Fault { path, text, .. } in &judged.faults {
            self.fail(&finding::INVALID, manifest.span(path), text.clone());
        }
    }

    /// A document that nothing is known about.
    pub(super) fn no_schema(&mut self, manifest: &Manifest<'_>, api_version: &str, kind: &str) {
        let message = format!("no schema for {api_version} {kind}; skipped");
        let finding = Diagnostic::warning(&finding::NO_SCHEMA, manifest.span(&PathBuf::default()), message);
        self.0
            .push(finding.help("name its CRD with `--crds` or its Go package with `--types`"));
    }

    /// An error of validation. Rules that are not enforced yet only warn.
    pub(super) fn invalid(&mut self, manifest: &Manifest<'_>, read: &Read, error: &FieldError) {
        let span = manifest.span(&error.path);
        let mut finding = match error.level {
            Some(Level::Alpha) => Diagnostic::warning(&finding::INVALID, span, error.to_string())
                .help("the rule is marked alpha: the API server does not enforce it"),
            _ => Diagnostic::error(&finding::INVALID, span, error.to_string()),
        };
        if let Some(span) = error.rule.and_then(|place| read.origins.span(&place)) {
            finding = finding.related(span, "required by this tag");
        }
        self.0.push(finding);
    }
}
