//! Lint rules over a schema, the places of its parts and the declarations as written. A rule is one file, its page
//! beside it and one line in [`RULES`]. Rules about meaning look at the schema alone, conventions at declarations too.

mod align;
mod baseline;
mod config;
mod custom;
mod declared;
mod facts;
pub mod finding;
mod fix;
mod input;
mod linted;
mod own_tags;
mod package_kind;
mod published;
mod reach;
mod relevance;
mod report;
mod rule;
mod suppress;

use std::cell::OnceCell;

use kindsmith_source::{Diagnostic, FileId};

pub use baseline::{Baseline, BaselineError};
pub use config::{Config, ConfigError, GROUPS, KEYS, is_known_selector};
pub use facts::{Facts, Form, Setting};
pub use fix::{Fixed, Fixes, fixed};
pub use input::{Included, Input, READ_ONLY};
pub use package_kind::{PackageKind, PackageKinds};
pub use report::Report;
pub use rule::{RULES, Rule};

use declared::Declared;
use reach::Reach;
use rule::Check;

/// Runs every rule that is on, and adds the findings of readers: what is wanted of both, without what comments in the
/// source silence.
#[must_use]
pub fn lint(input: Input<'_>, read: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut findings = read;
    let kinds = PackageKinds::of(input.schema);
    findings.extend(check_kinds(input, &kinds));
    let Some((sources, declarations)) = input.source else {
        return findings;
    };
    findings.retain(|finding| input.config.keeps(sources, finding));
    relevance::retain(input.schema, sources, &mut findings);
    own_tags::fold(sources, &mut findings);
    let mut files: Vec<FileId> = declarations.iter().map(|found| found.span.file).collect();
    files.extend(findings.iter().map(|finding| finding.span.file));
    files.sort_unstable();
    files.dedup();
    suppress::suppress(sources, findings, files.into_iter(), |rule| {
        runs_somewhere(input, &kinds, &rule.facts)
    })
}

/// Runs every rule that is on.
#[must_use]
pub fn check(input: Input<'_>) -> Vec<Diagnostic> {
    check_kinds(input, &PackageKinds::of(input.schema))
}

fn check_kinds(input: Input<'_>, kinds: &PackageKinds<'_>) -> Vec<Diagnostic> {
    let reach = OnceCell::new();
    let declared = OnceCell::new();
    let mut findings = Vec::new();
    for rule in RULES
        .iter()
        .filter(|rule| runs_somewhere(input, kinds, &rule.facts))
    {
        let mut report = Report::new(input, kinds, &rule.facts, &mut findings);
        match (rule.check, input.source) {
            (Check::Reach(check), _) => {
                let reach = reach.get_or_init(|| Reach::new(input.schema, input.included));
                check(reach, &mut report);
            }
            (Check::Source(check), Some((sources, declarations))) => {
                let declared = declared
                    .get_or_init(|| Declared::new(input.schema, input.origins, sources, declarations));
                check(declared, &mut report);
            }
            (Check::Source(_), None) => {}
        }
    }
    findings
}

fn runs_somewhere(input: Input<'_>, kinds: &PackageKinds<'_>, rule: &Facts) -> bool {
    let mut packages = input.schema.packages().iter().filter(|package| package.input);
    packages.any(|package| input.config.runs(rule, kinds.kind(&package.path)))
}
