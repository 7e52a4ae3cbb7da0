//! Turns what the server would say about manifests into findings.

use kindsmith::cause::Blamed;
use kindsmith::marker_cause::MarkerCauses;
use kindsmith::{About, Action, ArenaReview, FieldError, Kinds, Rejection, Warning, WarningReason};
use kindsmith_go::Read;
use kindsmith_json::path::PathBuf;
use kindsmith_json::{Arena, Value};
use kindsmith_object::Detail;
use kindsmith_schema::{Level, Place};
use kindsmith_source::{Diagnostic, Fix, Severity, Span};

use super::crd_lines::{Cause, CrdLines};
use super::findings::{BROKEN, BrokenRule, Findings};
use super::{KUSTOMIZED, Made, Manifest, bounds, cure, rule_names};
use crate::finding;

impl Findings {
    /// Adds the findings of a reviewed document.
    pub(crate) fn review(
        &mut self,
        kinds: &Kinds,
        manifest: &Manifest<'_>,
        places: (&Read, &CrdLines<'_>),
        review: &ArenaReview<'_>,
    ) {
        let before = self.all.len();
        for step in &review.trace {
            if let Action::Defaulted(value) = &step.action {
                let message = format!("{} defaults to {value}", step.path);
                let note = Diagnostic::note(&finding::DEFAULTED, manifest.span(&step.path), message);
                self.all
                    .push(with_tag(note, places.0, step.source, "set by this tag"));
            }
        }
        review
            .warnings
            .iter()
            .for_each(|warning| self.warning(kinds, manifest, warning));
        let first = self.all.len();
        let arena = Arena::new();
        let markers = MarkerCauses::new(kinds.go_types(), &arena);
        let rejections = review.errors.iter().chain(&review.later);
        for rejection in rejections {
            let since = self.all.len();
            self.rejection(manifest, (places.0, places.1, &markers), rejection);
            if manifest.is_filled_in(&rejection.path) {
                self.leave_to_tools(since);
            }
        }
        if manifest.made == Made::Kustomized {
            for finding in &mut self.all[first..] {
                finding.severity = Severity::Warning;
                finding.help.push(KUSTOMIZED.to_owned());
            }
        }
        self.rules_not_checked(before, review);
        self.made_by(before, manifest);
    }

    fn warning(&mut self, kinds: &Kinds, manifest: &Manifest<'_>, warning: &Warning) {
        let message = warning.message.clone();
        // kubectl requests strict validation, so a server rejects what it only warns of otherwise.
        match warning.reason {
            WarningReason::UnknownField => {
                let span = manifest.key_span(&warning.path);
                self.strict(&finding::UNKNOWN_FIELD, span, message);
                if let Some(near) = kinds.field_suggestion(manifest.value, &warning.path)
                    && let Some(finding) = self.all.last_mut()
                {
                    let written = manifest.written(span);
                    let is_case = written.trim_matches(['"', '\'']).eq_ignore_ascii_case(&near);
                    offer(finding, (span, written), &near, is_case);
                }
            }
            WarningReason::DuplicateField => {
                self.strict(
                    &finding::DUPLICATE_FIELD,
                    manifest.key_span(&warning.path),
                    message,
                );
            }
            WarningReason::YamlErrors | WarningReason::Other => {
                self.warn(&finding::SERVER_WARNING, manifest.span(&warning.path), message);
            }
        }
    }

    fn rejection(
        &mut self,
        manifest: &Manifest<'_>,
        (read, crds, markers): (&Read, &CrdLines<'_>, &MarkerCauses<'_>),
        rejection: &Rejection,
    ) {
        let span = manifest.span(&rejection.path);
        match &rejection.error {
            Some(error) if error.about == Some(About::RulesNotChecked) => {}
            Some(error) => {
                let cause = Cause::Error(error);
                let behind = crds
                    .behind(manifest.identity(), &rejection.path, cause)
                    .or_else(|| {
                        let (span, blamed) = markers.behind(manifest.identity(), &rejection.path, cause)?;
                        Some((span, marker_label(blamed)))
                    });
                let advice = rejection
                    .is_about_cost()
                    .then(|| bounds::advice(manifest.value, &rejection.path))
                    .flatten()
                    .or_else(|| rule_names::advice(manifest.value, &rejection.path));
                self.invalid(span, read, error, behind, advice);
                self.broken_rule(manifest, span, error, behind.is_some());
                self.unsupported(manifest, span, error);
            }
            None if rejection.path == PathBuf::default() => {
                self.fail(&finding::INVALID, span, rejection.message.clone());
            }
            None => {
                let value = manifest.value.follow(&rejection.path).unwrap_or_default();
                let mut finding = Diagnostic::error(&finding::DECODE, span, rejection.message.clone());
                let wanted = rejection.wanted.as_ref();
                if let Some(cure) =
                    wanted.and_then(|wanted| cure::cure(value, manifest.written(span), wanted))
                {
                    match cure.replacement {
                        Some(text) => finding.fix = Some(Fix::safe(cure.help).edit(span, text)),
                        None => finding.help.push(cure.help),
                    }
                }
                self.all.push(finding);
            }
        }
    }

    /// Remembers that the last finding is the fault of a rule, if its place is not shown yet.
    fn broken_rule(&mut self, manifest: &Manifest<'_>, span: Span, error: &FieldError, is_shown: bool) {
        let Some(About::BrokenRule { index, depth }) = error.about.filter(|_| !is_shown) else {
            return;
        };
        let (api_version, kind) = manifest.identity();
        self.broken_rules.push(BrokenRule {
            told: (span, error.to_string()),
            identity: (api_version.to_owned(), kind.to_owned()),
            path: error.path.steps().iter().take(depth as usize).cloned().collect(),
            index: index as usize,
        });
    }

    /// Adds to the last finding which of the allowed values was meant.
    fn unsupported(&mut self, manifest: &Manifest<'_>, span: Span, error: &FieldError) {
        let Detail::Supported(allowed) = &error.detail else {
            return;
        };
        let value = manifest.value.follow(&error.path).and_then(Value::as_str);
        let meant = value.and_then(|value| cure::meant(value, allowed.iter().map(|allowed| &**allowed)));
        if let (Some((meant, is_case)), Some(finding)) = (meant, self.all.last_mut()) {
            offer(finding, (span, manifest.written(span)), meant, is_case);
        }
    }

    /// Says last that rules were not evaluated, if the server says so. It is not a mistake of its own.
    fn rules_not_checked(&mut self, before: usize, review: &ArenaReview<'_>) {
        let mut errors = review
            .errors
            .iter()
            .filter_map(|rejection| rejection.error.as_ref());
        let told = errors.find(|error| error.about == Some(About::RulesNotChecked));
        let last = self.all[before..].iter().map(|finding| finding.span).max();
        if let (Some(told), Some(last)) = (told, last) {
            let note = Diagnostic::note(&finding::NOT_CHECKED, last, told.detail.to_string());
            self.all.push(note);
        }
    }

    /// Names the template of a chart that the findings since then are about.
    pub(super) fn made_by(&mut self, before: usize, manifest: &Manifest<'_>) {
        if let Some(template) = manifest.template() {
            let findings = self.all[before..].iter_mut();
            findings.for_each(|finding| finding.help.push(format!("the template {template} made it")));
        }
    }

    /// A kind that the release of the user does not have.
    pub(crate) fn later_kind(&mut self, manifest: &Manifest<'_>, release: &str, since: &str) {
        let (api_version, kind) = manifest.identity();
        let span = manifest.span(&PathBuf::default());
        let message = format!("no {api_version} {kind} in Kubernetes {release}");
        let finding = Diagnostic::error(&finding::NO_SCHEMA, span, message);
        self.all.push(finding.help(format!("it came with {since}")));
    }

    /// Fields that the release of the user does not have, and with which they came.
    pub(crate) fn later_fields(&mut self, manifest: &Manifest<'_>, fields: &[(PathBuf, String)]) {
        for (path, since) in fields {
            self.strict(
                &finding::UNKNOWN_FIELD,
                manifest.span(path),
                format!("unknown field \"{path}\""),
            );
            if let Some(finding) = self.all.last_mut() {
                finding.help.push(format!("it came with Kubernetes {since}"));
            }
        }
    }

    /// A validation error. Rules that are not enforced yet only warn.
    fn invalid(
        &mut self,
        span: Span,
        read: &Read,
        error: &FieldError,
        behind: Option<(Span, &'static str)>,
        advice: Option<String>,
    ) {
        let mut finding = match error.level {
            Some(Level::Alpha) => Diagnostic::warning(&finding::INVALID, span, error.to_string())
                .help("the rule is marked alpha: the API server does not enforce it"),
            _ => Diagnostic::error(&finding::INVALID, span, error.to_string()),
        };
        if let Some((place, label)) = behind {
            finding = finding.related(place, label);
        }
        if let Some(advice) = advice {
            finding = finding.help(advice);
        }
        self.all
            .push(with_tag(finding, read, error.rule, "required by this tag"));
    }
}

/// Adds the word that was probably meant: as a fix if it can be written in place, which is safe if only the case differs.
fn offer(finding: &mut Diagnostic, (span, written): (Span, &str), word: &str, is_case: bool) {
    let Some(text) = cure::in_place_of(written, word) else {
        return finding.help.push(format!("did you mean `{word}`?"));
    };
    let title = format!("write `{word}`");
    let fix = if is_case {
        Fix::safe(title)
    } else {
        Fix::risky(title)
    };
    finding.fix = Some(fix.edit(span, text));
}

/// What a marker is to an error.
fn marker_label(blamed: Blamed) -> &'static str {
    match blamed {
        Blamed::Schema | Blamed::Rule => "required by this marker",
        Blamed::BrokenRule => BROKEN,
    }
}

/// Adds the tag that caused a finding.
fn with_tag(finding: Diagnostic, read: &Read, tag: Option<Place>, label: &'static str) -> Diagnostic {
    match tag.and_then(|place| read.origins.span(&place)) {
        Some(span) => finding.related(span, label),
        None => finding,
    }
}
