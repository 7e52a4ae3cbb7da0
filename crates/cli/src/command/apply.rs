//! `kindsmith apply --dry-run`: the result of a server-side apply, without a server.

use std::path::{Path, PathBuf};

use kindsmith::apply::{Applied, Apply, ApplyError, DryRun};
use kindsmith::bridge::to_json;
use kindsmith::local_api;
use kindsmith_api::Api;
use kindsmith_json::write::{Order, to_yaml};
use kindsmith_json::{Arena, Value, to_string, yaml};
use kindsmith_server::{Gates, System};

use crate::Outcome;
use crate::error::Error;
use crate::output::TextOrJson;
use crate::release::ReleaseArgs;
use crate::schemas::{CrdsArgs, OptionArgs, TypesArgs};
use crate::terminal::Terminal;

/// Show the result of a server-side apply
///
/// Takes the live object with its managed fields, and a configuration; prints the merged object, who owns which
/// fields, and conflicts, as the server would answer: defaulted, pruned and validated. Nothing is changed anywhere.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kubectl get gate north -o yaml --show-managed-fields > live.yaml
  kindsmith apply --dry-run --live live.yaml -f gate.yaml --crds ./crds
  kindsmith apply --dry-run=server -f gate.yaml --crds ./crds --field-manager ci -o json
  kindsmith apply --dry-run --live live.yaml -f deployment.yaml --force-conflicts")]
pub struct Args {
    /// Only show the result; required, because there is no server to change. `--dry-run=server` is the same
    #[arg(long, required = true, value_name = "WHERE", num_args = 0..=1, require_equals = true, default_missing_value = "server")]
    dry_run: DryRunWhere,
    /// The object as the server has it; if not given, the object is created
    #[arg(long, value_name = "FILE")]
    live: Option<PathBuf>,
    /// The configurations to apply, one after the other: any number of documents; `-` is standard input
    #[arg(short = 'f', long = "file", value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    types: TypesArgs,
    #[command(flatten)]
    crds: CrdsArgs,
    #[command(flatten)]
    options: OptionArgs,
    #[command(flatten)]
    release: ReleaseArgs,
    /// Name of the field manager
    #[arg(long, value_name = "NAME", default_value = "kubectl")]
    field_manager: String,
    /// Take over fields owned by other managers
    #[arg(long)]
    force_conflicts: bool,
    /// How to print the result
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "text")]
    format: TextOrJson,
}

/// Where a dry run happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum DryRunWhere {
    /// With everything a server does
    Server,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let gates = Gates::of(self.release.release()?);
        let (options, crds) = self.types.options(&gates, &self.options, terminal)?;
        let dry_run = DryRun::new(options, Box::new(System))
            .map_err(|error| Error::bug(format!("a store in memory does not open: {error}")))?;
        self.crds.define(dry_run.api(), terminal)?;
        crds.define(dry_run.api())?;

        let DryRunWhere::Server = self.dry_run;
        let arena = Arena::new();
        let live = self.live.as_deref().map(|file| read(&arena, file)).transpose()?;
        let live: Vec<Value<'_>> = live.unwrap_or_default();
        // A single pair belongs together: a wrong name is an error, not a new object.
        let only = live.first().copied().filter(|_| live.len() == 1);
        let mut outcome = Outcome::Clean;
        let mut is_first = true;
        for file in &self.files {
            let documents = read(&arena, file)?;
            let is_pair = self.files.len() == 1 && documents.len() == 1;
            for applied in documents {
                make_namespace(dry_run.api(), applied);
                let named = live.iter().copied().find(|live| is_same(*live, applied));
                let apply = Apply {
                    live: named.or(only.filter(|_| is_pair)),
                    applied,
                    field_manager: &self.field_manager,
                    is_forced: self.force_conflicts,
                };
                let applied = dry_run.apply(&arena, &apply).map_err(|error| match &error {
                    ApplyError::Live(message) => in_file(self.live.as_deref().unwrap_or(file), message),
                    ApplyError::Applied(message) => in_file(file, message)
                        .hint("name the CRD of a kind with `--crds`, or its Go package with `--types`"),
                })?;
                if !is_first && self.format == TextOrJson::Text {
                    terminal.print("---\n")?;
                }
                is_first = false;
                self.print(terminal, &arena, &applied)?;
                if applied.result.is_err() {
                    outcome = Outcome::Findings;
                }
            }
        }
        if is_first {
            return Err(Error::input("there is nothing to apply").hint("name a file with an object"));
        }
        Ok(outcome)
    }

    fn print(&self, terminal: &Terminal, arena: &Arena, applied: &Applied<'_>) -> Result<(), Error> {
        if self.format == TextOrJson::Json {
            return terminal.print(&format!("{}\n", json(applied)));
        }
        let mut object = match applied.result {
            Ok(object) => object,
            Err(status) => {
                terminal.warn(status.get("message").and_then(Value::as_str).unwrap_or_default());
                if !applied.conflicts.is_empty() {
                    terminal.say(
                        "hint: --force-conflicts takes these fields over; leaving them out leaves them alone",
                    );
                }
                return Ok(());
            }
        };
        object.unset(arena, &["metadata", "managedFields"]);
        let mut out = to_yaml(object, Order::Kept);
        out.push_str("\n# Who owns which fields\n");
        for owner in &applied.owners {
            out.push_str(&format!("# {}\n", owner.name));
            for field in &owner.fields {
                out.push_str(&format!("#   {field}\n"));
            }
        }
        terminal.print(&out)
    }
}

