//! `kindsmith controller migrate`: what controllers would do to the objects of a cluster that runs Config Connector.

mod report;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kindsmith_controller::description::Described;
use kindsmith_controller::{Adapter as _, Inventory, Json, Live, Migration, RestAdapter, Verdict, migrate};
use kindsmith_json::{Arena, to_string, yaml};

use crate::Outcome;
use crate::descriptions::DescriptionArgs;
use crate::error::Error;
use crate::output::TextOrJson;
use crate::schemas::find_files;
use crate::service_access::{ServiceArgs, Services};
use crate::terminal::Terminal;

/// Report what controllers would send for the objects of a cluster that runs Config Connector
///
/// Reads objects, namespaces and what objects refer to from files, as `kubectl get -o yaml` prints them, and says for every
/// object which resource it means, what would be sent, and what would be ignored. Nothing is changed anywhere.
///
/// What would be sent depends on the live resources: read them with --service-url, --credentials or --token-file (only GET is
/// sent), or give them with --live. Otherwise they are assumed to be as the objects say, and the report shows which declared values
/// could be sent.
///
/// The exit status is 1 if an object would be changed, refused, created or kept waiting.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kubectl get namespaces,gcp -A -o yaml > cluster.yaml
  kindsmith controller migrate cluster.yaml
  kindsmith controller migrate cluster.yaml --service-url http://127.0.0.1:8085 --plan
  kindsmith controller migrate cluster/ --live live.json -o json
  kindsmith controller migrate --kubeconfig ~/.kube/config --credentials key.json --plan")]
pub(super) struct Args {
    /// Files or directories with objects, in YAML or JSON
    #[arg(value_name = "PATH", required_unless_present = "kubeconfig")]
    paths: Vec<PathBuf>,
    /// Read the objects from this cluster instead
    #[arg(long, value_name = "FILE", conflicts_with = "paths")]
    kubeconfig: Option<PathBuf>,
    /// Show the requests with their bodies
    #[arg(long)]
    plan: bool,
    /// File with live resources: one JSON object with their paths, such as `projects/park/instances/lion`, as names
    #[arg(long, value_name = "FILE", conflicts_with_all = ["service_url", "credentials", "token_file"])]
    live: Option<PathBuf>,
    #[command(flatten)]
    services: ServiceArgs,
    #[command(flatten)]
    descriptions: DescriptionArgs,
    /// How to print the report
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "text")]
    format: TextOrJson,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let mut kinds = self.descriptions.read()?;
        for known in kindsmith_controller::kinds::ALL {
            kinds.push(known.described().map_err(|error| Error::bug(error.to_string()))?);
        }
        let inventory = self.inventory(&kinds)?;
        let source = self.source()?;
        let mut all: Vec<Migration> = Vec::new();
        for object in inventory.candidates() {
            let mut failed = None;
            let made = migrate(&inventory, &kinds, object, |described, identity| {
                source.find(described, identity).unwrap_or_else(|error| {
                    failed = Some(error);
                    Live::Unknown
                })
            });
            match failed {
                Some(error) => return Err(error),
                None => all.push(made),
            }
        }
        terminal.print(&match self.format {
            TextOrJson::Text => report::text(&all, self.plan),
            TextOrJson::Json => report::json(&all),
        })?;
        let is_quiet = |made: &Migration| {
            matches!(
                made.verdict,
                Verdict::UpToDate | Verdict::NotRead | Verdict::NoController
            )
        };
        Ok(if all.iter().all(is_quiet) {
            Outcome::Clean
        } else {
            Outcome::Findings
        })
    }

    fn inventory(&self, kinds: &[Arc<Described>]) -> Result<Inventory, Error> {
        if let Some(file) = &self.kubeconfig {
            return of_cluster(file, kinds);
        }
        let mut inventory = Inventory::default();
        for path in &self.paths {
            for file in find_files(path)? {
                let text = crate::files::read_text(&file).map_err(|error| Error::reading(&file, &error))?;
                for document in yaml::documents(&text) {
                    inventory.add(json(&file, document.text)?);
                }
            }
        }
        Ok(inventory)
    }

    fn source(&self) -> Result<Source, Error> {
        if let Some(file) = &self.live {
            let text = crate::files::read_text(file).map_err(|error| Error::reading(file, &error))?;
            return Ok(Source::File(json(file, &text)?));
        }
        if !self.services.is_given() {
            return Ok(Source::None);
        }
        let runtime =
            tokio::runtime::Runtime::new().map_err(|error| Error::environment(error.to_string()))?;
        Ok(Source::Service(Box::new(runtime), self.services.services()?))
    }
}

/// Where live resources come from.
enum Source {
    None,
    File(Json),
    Service(Box<tokio::runtime::Runtime>, Services),
}

impl Source {
    fn find(&self, described: &Described, identity: &str) -> Result<Live, Error> {
        match self {
            Self::None => Ok(Live::Unknown),
            Self::File(all) => Ok(all
                .get(identity)
                .map_or(Live::Absent, |live| Live::Is(live.clone()))),
            Self::Service(runtime, services) => {
                let adapter = RestAdapter {
                    http: services.of(described)?,
                    prefix: described.prefix.clone(),
                    rest: described.kind.rest,
                };
                let found = runtime.block_on(adapter.find(identity));
                let found = found.map_err(|error| Error::environment(format!("{identity}: {error}")))?;
                Ok(found.map_or(Live::Absent, Live::Is))
            }
        }
    }
}

fn json(file: &Path, text: &str) -> Result<Json, Error> {
    let arena = Arena::new();
    let value = yaml::parse(&arena, arena.alloc_str(text).as_bytes());
    let value = value.map_err(|error| Error::input(format!("{}: {error}", file.display())))?;
    Ok(serde_json::from_str(&to_string(value)).unwrap_or_default())
}

fn of_cluster(file: &Path, kinds: &[Arc<Described>]) -> Result<Inventory, Error> {
    let runtime = tokio::runtime::Runtime::new().map_err(|error| Error::environment(error.to_string()))?;
    let failed = |error: kindsmith_controller::ClusterError| {
        Error::environment(format!("cannot read the cluster: {error}"))
    };
    runtime.block_on(async {
        let cluster = kindsmith_controller::KubeCluster::of_file(file)
            .await
            .map_err(failed)?;
        let mut inventory = Inventory::default();
        for object in cluster.list("v1", "namespaces").await.map_err(failed)? {
            inventory.add(object);
        }
        let mut read = std::collections::BTreeSet::new();
        for described in kinds {
            let kind = &described.kind;
            read.insert((kind.api_version(), kind.plural.clone()));
            let others = kind.rest.references.iter();
            read.extend(others.map(|other| (other.api_version.to_owned(), other.plural.to_owned())));
        }
        for (api_version, plural) in read {
            for object in cluster.list(&api_version, &plural).await.map_err(failed)? {
                inventory.add(object);
            }
        }
        Ok(inventory)
    })
}
