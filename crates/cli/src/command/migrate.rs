//! `kindsmith migrate`: APIs moved from one way of stating rules to another, checked before anything is written.

mod crd;
mod files;
mod markers;
mod validation;

use clap::Subcommand;

use crate::Outcome;
use crate::error::Error;
use crate::terminal::Terminal;

/// Move APIs to declarative rules
///
/// Every change is checked before it is written: what was generated before and after must be equal, or the difference is
/// shown.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith migrate validation --types ./api/v1 --validation ./validation
                                                        +k8s: tags for hand-written validation
  kindsmith migrate markers ./api/... --write           kubebuilder's markers to +k8s: tags
  kindsmith migrate crd ./crds --out ./api              Go types for CRDs")]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Validation(validation::Args),
    Markers(markers::Args),
    Crd(crd::Args),
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        match self.what {
            What::Validation(args) => args.run(terminal),
            What::Markers(args) => args.run(terminal),
            What::Crd(args) => args.run(terminal),
        }
    }
}
