//! `kindsmith controller crds`: the CRDs of kinds with a controller.

use kindsmith_controller::Kind;

use crate::Outcome;
use crate::error::Error;
use crate::terminal::Terminal;

/// Print the CRDs of kinds with a controller
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith controller crds | kubectl apply -f -
  kindsmith controller crds --kinds SQLInstance > crd.yaml")]
pub(super) struct Args {
    /// Only these kinds
    #[arg(long, value_name = "KIND", num_args = 1..)]
    kinds: Vec<String>,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        for known in super::kinds(&self.kinds)? {
            let Kind { definition, .. } = (known.kind)().map_err(|error| Error::bug(error.to_string()))?;
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
