//! `kindsmith gen object`: deepcopy methods.

use super::controller_gen::{Beside, Own};
use super::controller_gen_words::{Generator, Header};
use super::flow::Flow;
use crate::Outcome;
use crate::error::Error;
use crate::go_path;
use crate::input;
use crate::terminal::Terminal;

/// Generate DeepCopy methods
///
/// Writes `zz_generated.deepcopy.go` beside each package with types to copy, byte for byte as controller-gen does:
/// types with `+kubebuilder:object:generate=true` or `+kubebuilder:object:root=true`, or all of a package. Methods
/// written by hand are used. Types that cannot be copied are reported at their place; then nothing is written.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith gen object ./api/...
  kindsmith gen object ./api/... --headerFile=hack/boilerplate.go.txt --year=2026
  kindsmith gen object ./api/... --check                  fail with a diff if files are out of date
  kindsmith gen object:headerFile=hack/boilerplate.go.txt paths=./...
                                                          controller-gen's syntax")]
pub(super) struct Args {
    /// Directories of Go packages; `DIR/...` includes all below DIR
    #[arg(value_name = "PATH", default_value = ".", value_parser = go_path::parser())]
    paths: Vec<String>,
    #[command(flatten)]
    header: Header,
    /// Read a module's packages from a directory; may be given more than once
    #[arg(long = "module", value_name = "PATH=DIR", value_parser = input::module)]
    modules: Vec<(String, String)>,
    #[command(flatten)]
    beside: Beside,
    #[command(flatten)]
    flow: Flow,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let requested = Generator::Object(self.header).in_usual_place();
        Own {
            word: "object".to_owned(),
            paths: self.paths,
            requested,
            modules: self.modules,
            flow: self.flow,
            beside: self.beside,
        }
        .run(terminal)
    }
}
