//! `kindsmith controller crds`: the CRDs of kinds with a controller.

use crate::Outcome;
use crate::descriptions::DescriptionArgs;
use crate::error::Error;
use crate::terminal::Terminal;

/// Print the CRDs of kinds with a controller
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith controller crds | kubectl apply -f -
  kindsmith controller crds --kinds SQLInstance > crd.yaml
  kindsmith controller crds --description lamp.yaml | kubectl apply -f -")]
pub(super) struct Args {
    /// Only these kinds
    #[arg(long, value_name = "KIND", num_args = 1..)]
    kinds: Vec<String>,
    #[command(flatten)]
    descriptions: DescriptionArgs,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        for described in self.descriptions.chosen(&self.kinds)? {
            let definition = described.kind.definition;
            let rule = if definition.starts_with("---") {
                ""
            } else {
                "---\n"
            };
            terminal.print(&format!("{rule}{definition}"))?;
        }
        Ok(Outcome::Clean)
    }
}
