//! `kindsmith controller`: controllers for resources outside the cluster, and tools to try them.

mod check;
mod crds;
mod describe;
mod export;
mod fake;
mod migrate;
mod run;

use clap::Subcommand;

use crate::Outcome;
use crate::error::Error;
use crate::terminal::Terminal;

/// Keep resources of services as Kubernetes objects specify
///
/// Fields that an object does not set are left to the service; those listed in the annotation
/// kindsmith.dev/keep-live-fields always keep their live value. `kindsmith reconcile --plan` shows offline what a
/// controller would do.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith controller crds | kubectl apply -f -
  kindsmith controller fake --listen 127.0.0.1:8085
  kindsmith controller run --service-url http://127.0.0.1:8085
  kindsmith controller check lamp.yaml")]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Run(run::Args),
    Describe(describe::Args),
    Check(check::Args),
    Crds(crds::Args),
    Fake(fake::Args),
    Export(export::Args),
    Migrate(migrate::Args),
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        match self.action {
            Action::Run(args) => args.run(terminal),
            Action::Describe(args) => args.run(terminal),
            Action::Check(args) => args.run(terminal),
            Action::Crds(args) => args.run(terminal),
            Action::Fake(args) => args.run(terminal),
            Action::Export(args) => args.run(terminal),
            Action::Migrate(args) => args.run(terminal),
        }
    }
}
