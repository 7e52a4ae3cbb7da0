//! Findings about manifests, drawn like those of sources.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use kindsmith_json::path::PathBuf;
use kindsmith_source::{Diagnostic, FileId, Finding, Severity, SourceMap, Span};

use crate::finding;

/// What is said at a rule that cannot be compiled or evaluated.
pub(super) const BROKEN: &str = "the rule";

/// The subject of findings about kustomizations.
const KUSTOMIZATION: &str = "kustomization";

/// Findings so far.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(super) all: Vec<Diagnostic>,
    /// Whether what a server only rejects in strict requests is a warning.
    pub(super) is_lenient: bool,
    /// Files of directories without objects.
    others: usize,
    /// Values that other tools fill in before a server sees them.
    filled_in: usize,
    /// Findings that are the fault of a rule, whose places are not known yet.
    pub(super) broken_rules: Vec<BrokenRule>,
}

/// A CEL rule that cannot be compiled or evaluated.
#[derive(Debug)]
pub(crate) struct BrokenRule {
    /// The place and the message of the finding that tells it.
    pub(super) told: (Span, String),
    /// The `apiVersion` and `kind` of the object.
    pub(crate) identity: (String, String),
    /// The path of the value, as far as the rule's schema.
    pub(crate) path: PathBuf,
    /// Its number among the rules there.
    pub(crate) index: usize,
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
        self.filled_in += other.filled_in;
        self.broken_rules.append(&mut other.broken_rules);
    }

    /// Adds the places of broken rules to the findings about them.
    pub(crate) fn blame_rules(&mut self, place: impl Fn(&BrokenRule) -> Option<Span>) {
        for broken in std::mem::take(&mut self.broken_rules) {
            let Some(rule) = place(&broken) else { continue };
            let (span, message) = &broken.told;
            let told = self
                .all
                .iter_mut()
                .find(|finding| finding.span == *span && finding.message == *message);
            if let Some(told) = told {
                *told = told.clone().related(rule, BROKEN);
            }
        }
    }

    /// Whether findings are the fault of a rule.
    pub(crate) fn has_broken_rules(&self) -> bool {
        !self.broken_rules.is_empty()
    }

    /// Makes one finding of those about objects of the same kind without a schema, and one of those about kustomizations. It
    /// is at the first of them.
    pub(crate) fn group(&mut self) {
        let mut groups: HashMap<String, usize> = HashMap::new();
        let mut kept: Vec<Diagnostic> = Vec::new();
        for finding in std::mem::take(&mut self.all) {
            let subject = finding.subject.as_ref().filter(|subject| {
                *finding.finding == finding::NO_SCHEMA
                    || *finding.finding == finding::NOT_CHECKED && *subject == KUSTOMIZATION
            });
            match subject.map(|subject| (subject, groups.get(subject))) {
                Some((_, Some(&first))) => kept[first].also.push(finding.span),
                Some((subject, None)) => {
                    groups.insert(subject.clone(), kept.len());
                    kept.push(finding);
                }
                None => kept.push(finding),
            }
        }
        for (subject, first) in groups {
            let finding = &mut kept[first];
            let more = finding.also.len();
            if more > 0 && *finding.finding == finding::NO_SCHEMA {
                let count = format!("{subject} ({} objects)", more + 1);
                finding.message = finding.message.replacen(&subject, &count, 1);
            } else if more > 0 {
                finding.message = format!(
                    "{} kustomizations were skipped: kustomize makes objects of them",
                    more + 1
                );
            }
        }
        self.all = kept;
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

    /// Replaces all findings.
    pub(crate) fn replace(&mut self, all: Vec<Diagnostic>) {
        self.all = all;
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

    /// Takes back what was said since a moment: the value is not the one that a server sees.
    pub(super) fn leave_to_tools(&mut self, since: usize) {
        self.all.truncate(since);
        self.filled_in += 1;
    }

    /// How many values other tools fill in.
    pub(crate) fn filled_in(&self) -> usize {
        self.filled_in
    }

    /// A kustomization: not an object.
    pub(crate) fn kustomization(&mut self, file: &Path, sources: &mut SourceMap) {
        let id = sources.add(file.display().to_string(), "");
        let message = format!("{} was skipped: kustomize makes objects of it", file.display());
        let directory = file.parent().unwrap_or(Path::new("."));
        let finding = Diagnostic::warning(&finding::NOT_CHECKED, Span::new(id, 0, 0), message);
        let help = format!(
            "`kubectl kustomize {} | kindsmith check -` checks them",
            directory.display()
        );
        self.all.push(finding.help(help).about(KUSTOMIZATION));
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
