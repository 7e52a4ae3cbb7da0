//! `kindsmith gen webhook`: webhook configurations.

use std::path::PathBuf;

use super::controller_gen::{Beside, Own};
use super::controller_gen_words::{Destination, Generator, Header, Requested};
use super::flow::Flow;
use crate::Outcome;
use crate::error::Error;
use crate::go_path;
use crate::terminal::Terminal;

/// Generate webhook configurations from `+kubebuilder:webhook` markers
///
/// Writes `manifests.yaml` with a MutatingWebhookConfiguration and a ValidatingWebhookConfiguration, byte for byte as
/// controller-gen does. Markers that the API server would reject are reported at their place; then nothing is written.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith gen webhook ./...
  kindsmith gen webhook ./... --out -                     print them
  kindsmith gen webhook ./... --check                     fail with a diff if the file is out of date
  kindsmith gen webhook paths=./... output:dir=config/webhook
                                                          controller-gen's syntax")]
pub(super) struct Args {
    /// Directories of Go packages; `DIR/...` includes all below DIR
    #[arg(value_name = "PATH", default_value = ".", value_parser = go_path::parser())]
    paths: Vec<String>,
    /// Directory to write to; `-` for standard output
    #[arg(long, value_name = "DIR", default_value = "config/webhook")]
    out: PathBuf,
    #[command(flatten)]
    header: Header,
    #[command(flatten)]
    beside: Beside,
    #[command(flatten)]
    flow: Flow,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let requested = Requested {
            generator: Generator::Webhook(self.header),
            to: Destination::named(self.out),
        };
        Own {
            word: "webhook".to_owned(),
            paths: self.paths,
            requested,
            modules: Vec::new(),
            flow: self.flow,
            beside: self.beside,
        }
        .run(terminal)
    }
}
