//! Objects without a schema: of unknown kinds, and of versions that Kubernetes removed.

use kindsmith::{Kinds, Removed, Replacement, WarningReason, Write};
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::{Arena, Value};
use kindsmith_object::Release;
use kindsmith_source::{Diagnostic, Fix, Span};

use super::findings::Findings;
use super::{Manifest, cure};
use crate::finding;

/// How to get the schema of a kind.
const NAME_IT: &str = "name its CRD with `--crds` or its Go package with `--types`";

impl Findings {
    /// A document without a schema.
    pub(crate) fn without_schema(
        &mut self,
        (kinds, release): (&Kinds, Release),
        manifest: &Manifest<'_>,
        is_allowed: bool,
    ) {
        let (api_version, kind) = manifest.identity();
        match kindsmith::removed(api_version, kind) {
            Some(removed) if release.number() < removed.minor => {
                self.removed_later(manifest, &removed, is_allowed);
            }
            Some(removed) => self.removed(kinds, manifest, &removed, is_allowed),
            None => self.no_schema(manifest, kinds.suggestion(api_version, kind), is_allowed),
        }
    }

    /// A document of an unknown kind, and the name of a known one that is near.
    pub(crate) fn no_schema(&mut self, manifest: &Manifest<'_>, near: Option<String>, is_allowed: bool) {
        let (api_version, kind) = manifest.identity();
        let message = no_schema_for(api_version, kind);
        let is_named = !api_version.is_empty() && !kind.is_empty();
        // What is probably misspelled is shown at each place.
        let subject = Some(message.clone()).filter(|_| is_named && near.is_none());
        let help = match near {
            Some(near) => format!("did you mean {near}?"),
            None if is_allowed => NAME_IT.to_owned(),
            None => format!("{NAME_IT}; `--allow-unknown-kinds` only warns"),
        };
        let mut finding = self.skipped(manifest.span(&PathBuf::default()), message, is_allowed);
        finding.subject = subject;
        self.told(manifest, finding.help(help));
    }

    /// A document of a version that is gone. If the new version alone makes it right, that is a safe fix.
    fn removed(&mut self, kinds: &Kinds, manifest: &Manifest<'_>, removed: &Removed, is_allowed: bool) {
        let (api_version, kind) = manifest.identity();
        let message = format!(
            "{api_version} {kind} was removed in Kubernetes 1.{}",
            removed.minor
        );
        let span = manifest.span(&[Step::Field("apiVersion".into())].into_iter().collect());
        let finding = self.skipped(span, message, is_allowed);
        let cure = removed.replacement.to_string();
        let version = match removed.replacement {
            Replacement::Version(version) => Some(version),
            Replacement::Other(_) => None,
        };
        let text = version.and_then(|version| cure::in_place_of(manifest.written(span), version));
        let finding = match version.zip(text) {
            Some((version, text)) => {
                let is_enough =
                    removed.is_rename_of(manifest.value) && is_right_as(kinds, manifest.value, version);
                let fix = if is_enough {
                    Fix::safe(cure)
                } else {
                    Fix::risky(cure)
                };
                finding.fix_with(fix.edit(span, text))
            }
            None => finding.help(cure),
        };
        self.told(manifest, finding);
    }

    /// A document of a version that a later release removes. There is no schema for it, but most servers have it only if it was on.
    fn removed_later(&mut self, manifest: &Manifest<'_>, removed: &Removed, is_allowed: bool) {
        let (api_version, kind) = manifest.identity();
        let state = if removed.was_on {
            "is"
        } else {
            "is off by default, and"
        };
        let message = format!(
            "{api_version} {kind} {state} removed in Kubernetes 1.{}",
            removed.minor
        );
        let span = manifest.span(&[Step::Field("apiVersion".into())].into_iter().collect());
        let finding = self.skipped(span, message, is_allowed || removed.was_on);
        self.told(manifest, finding.help(removed.replacement.to_string()));
    }

    fn skipped(&self, span: Span, message: String, is_allowed: bool) -> Diagnostic {
        if is_allowed || self.is_lenient {
            Diagnostic::warning(&finding::NO_SCHEMA, span, format!("{message}; skipped"))
        } else {
            Diagnostic::error(&finding::NO_SCHEMA, span, message)
        }
    }

    fn told(&mut self, manifest: &Manifest<'_>, finding: Diagnostic) {
        let before = self.all.len();
        self.all.push(finding);
        self.made_by(before, manifest);
    }
}

/// Whether the server takes an object with another `apiVersion`, and knows all its fields.
fn is_right_as(kinds: &Kinds, object: Value<'_>, version: &str) -> bool {
    let arena = Arena::new();
    let mut renamed = object;
    renamed.set(&arena, &["apiVersion"], Value::Str(version));
    let review = kinds.review(&arena, &Write::create(renamed));
    review.is_ok_and(|review| {
        let mut warnings = review.warnings.iter();
        review.errors.is_empty()
            && review.later.is_empty()
            && !warnings.any(|warning| warning.reason == WarningReason::UnknownField)
    })
}

fn no_schema_for(api_version: &str, kind: &str) -> String {
    match (api_version, kind) {
        ("", "") => "no apiVersion and no kind".to_owned(),
        (api_version, "") => format!("no kind beside the apiVersion {api_version}"),
        ("", kind) => format!("no apiVersion beside the kind {kind}"),
        (api_version, kind) => format!("no schema for {api_version} {kind}"),
    }
}
