//! Lint rules over a schema, the places of its parts and the declarations as written. A rule is one file, its page
//! beside it and one line in [`RULES`]. Rules about meaning look at the schema alone, conventions at declarations too.

mod align;
mod baseline;
mod config;
mod custom;
mod declared;
pub mod finding;
mod fix;
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

use kindsmith_schema::{Place, Schema};
use kindsmith_source::{Diagnostic, FileId, Origins, SourceMap};
use kindsmith_tags::Declaration;

pub use baseline::Baseline;
pub use config::{Config, ConfigError, GROUPS, is_known_selector};
pub use fix::{Fixed, Fixes, fixed};
pub use package_kind::{PackageKind, PackageKinds};
pub use report::Report;
pub use rule::{Form, RULES, Rule, Setting};

use declared::Declared;
use reach::Reach;
use rule::Check;

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
    /// The files, and the declarations in them. Without them only rules about meaning run.
    pub source: Option<(&'a SourceMap, &'a [Declaration])>,
    /// Which rules run, and how.
    pub config: &'a Config,
}

static DEFAULT: std::sync::LazyLock<Config> = std::sync::LazyLock::new(Config::default);

impl<'a> Input<'a> {
    /// A schema with default settings.
    #[must_use]
    pub fn new(schema: &'a Schema, origins: &'a Origins<Place>) -> Self {
        Self {
            schema,
            origins,
            read_only: &[],
            included: Included::default(),
            source: None,
            config: &DEFAULT,
        }
    }

    /// Adds the declarations as written.
    #[must_use]
    pub fn with_source(mut self, sources: &'a SourceMap, declarations: &'a [Declaration]) -> Self {
        self.source = Some((sources, declarations));
        self
    }

    /// Sets which rules run, and how.
    #[must_use]
    pub fn with_config(mut self, config: &'a Config) -> Self {
        self.config = config;
        self
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
        runs_somewhere(input, &kinds, rule)
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
    for rule in RULES.iter().filter(|rule| runs_somewhere(input, kinds, rule)) {
        let mut report = Report::new(input, kinds, rule, &mut findings);
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

fn runs_somewhere(input: Input<'_>, kinds: &PackageKinds<'_>, rule: &Rule) -> bool {
    let mut packages = input.schema.packages().iter().filter(|package| package.input);
    packages.any(|package| input.config.runs(rule, kinds.kind(&package.path)))
}