fn json(applied: &Applied<'_>) -> serde_json::Value {
    let owners: Vec<serde_json::Value> = applied
        .owners
        .iter()
        .map(|owner| serde_json::json!({ "owner": owner.name, "fields": owner.fields }))
        .collect();
    let conflicts: Vec<serde_json::Value> = applied
        .conflicts
        .iter()
        .map(|conflict| serde_json::json!({ "field": conflict.field, "message": conflict.message }))
        .collect();
    let (key, result) = match applied.result {
        Ok(object) => ("object", to_json(object)),
        Err(status) => ("status", to_json(status)),
    };
    serde_json::json!({ key: result, "owners": owners, "conflicts": conflicts })
}

/// The documents of a file.
fn read<'a>(arena: &'a Arena, file: &Path) -> Result<Vec<Value<'a>>, Error> {
    let text = crate::files::read_text(file).map_err(|error| Error::reading(file, &error))?;
    let mut values = Vec::new();
    for document in yaml::documents(arena.alloc_str(&text)) {
        let value = yaml::parse(arena, document.text.as_bytes());
        values.push(value.map_err(|error| in_file(file, &error.to_string()))?);
    }
    values.retain(|value| !value.is_null());
    Ok(values)
}

/// Makes the namespace of an object: it is there when the object is applied for good.
fn make_namespace(api: &Api, object: Value<'_>) {
    let namespace = object.lookup(&["metadata", "namespace"]).and_then(Value::as_str);
    if let Some(name) = namespace.filter(|name| !name.is_empty()) {
        let body = format!("{{\"metadata\":{{\"name\":{}}}}}", to_string(Value::Str(name)));
        // A name that no namespace can have is an error of the object, too.
        let _ = local_api::ask(api, "POST", "/api/v1/namespaces", &body);
    }
}

/// Whether two documents are the same object: kind, namespace and name.
fn is_same(live: Value<'_>, applied: Value<'_>) -> bool {
    let text = |value: Value<'_>, path: &[&str]| {
        value
            .lookup(path)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let namespace = |value| {
        Some(text(value, &["metadata", "namespace"])).filter(|name| !name.is_empty() && name != "default")
    };
    text(live, &["kind"]) == text(applied, &["kind"])
        && text(live, &["metadata", "name"]) == text(applied, &["metadata", "name"])
        && namespace(live) == namespace(applied)
}

fn in_file(file: &Path, message: &str) -> Error {
    Error::input(format!("{}: {message}", file.display()))
}
