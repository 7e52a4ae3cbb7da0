//! `kindsmith gen deepcopy-gen`: the command line of deepcopy-gen (code-generator, cmd/deepcopy-gen/args).

use super::controller_gen::{Beside, Own};
use super::controller_gen_words::{CopyFile, Generator, Header};
use super::gengo::Gengo;
use super::go::current_year;
use super::go::lint_rule::LintRule;
use crate::Outcome;
use crate::error::Error;
use crate::terminal::Terminal;

/// Generate DeepCopy methods with deepcopy-gen's command line
///
/// Takes the options of deepcopy-gen, so that a Makefile changes one word. Types are chosen by `+k8s:deepcopy-gen`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith gen deepcopy-gen --output-file zz_generated.deepcopy.go --go-header-file hack/boilerplate.go.txt ./api/...")]
pub(super) struct Args {
    /// Name of the file in each package
    #[arg(
        long = "output-file",
        value_name = "NAME",
        default_value = "generated.deepcopy.go"
    )]
    output_file: String,
    /// Check the tags in `doc.go` first
    #[arg(long = "lint-rules", value_name = "RULE", value_delimiter = ',')]
    lint_rules: Vec<LintRule>,
    #[command(flatten)]
    gengo: Gengo,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        if self.gengo.packages.is_empty() {
            return Err(Error::usage("no packages given"));
        }
        let settings = CopyFile {
            file_name: self.output_file,
            header: Header {
                file: self.gengo.header_file,
                year: current_year(),
                in_words: true,
            },
            lint_rules: self.lint_rules,
        };
        Own {
            word: String::new(),
            paths: self.gengo.packages,
            requested: Generator::DeepcopyGen(settings).in_usual_place(),
            modules: Vec::new(),
            flow: self.gengo.flow,
            beside: Beside::default(),
        }
        .run(terminal)
    }
}
