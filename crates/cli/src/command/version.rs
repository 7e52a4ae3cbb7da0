//! `kindsmith version`: what `--version` prints, for those who type it as with kubectl.

use kindsmith_generate::controller_gen::Release;

use crate::Outcome;
use crate::error::Error;
use crate::output::TextOrJson;
use crate::terminal::Terminal;

/// Print the version, and what it follows
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith version
  kindsmith version -o json | jq -r .kubernetes")]
pub struct Args {
    /// How to print it
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "text")]
    format: TextOrJson,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let version = env!("CARGO_PKG_VERSION");
        let kubernetes = kindsmith_object::Release::default();
        let controller_gen = Release::default().version();
        let text = match self.format {
            TextOrJson::Text => {
                format!("kindsmith {version} (Kubernetes {kubernetes}, controller-gen {controller_gen})\n")
            }
            TextOrJson::Json => {
                let document = serde_json::json!({
                    "version": version,
                    "kubernetes": kubernetes.to_string(),
                    "controllerGen": controller_gen,
                });
                format!("{document}\n")
            }
        };
        terminal.print(&text)?;
        Ok(Outcome::Clean)
    }
}
