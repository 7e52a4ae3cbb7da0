//! Findings about manifests, drawn like those of sources.

use std::collections::HashSet;
use std::path::Path;

use kindsmith_source::{Diagnostic, FileId, Finding, Severity, SourceMap, Span};

use crate::finding;

/// Findings so far.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(super) all: Vec<Diagnostic>,
    /// Whether what a server only rejects in strict requests is a warning.
    pub(super) is_lenient: bool,
    /// Files of directories without objects.
    others: usize,
}

impl Findings {
    pub(crate) fn new(is_lenient: bool) -> Self {
        Self {
            is_lenient,
            ..Self::default()
        }
    }

    /// None yet, as lenient as others.
    pub(crate) fn like(other: &Self) -> Self {
        Self::new(other.is_lenient)
    }

    /// The files with findings.
    pub(crate) fn files(&self) -> impl Iterator<Item = FileId> {
        self.all.iter().map(|finding| finding.span.file)
    }

    /// Adds other findings.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.all.append(&mut other.all);
        self.others += other.others;
    }

    /// Drops findings in files that were not to be checked.
    pub(crate) fn retain_in(&mut self, files: &HashSet<FileId>) {
        self.all.retain(|finding| files.contains(&finding.span.file));
    }

    /// An error, or a warning if the user is lenient.
    pub(crate) fn strict(&mut self, finding: &'static Finding, span: Span, message: String) {
        if self.is_lenient {
            self.warn(finding, span, message);
        } else {
            self.fail(finding, span, message);
        }
    }

    pub(crate) fn fail(&mut self, finding: &'static Finding, span: Span, message: String) {
        self.all.push(Diagnostic::error(finding, span, message));
    }

    pub(crate) fn warn(&mut self, finding: &'static Finding, span: Span, message: String) {
        self.all.push(Diagnostic::warning(finding, span, message));
    }

    pub(crate) fn add(&mut self, diagnostic: Diagnostic) {
        self.all.push(diagnostic);
    }

    /// All findings, with or without the notes.
    pub(crate) fn all(&self, notes: bool) -> Vec<Diagnostic> {
        let shown = self
            .all
            .iter()
            .filter(|found| notes || *found.finding != finding::DEFAULTED);
        shown.cloned().collect()
    }

    /// The number of errors so far.
    pub(crate) fn errors(&self) -> usize {
        let errors = self.all.iter();
        errors
            .filter(|finding| finding.severity == Severity::Error)
            .count()
    }

    /// Counts a file of a directory without objects.
    pub(crate) fn count_other(&mut self) {
        self.others += 1;
    }

    /// How many files of directories have no objects.
    pub(crate) fn others(&self) -> usize {
        self.others
    }

    /// A kustomization: not an object.
    pub(crate) fn kustomization(&mut self, file: &Path, sources: &mut SourceMap) {
        let id = sources.add(file.display().to_string(), "");
        let message = format!("{} was skipped: kustomize makes objects of it", file.display());
        let directory = file.parent().unwrap_or(Path::new("."));
        let finding = Diagnostic::warning(&finding::NOT_CHECKED, Span::new(id, 0, 0), message);
        self.all.push(finding.help(format!(
            "`kubectl kustomize {} | kindsmith check -` checks them",
            directory.display()
        )));
    }

    /// A Helm chart: its files are templates, not objects.
    pub(crate) fn chart(&mut self, chart: &Path, sources: &mut SourceMap) {
        let chart = chart.display();
        let id = sources.add(format!("{chart}/Chart.yaml"), "");
        let message = format!("the templates of the Helm chart {chart} were skipped");
        let finding = Diagnostic::warning(&finding::NOT_CHECKED, Span::new(id, 0, 0), message);
        self.all.push(finding.help(format!(
            "`helm template {chart} | kindsmith check -` checks what it makes"
        )));
    }
}
