//! Where rules put their findings.

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

    /// Reports an error at the first of `places` that was written in a source file. What was written nowhere, such
    /// as a built-in type, is not the author's to fix and is not reported.
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

    /// Whether types of the package may be used as they are, by the caller's word.
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

    /// Where a part of the schema was written.
    #[must_use]
    pub fn span(&self, place: Place) -> Option<Span> {
        self.input.origins.span(&place)
    }
}

/// The type of a declaration, then its name.
pub(crate) fn type_then_name(owner: Owner) -> [Place; 2] {
    [owner.part(Part::Type), owner.part(Part::Name)]
}
