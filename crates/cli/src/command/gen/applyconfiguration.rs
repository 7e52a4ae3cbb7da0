//! `kindsmith gen applyconfiguration`: types for server-side apply.

use std::path::PathBuf;

use super::controller_gen::{Beside, Own};
use super::controller_gen_words::{Apply, Generator, Header, external_configuration};
use super::flow::Flow;
use crate::Outcome;
use crate::error::Error;
use crate::go_path;
use crate::input;
use crate::terminal::Terminal;

/// Generate types for server-side apply
///
/// Writes a directory `applyconfiguration` beside each package with `+kubebuilder:ac:generate=true`, byte for byte as
/// controller-gen does: a type for each kind and struct whose fields are all pointers, so that what is not set is not
/// applied.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith gen applyconfiguration ./api/...
  kindsmith gen applyconfiguration ./api/... --check      fail with a diff if files are out of date
  kindsmith gen applyconfiguration:headerFile=hack/boilerplate.go.txt paths=./...
                                                          controller-gen's syntax")]
pub(super) struct Args {
    /// Directories of Go packages; `DIR/...` includes all below DIR
    #[arg(value_name = "PATH", default_value = ".", value_parser = go_path::parser())]
    paths: Vec<String>,
    /// File with text to put above each file
    #[arg(long = "headerFile", alias = "header-file", value_name = "FILE")]
    header_file: Option<PathBuf>,
    /// Where a type of another package has its apply configuration; may be given more than once
    #[arg(long = "externalApplyConfigurations", alias = "external-apply-configurations",
        value_name = "PACKAGE.TYPE@PACKAGE", value_delimiter = ',', value_parser = external_configuration)]
    external: Vec<(String, String)>,
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
        let header = Header {
            file: self.header_file,
            ..Header::default()
        };
        let requested = Generator::ApplyConfiguration(Apply {
            header,
            external: self.external,
        });
        Own {
            word: "applyconfiguration".to_owned(),
            paths: self.paths,
            requested: requested.in_usual_place(),
            modules: self.modules,
            flow: self.flow,
            beside: self.beside,
        }
        .run(terminal)
    }
}
