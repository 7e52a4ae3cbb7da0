//! Collects the findings of rules.

use kindsmith_schema::{Owner, Part, Place, Profile, Schema};
use kindsmith_source::{Diagnostic, Finding, Span};
use serde_json::Value;

use crate::declared::{Member, Named};
use crate::facts::{Facts, Form};
use crate::{Config, Input, PackageKind, PackageKinds};

/// Collects the findings of one rule.
#[derive(Debug)]
pub struct Report<'a> {
    input: Input<'a>,
    kinds: &'a PackageKinds<'a>,
    rule: &'static Facts,
    findings: &'a mut Vec<Diagnostic>,
}

impl<'a> Report<'a> {
    pub(crate) fn new(
        input: Input<'a>,
        kinds: &'a PackageKinds<'a>,
        rule: &'static Facts,
        findings: &'a mut Vec<Diagnostic>,
    ) -> Self {
        Self {
            input,
            kinds,
            rule,
            findings,
        }
    }

    /// The schema under check.
    #[must_use]
    pub fn schema(&self) -> &'a Schema {
        self.input.schema
    }

    /// Whether the KEPs' rules count where Kubernetes has others.
    pub(crate) fn is_kep(&self) -> bool {
        self.input.profile == Profile::Kep
    }

    /// The second number of the release of Kubernetes that is the reference, if one is set.
    pub(crate) fn release(&self) -> Option<u8> {
        let version = self.input.config.kubernetes_version.as_deref()?;
        let mut numbers = version.trim_start_matches('v').split('.');
        numbers.nth(1)?.parse().ok()
    }

    fn finding(&self) -> &'static Finding {
        &self.rule.finding
    }

    /// Reports an error at the first of `places` that is in a source file. Parts without a source, such as a
    /// built-in type, cannot be fixed by the author and are not reported.
    pub fn error(
        &mut self,
        places: &[Place],
        message: impl Into<String>,
        finish: impl FnOnce(Diagnostic) -> Diagnostic,
    ) {
        let Some(span) = places.iter().find_map(|place| self.span(*place)) else {
            return;
        };
        let finding = self.finding();
        self.findings
            .push(finish(Diagnostic::error(finding, span, message)));
    }

    /// Reports a warning at a place in a source file.
    pub(crate) fn warn(
        &mut self,
        span: Span,
        message: impl Into<String>,
        finish: impl FnOnce(Diagnostic) -> Diagnostic,
    ) {
        let finding = self.finding();
        self.findings
            .push(finish(Diagnostic::warning(finding, span, message)));
    }

    /// The types to check, in source order: those of packages in which the rule is on.
    pub(crate) fn types<'d, 's>(&self, types: &'d [Named<'s>]) -> Vec<&'d Named<'s>> {
        let mut known: Vec<(&str, bool)> = Vec::new();
        let mut is_on = |path: &'d str| match known.iter().find(|(name, _)| *name == path) {
            Some((_, on)) => *on,
            None => {
                let on = self.config().runs(self.rule, self.kind(path));
                known.push((path, on));
                on
            }
        };
        types
            .iter()
            .filter(|named| !named.hidden && is_on(&named.ty.name.package))
            .collect()
    }

    /// The fields to check, in source order: without those of lists of kinds and those that are not encoded.
    pub(crate) fn fields<'d, 's>(&self, types: &'d [Named<'s>]) -> Vec<&'d Member<'s>> {
        let types = self.types(types).into_iter().filter(|named| !named.is_list());
        types
            .flat_map(|named| &named.fields)
            .filter(|member| !member.is_skipped())
            .collect()
    }

    /// What a package is for.
    pub(crate) fn kind(&self, path: &str) -> PackageKind {
        self.config().packages.unwrap_or_else(|| self.kinds.kind(path))
    }

    fn config(&self) -> &'a Config {
        self.input.config
    }

    /// The value of a setting with a few values, or of a text.
    pub(crate) fn text(&self, name: &str) -> &'a str {
        let setting = self.rule.settings.iter().find(|setting| setting.name == name);
        let default = setting.map_or("", |setting| setting.default);
        let set = self.config().setting(self.rule, name).and_then(Value::as_str);
        set.unwrap_or(default)
    }

    /// The value of a setting that is a list.
    pub(crate) fn list(&self, name: &str) -> &'a [Value] {
        debug_assert!(
            self.rule
                .settings
                .iter()
                .any(|setting| setting.name == name && !matches!(setting.form, Form::Choice(_)))
        );
        let set = self.config().setting(self.rule, name);
        set.and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// Whether types of the package may be used without generated code, as set by the caller.
    #[must_use]
    pub fn is_read_only(&self, package: &str) -> bool {
        self.input
            .read_only
            .iter()
            .any(|pattern| match pattern.strip_suffix("/...") {
                Some(top) => package
                    .strip_prefix(top)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/')),
                None => pattern == package,
            })
    }

    /// The place of a part of the schema in the source.
    #[must_use]
    pub fn span(&self, place: Place) -> Option<Span> {
        self.input.origins.span(&place)
    }
}

/// The type of a declaration, then its name.
pub(crate) fn type_then_name(owner: Owner) -> [Place; 2] {
    [owner.part(Part::Type), owner.part(Part::Name)]
}
