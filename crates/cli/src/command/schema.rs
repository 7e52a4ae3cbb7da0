//! `kindsmith schema`: JSON schemas of what commands print with `-o json`.

use clap::ValueEnum;

use crate::Outcome;
use crate::error::Error;
use crate::terminal::Terminal;

/// Print the JSON schema of a command's output
///
/// Outputs for scripts keep to their schemas between releases of the same major version: members may be added, and none
/// is removed or changed.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith schema findings          what `check -o json` and `lint -o json` print
  kindsmith schema diff > diff.schema.json")]
pub struct Args {
    /// The output
    #[arg(value_name = "OUTPUT")]
    output: Output,
}

/// Outputs with a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Output {
    /// One line of `apply --dry-run -o json`
    Apply,
    /// `cel -o json`
    Cel,
    /// One line of `cel --batch`
    CelBatch,
    /// `diff -o json`
    Diff,
    /// One line of `eval`
    Eval,
    /// `explain -o json`
    Explain,
    /// `check -o json`, `lint -o json` and `controller check -o json`
    #[value(alias = "check", alias = "lint")]
    Findings,
    /// `gen GENERATOR -o json`
    Gen,
    /// `controller migrate -o json`
    Migrate,
    /// `migrate crd -o json`
    MigrateCrd,
    /// `migrate markers -o json`
    MigrateMarkers,
    /// `migrate validation -o json`
    MigrateValidation,
    /// One document of `normalize -o json` and `check --print json`
    Objects,
    /// `reconcile --plan -o json`
    Reconcile,
    /// `rules -o json`
    Rules,
    /// The line that `serve -o json` prints
    Serve,
    /// `tags -o json`
    Tags,
    /// `test -o json`
    Test,
    /// Suites of `test`, which are an input
    Tests,
    /// `types -o json`
    Types,
    /// `version -o json`
    Version,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        terminal.print(match self.output {
            Output::Apply => include_str!("schema/apply.json"),
            Output::Cel => include_str!("schema/cel.json"),
            Output::CelBatch => include_str!("schema/cel-batch.json"),
            Output::Diff => include_str!("schema/diff.json"),
            Output::Eval => include_str!("schema/eval.json"),
            Output::Explain => include_str!("schema/explain.json"),
            Output::Findings => include_str!("schema/findings.json"),
            Output::Gen => include_str!("schema/gen.json"),
            Output::Migrate => include_str!("schema/migrate.json"),
            Output::MigrateCrd => include_str!("schema/migrate-crd.json"),
            Output::MigrateMarkers => include_str!("schema/migrate-markers.json"),
            Output::MigrateValidation => include_str!("schema/migrate-validation.json"),
            Output::Objects => include_str!("schema/objects.json"),
            Output::Reconcile => include_str!("schema/reconcile.json"),
            Output::Rules => include_str!("schema/rules.json"),
            Output::Serve => include_str!("schema/serve.json"),
            Output::Tags => include_str!("schema/tags.json"),
            Output::Test => include_str!("schema/test.json"),
            Output::Tests => kindsmith_ruletest::SCHEMA,
            Output::Types => include_str!("schema/types.json"),
            Output::Version => include_str!("schema/version.json"),
        })?;
        Ok(Outcome::Clean)
    }
}
