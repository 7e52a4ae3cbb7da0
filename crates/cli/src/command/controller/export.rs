//! `kindsmith controller export`: an object for a resource that is already there.

use kindsmith_controller::description::Described;
use kindsmith_controller::{Adapter as _, RestAdapter, export};
use kindsmith_json::write::{Order, to_yaml};
use kindsmith_json::{Arena, parse_str};

use crate::Outcome;
use crate::descriptions::DescriptionArgs;
use crate::error::Error;
use crate::service_access::ServiceArgs;
use crate::terminal::Terminal;

/// Print the object for a resource that is already there
///
/// Applying the object adopts the resource without changing it. Secrets are not part of it. Remove the fields that the
/// object need not decide.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith controller export SQLInstance projects/park/instances/lion --service-url http://127.0.0.1:8085
  kindsmith controller export SQLInstance --live lion.json projects/park/instances/lion > lion.yaml")]
pub(super) struct Args {
    /// The kind
    #[arg(value_name = "KIND")]
    kind: String,
    /// The resource, such as projects/park/instances/lion
    #[arg(value_name = "RESOURCE")]
    resource: String,
    #[command(flatten)]
    services: ServiceArgs,
    /// A file with the service's response instead, such as from gcloud
    #[arg(long, value_name = "FILE", conflicts_with_all = ["service_url", "credentials", "token_file"])]
    live: Option<std::path::PathBuf>,
    #[command(flatten)]
    descriptions: DescriptionArgs,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let chosen = self.descriptions.chosen(std::slice::from_ref(&self.kind))?;
        let described = chosen.first().ok_or_else(|| Error::bug("no kind"))?;
        let kind = &described.kind;
        let live = match &self.live {
            Some(file) => {
                let text = std::fs::read_to_string(file).map_err(|error| Error::reading(file, &error))?;
                serde_json::from_str(&text)
                    .map_err(|error| Error::input(format!("{}: {error}", file.display())))?
            }
            None => self.read(described)?,
        };
        let object = export(kind, &self.resource, &live);
        let arena = Arena::new();
        let value = parse_str(&arena, arena.alloc_str(&object.to_string())).unwrap_or_default();
        terminal.print(&to_yaml(value, Order::Kept))?;
        Ok(Outcome::Clean)
    }

    fn read(&self, described: &Described) -> Result<serde_json::Value, Error> {
        let adapter = RestAdapter {
            http: self.services.services()?.of(described)?,
            prefix: described.prefix.clone(),
            rest: described.kind.rest,
        };
        let runtime =
            tokio::runtime::Runtime::new().map_err(|error| Error::environment(error.to_string()))?;
        let found = runtime.block_on(adapter.export(&self.resource));
        let found = found.map_err(|error| Error::environment(format!("{}: {error}", self.resource)))?;
        found.ok_or_else(|| Error::input(format!("there is no resource `{}`", self.resource)))
    }
}
