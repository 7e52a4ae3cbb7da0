//! `kindsmith gen validation-gen`: the command line of validation-gen (code-generator, cmd/validation-gen/main.go).

use std::path::PathBuf;

use super::gengo::Gengo;
use super::go::{Code, LintRule, Request};
use crate::Outcome;
use crate::error::Error;
use crate::input::{Input, Profile};
use crate::terminal::Terminal;

/// Generate validation code with validation-gen's command line
///
/// Takes the options of validation-gen, so that a Makefile changes one word. The output is that of `kindsmith gen go
/// --only validations`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith gen validation-gen --output-file zz_generated.validations.go --readonly-pkg time ./api/v1")]
pub(super) struct Args {
    /// Name of the file in each package
    #[arg(
        long = "output-file",
        value_name = "NAME",
        default_value = "generated.validations.go"
    )]
    output_file: String,
    /// Packages whose types are used but not generated for
    #[arg(long = "readonly-pkg", value_name = "IMPORT_PATH", value_delimiter = ',')]
    read_only: Vec<String>,
    /// Directory for one test package per kind, with a table of the errors its rules can report
    #[arg(long = "test-output-root", value_name = "DIR")]
    test_root: Option<PathBuf>,
    /// Prefix of the names of those test files
    #[arg(
        long = "test-output-file-prefix",
        value_name = "PREFIX",
        requires = "test_root"
    )]
    test_prefix: Option<String>,
    /// YAML file with the rules that those tables leave out
    #[arg(long = "test-allowlist", value_name = "FILE", requires = "test_root")]
    test_allowlist: Option<PathBuf>,
    /// Check the tags in `doc.go` with these rules
    #[arg(long = "lint-rules", value_name = "RULE", value_delimiter = ',')]
    lint_rules: Vec<LintRule>,
    /// Not supported; see `kindsmith tags`
    #[arg(long, hide = true, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    docs: Option<bool>,
    #[command(flatten)]
    gengo: Gengo,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        if self.docs == Some(true) {
            return Err(Error::usage("`--docs` is not supported")
                .hint("`kindsmith tags -o json` prints all tags with their documentation"));
        }
        let input = Input::new(self.gengo.packages, Vec::new(), Profile::Upstream);
        let request = Request {
            validations: self.output_file,
            header_file: self.gengo.header_file,
            read_only: self.read_only,
            lint_rules: self.lint_rules,
            test_root: self.test_root,
            test_prefix: self.test_prefix.unwrap_or_default(),
            test_allowlist: self.test_allowlist,
            ..Request::new(input, Some(Code::Validations))
        };
        request.run(self.gengo.flow, terminal)
    }
}
