//! `kindsmith lint`: what is wrong with the tags and types of Go API packages.

use kindsmith_source::render::Report;

use crate::Outcome;
use crate::error::Error;
use crate::input::Input;
use crate::output::Output;
use crate::registry;
use crate::terminal::Terminal;

/// Check the types and tags of Go API packages
///
/// Reads packages from source, without a Go toolchain, and reports every misused, misspelled or misplaced tag with its
/// place and how to fix it. If Kubernetes' generators reject a package, the finding has their error text.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith lint ./api/v1                       one package
  kindsmith lint ./...                          all packages below this directory
  kindsmith lint api/v1/types.go                findings in one file
  kindsmith lint ./api/... -o sarif > out.sarif for a code host
  kindsmith lint ./api/v1 --module example.org/other=../other
                                                read another module from its directory")]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// Do not check this package's types, like validation-gen's flag of the same name
    #[arg(long = "readonly-pkg", value_name = "IMPORT_PATH")]
    read_only: Vec<String>,
    #[command(flatten)]
    output: Output,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let mut read = self.input.read(terminal)?;
        let input = kindsmith_lint::Input {
            schema: &read.schema,
            origins: &read.origins,
            read_only: &self.read_only,
            included: kindsmith_lint::Included::Asked,
        };
        let mut findings = kindsmith_lint::check(input);
        read.diagnostics.append(&mut findings);
        let report = Report::new(&read.sources, &read.diagnostics);
        let outcome = self.output.report(terminal, &report, &registry::sources());
        // The process ends here; freeing a large schema would take a tenth of the run.
        std::mem::forget(read);
        outcome
    }
}
