//! `kindsmith controller describe`: descriptions of kinds, from a document of their API and their CRDs.

use std::path::{Path, PathBuf};

use kindsmith::crds::Crds;
use kindsmith_controller::description::{Other, Others};
use kindsmith_controller::{DescribeError, Json, describe, kinds};

use crate::Outcome;
use crate::error::Error;
use crate::schemas::CrdsArgs;
use crate::terminal::Terminal;

/// Describe kinds from a document of their API and their CRDs
///
/// Reads a Google discovery document, OpenAPI 3 or Swagger 2, and writes one description for each CRD: the address, the path
/// with its parameters, where names, masks, operations and tokens are, other names and types of fields, what cannot be
/// changed, what only the service sets, references and secrets. What the documents do not say is in `todo`; a person
/// decides it. The CRD is the second document of the file. `kindsmith controller check` checks the result.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith controller describe --api bridge.yaml --crds lamp-crd.yaml > lamp.yaml
  kindsmith controller describe --api redis-api.json --crds ./crds --kinds RedisInstance > redis_instance.yaml
  kindsmith controller describe --api sqladmin-api.json --crds ./crds --out kinds/
  kindsmith controller describe --api bridge.yaml --crds lamp-crd.yaml --collection homes/{home}/lights")]
pub(super) struct Args {
    /// Document of the API: Google discovery, OpenAPI 3 or Swagger 2, in JSON or YAML
    #[arg(long, value_name = "FILE")]
    api: PathBuf,
    #[command(flatten)]
    crds: CrdsArgs,
    /// Only these kinds
    #[arg(long, value_name = "KIND", num_args = 1..)]
    kinds: Vec<String>,
    /// The collection of the API, if it is not named like the kind
    #[arg(long, value_name = "PATH")]
    collection: Option<String>,
    /// Directory for one file per kind [default: standard output, for one kind]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        if self.crds.is_empty() {
            return Err(Error::usage("no CRD given").hint("name the CRDs of the kinds with --crds"));
        }
        let api = read(&self.api)?;
        let crds = self.crds.read(terminal)?;
        let others = others(&crds);
        let is_wanted = |kind: &str| {
            self.kinds.is_empty() || self.kinds.iter().any(|name| name.eq_ignore_ascii_case(kind))
        };
        let mut wanted: Vec<(String, &str)> = Vec::new();
        for (_, text) in crds.documents() {
            let object = json(text)?;
            let kind = object["spec"]["names"]["kind"].as_str().unwrap_or_default();
            if is_wanted(kind) {
                wanted.push((kind.to_owned(), text));
            }
        }
        let mut made = Vec::new();
        for (kind, text) in &wanted {
            match describe(&api, text, self.collection.as_deref(), &others) {
                Ok(text) => made.push((kind, text)),
                Err(DescribeError::NoResource { .. }) if wanted.len() > 1 => {}
                Err(error) => return Err(self.failed(&error)),
            }
        }
        self.write(terminal, &made)
    }

    fn failed(&self, error: &DescribeError) -> Error {
        let failed = Error::input(format!("{}: {error}", self.api.display()));
        match error {
            DescribeError::NoResource { known, .. } => {
                failed.hint(format!("choose one with --collection: {}", known.join(", ")))
            }
            _ => failed,
        }
    }

    fn write(&self, terminal: &Terminal, made: &[(&String, String)]) -> Result<Outcome, Error> {
        let Some(directory) = &self.out else {
            return match made {
                [(_, text)] => terminal.print(text).map(|()| Outcome::Clean),
                [] => Err(Error::input("the API has nothing for the kinds of the CRDs")
                    .hint("choose a kind with --kinds and a collection with --collection")),
                _ => Err(Error::usage(format!("{} kinds for one output", made.len()))
                    .hint("name a directory with --out, or a kind with --kinds")),
            };
        };
        let failed =
            |path: &Path, error: std::io::Error| Error::environment(format!("{}: {error}", path.display()));
        std::fs::create_dir_all(directory).map_err(|error| failed(directory, error))?;
        for (kind, text) in made {
            let file = directory.join(format!("{}.yaml", snake(kind)));
            std::fs::write(&file, text).map_err(|error| failed(&file, error))?;
            terminal.say(&format!("Wrote {}", file.display()));
        }
        Ok(Outcome::Clean)
    }
}

fn read(file: &Path) -> Result<Json, Error> {
    let text = crate::files::read_text(file).map_err(|error| Error::reading(file, &error))?;
    json(&text).map_err(|error| Error::input(format!("{}: {error}", file.display())))
}

fn json(text: &str) -> Result<Json, Error> {
    let arena = kindsmith_json::Arena::new();
    let value = kindsmith_json::yaml::parse(&arena, arena.alloc_str(text).as_bytes());
    let value = value.map_err(|error| Error::input(error.to_string()))?;
    Ok(serde_json::from_str(&kindsmith_json::to_string(value)).unwrap_or_default())
}

/// The kinds that fields may refer to.
fn others(crds: &Crds) -> Others {
    let built_in = kinds::ALL.iter().filter_map(|known| (known.kind)().ok());
    let mut known: Vec<Other> = built_in
        .map(|kind| Other {
            api_version: kind.api_version(),
            kind: kind.kind.clone(),
            plural: kind.plural,
        })
        .collect();
    for definition in crds.definitions() {
        let spec = &definition.spec;
        known.extend(
            spec.versions
                .iter()
                .filter(|version| version.storage)
                .map(|version| Other {
                    api_version: format!("{}/{}", spec.group, version.name),
                    kind: spec.names.kind.to_string(),
                    plural: spec.names.plural.to_string(),
                }),
        );
    }
    Others {
        known,
        is_complete: false,
    }
}

/// `RedisInstance` as `redis_instance`.
fn snake(kind: &str) -> String {
    let mut out = String::new();
    let mut was_upper = true;
    for sign in kind.chars() {
        if sign.is_uppercase() && !was_upper {
            out.push('_');
        }
        was_upper = sign.is_uppercase();
        out.extend(sign.to_lowercase());
    }
    out
}
