//! Lint rules over a schema and the places of its parts. A rule is one file, its page beside it and one line
//! in [`RULES`]. Rules see no source text and no comments: everything they need is in the schema.

mod custom;
mod linted;
mod published;
mod reach;
mod report;
mod rule;

use kindsmith_schema::{Place, Schema};
use kindsmith_source::{Diagnostic, Origins};

pub use report::Report;
pub use rule::{RULES, Rule};

/// The input of rules.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The schema.
    pub schema: &'a Schema,
    /// The places of its parts in the source.
    pub origins: &'a Origins<Place>,
    /// Packages whose types validation may use without generated code for them.
    pub read_only: &'a [String],
    /// Which packages count as processed by validation-gen.
    pub included: Included,
}

impl<'a> Input<'a> {
    /// A schema with default settings.
    #[must_use]
    pub fn new(schema: &'a Schema, origins: &'a Origins<Place>) -> Self {
        Self {
            schema,
            origins,
            read_only: &[],
            included: Included::default(),
        }
    }
}

/// Which packages count as processed by validation-gen, so that their types are not foreign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Included {
    /// All packages that were read: validation-gen's command line may list those without a tag as read-only.
    #[default]
    Asked,
    /// Those that have validation-gen enabled, as in a run of the generator itself.
    Generated,
}

/// Runs every rule.
#[must_use]
pub fn check(input: Input<'_>) -> Vec<Diagnostic> {
    let reach = reach::Reach::new(input.schema, input.included);
    let mut findings = Vec::new();
    for rule in RULES {
        let mut report = Report::new(input, &rule.finding, &mut findings);
        (rule.check)(&reach, &mut report);
    }
    findings
}
