//! `kindsmith apply --dry-run`: the result of a server-side apply, without a server.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use kindsmith::apply::{Applied, Apply, ApplyError, DryRun};
use kindsmith::bridge::to_json;
use kindsmith_json::write::{Order, to_yaml};
use kindsmith_json::{Arena, Value, yaml};
use kindsmith_server::Gates;

use crate::Outcome;
use crate::error::Error;
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
  kindsmith apply --dry-run -f gate.yaml --crds ./crds --field-manager ci -o json
  kindsmith apply --dry-run --live live.yaml -f deployment.yaml --force-conflicts")]
pub struct Args {
    /// Only show the result; required, because there is no server to change
    #[arg(long, required = true)]
    dry_run: bool,
    /// The object as the server has it; if not given, the object is created
    #[arg(long, value_name = "FILE")]
    live: Option<PathBuf>,
    /// The configuration to apply
    #[arg(short = 'f', long = "file", value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    types: TypesArgs,
    #[command(flatten)]
    crds: CrdsArgs,
    #[command(flatten)]
    options: OptionArgs,
    /// Name of the field manager
    #[arg(long, value_name = "NAME", default_value = "kubectl")]
    field_manager: String,
    /// Take over fields owned by other managers
    #[arg(long)]
    force_conflicts: bool,
    /// How to print the result
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The object in YAML, then who owns what
    Text,
    /// One JSON document
    Json,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let options = self.types.options(&Gates::default(), &self.options, terminal)?;
        let dry_run = DryRun::new(options)
            .map_err(|error| Error::bug(format!("a store in memory does not open: {error}")))?;
        self.crds.define(dry_run.api(), terminal)?;

        let arena = Arena::new();
        let apply = Apply {
            live: self.live.as_deref().map(|file| read(&arena, file)).transpose()?,
            applied: read(&arena, &self.file)?,
            field_manager: &self.field_manager,
            is_forced: self.force_conflicts,
        };
        let applied = dry_run.apply(&arena, &apply).map_err(|error| match &error {
            ApplyError::Live(message) => in_file(self.live.as_deref().unwrap_or(&self.file), message),
            ApplyError::Applied(message) => in_file(&self.file, message)
                .hint("name the CRD of a kind with `--crds`, or its Go package with `--types`"),
        })?;
        self.print(terminal, &arena, &applied)?;
        Ok(match applied.result {
            Ok(_) => Outcome::Clean,
            Err(_) => Outcome::Findings,
        })
    }

    fn print(&self, terminal: &Terminal, arena: &Arena, applied: &Applied<'_>) -> Result<(), Error> {
        if self.format == Format::Json {
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

fn read<'a>(arena: &'a Arena, file: &Path) -> Result<Value<'a>, Error> {
    let text = crate::files::read_text(file).map_err(|error| Error::reading(file, &error))?;
    yaml::parse(arena, arena.alloc_str(&text).as_bytes()).map_err(|error| in_file(file, &error.to_string()))
}

fn in_file(file: &Path, message: &str) -> Error {
    Error::input(format!("{}: {message}", file.display()))
}
