//! `kindsmith gen defaulter-gen`: the command line of defaulter-gen (code-generator, cmd/defaulter-gen/args).

use super::gengo::Gengo;
use super::go::{Code, LintRule, Request};
use crate::Outcome;
use crate::error::Error;
use crate::input::{Input, Profile};
use crate::terminal::Terminal;

/// Generate defaulting code with defaulter-gen's command line
///
/// Takes the options of defaulter-gen, so that a Makefile changes one word. The output is that of `kindsmith gen go
/// --only defaults`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith gen defaulter-gen --output-file zz_generated.defaults.go --go-header-file hack/boilerplate.go.txt ./api/v1")]
pub(super) struct Args {
    /// Name of the file in each package
    #[arg(
        long = "output-file",
        value_name = "NAME",
        default_value = "generated.defaults.go"
    )]
    output_file: String,
    /// Packages whose `SetDefaults_` functions are called too
    #[arg(long = "extra-peer-dirs", value_name = "IMPORT_PATH", value_delimiter = ',')]
    peers: Vec<String>,
    /// Build tag that excludes the generated files
    #[arg(long = "build-tag", value_name = "TAG", default_value = kindsmith_emit::go::BUILD_TAG)]
    build_tag: String,
    /// Check the tags in `doc.go` with these rules
    #[arg(long = "lint-rules", value_name = "RULE", value_delimiter = ',')]
    lint_rules: Vec<LintRule>,
    #[command(flatten)]
    gengo: Gengo,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let input = Input::new(self.gengo.packages, Vec::new(), Profile::Upstream);
        let request = Request {
            defaults: self.output_file,
            header_file: self.gengo.header_file,
            build_tag: self.build_tag,
            peers: self.peers,
            lint_rules: self.lint_rules,
            ..Request::new(input, Some(Code::Defaults))
        };
        request.run(self.gengo.flow, terminal)
    }
}
