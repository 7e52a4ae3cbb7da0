//! Collects the findings of rules.

use kindsmith_schema::{Owner, Part, Place, Schema};
use kindsmith_source::{Diagnostic, Finding, Span};

use crate::Input;

/// Collects the findings of one rule.
#[derive(Debug)]
pub struct Report<'a> {
    input: Input<'a>,
    finding: &'static Finding,
    findings: &'a mut Vec<Diagnostic>,
}

impl<'a> Report<'a> {
    pub(crate) fn new(
        input: Input<'a>,
        finding: &'static Finding,
        findings: &'a mut Vec<Diagnostic>,
    ) -> Self {
        Self {
            input,
            finding,
            findings,
        }
    }

    /// The schema under check.
    #[must_use]
    pub fn schema(&self) -> &'a Schema {
        self.input.schema
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
        self.findings
            .push(finish(Diagnostic::error(self.finding, span, message)));
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
