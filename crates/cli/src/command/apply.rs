//! `kindsmith apply --dry-run`: what a server-side apply would make of an object, without a server.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use kindsmith_api::{Api, Served};
use kindsmith_json::write::{Order, to_yaml};
use kindsmith_json::{Arena, Value, parse_str, to_string, yaml};
use kindsmith_merge::managed;
use kindsmith_object::meta::Scope;
use kindsmith_server::{Gates, System};
use kindsmith_store::{Memory, Store};

use crate::Outcome;
use crate::crds::CrdsArgs;
use crate::error::Error;
use crate::local;
use crate::plans::TypesArgs;
use crate::terminal::Terminal;

/// Show what a server-side apply would make of an object
///
/// The live object, with its managed fields, and a configuration go in; the merged object, who owns which fields and
/// conflicts come out, as the server would answer: defaulted, pruned and validated. Nothing is changed anywhere.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kubectl get gate north -o yaml --show-managed-fields > live.yaml
  kindsmith apply --dry-run --live live.yaml -f gate.yaml --crds ./crds
  kindsmith apply --dry-run -f gate.yaml --crds ./crds --field-manager ci -o json
  kindsmith apply --dry-run --live live.yaml -f deployment.yaml --force-conflicts")]
pub struct Args {
    /// Only show the result; there is no other way without a server
    #[arg(long, required = true)]
    dry_run: bool,
    /// The object as the server has it; without it, it does not exist yet
    #[arg(long, value_name = "FILE")]
    live: Option<PathBuf>,
    /// The configuration to apply
    #[arg(short = 'f', long = "file", value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    types: TypesArgs,
    #[command(flatten)]
    crds: CrdsArgs,
    /// Who applies it
    #[arg(long, value_name = "NAME", default_value = "kubectl")]
    field_manager: String,
    /// Take over fields that others own
    #[arg(long)]
    force_conflicts: bool,
    /// How to print the result
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// The shape of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The object in YAML, then who owns what
    Text,
    /// One JSON document
    Json,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let store: Arc<dyn Store> = Arc::new(Memory::new());
        let options = local::options(&self.types, &Gates::default(), terminal)?;
        let api = Api::open(Arc::clone(&store), Box::new(System), options)
            .map_err(|error| Error::bug(format!("a store in memory does not open: {error}")))?;
        local::definitions(&api, &self.crds, terminal)?;

        let arena = Arena::new();
        let applied = read(&arena, &self.file)?;
        let target = Target::of(&api, applied).map_err(|message| in_file(&self.file, &message))?;
        if let Some(file) = &self.live {
            let live = read(&arena, file)?;
            target
                .put(&*store, &arena, live)
                .map_err(|message| in_file(file, &message))?;
        }
        let query = format!(
            "fieldManager={}&force={}&dryRun=All",
            encoded(&self.field_manager),
            self.force_conflicts
        );
        let body = to_string(applied);
        let media = "application/apply-patch+yaml";
        let (status, answer) = local::send(&api, "PATCH", &target.path, &query, media, &body);
        let answer = parse_str(&arena, arena.alloc_str(&answer)).unwrap_or_default();
        self.print(terminal, &arena, status, answer)?;
        Ok(if status < 400 {
            Outcome::Clean
        } else {
            Outcome::Findings
        })
    }

    fn print(&self, terminal: &Terminal, arena: &Arena, status: u16, answer: Value<'_>) -> Result<(), Error> {
        let owners = owners(arena, answer);
        let causes = answer.lookup(&["details", "causes"]).and_then(Value::as_array);
        let conflicts: Vec<(&str, &str)> = causes
            .unwrap_or_default()
            .iter()
            .filter(|cause| cause.get("reason").and_then(Value::as_str) == Some("FieldManagerConflict"))
            .map(|cause| (text(*cause, "field"), text(*cause, "message")))
            .collect();
        if self.format == Format::Json {
            let result: serde_json::Value = serde_json::from_str(&to_string(answer)).unwrap_or_default();
            let owners: Vec<serde_json::Value> = owners
                .iter()
                .map(|(owner, fields)| serde_json::json!({ "owner": owner, "fields": fields }))
                .collect();
            let conflicts: Vec<serde_json::Value> = conflicts
                .iter()
                .map(|(field, message)| serde_json::json!({ "field": field, "message": message }))
                .collect();
            let key = if status < 400 { "object" } else { "status" };
            let line = serde_json::json!({ key: result, "owners": owners, "conflicts": conflicts });
            return terminal.print(&format!("{line}\n"));
        }
        if status >= 400 {
            terminal.warn(text(answer, "message"));
            if !conflicts.is_empty() {
                terminal.say(
                    "hint: --force-conflicts takes these fields over; leaving them out leaves them alone",
                );
            }
            return Ok(());
        }
        let mut object = answer;
        object.unset(arena, &["metadata", "managedFields"]);
        let mut out = to_yaml(object, Order::Kept);
        out.push_str("\n# Who owns which fields\n");
        for (owner, fields) in owners {
            out.push_str(&format!("# {owner}\n"));
            for field in fields {
                out.push_str(&format!("#   {field}\n"));
            }
        }
        terminal.print(&out)
    }
}

/// Where an object lives.
struct Target {
    served: Arc<Served>,
    path: String,
    namespace: String,
    name: String,
}

impl Target {
    fn of(api: &Api, object: Value<'_>) -> Result<Self, String> {
        let (api_version, kind) = (text(object, "apiVersion"), text(object, "kind"));
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        let catalog = api.catalog();
        let is_it = |served: &&Arc<Served>| {
            *served.group == *group && *served.version == *version && *served.kind == *kind
        };
        let served = catalog.served.iter().find(is_it);
        let served = served.ok_or_else(|| {
            format!("nothing serves the kind `{kind}` of `{api_version}`; name its definition with --crds, or its package with --types")
        })?;
        let member = |key| {
            object
                .lookup(&["metadata", key])
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let name = member("name").to_owned();
        if name.is_empty() {
            return Err("metadata.name is missing: an apply names its object".to_owned());
        }
        let namespace = match (served.scope, member("namespace")) {
            (Scope::Cluster, _) => String::new(),
            (Scope::Namespaced, "") => "default".to_owned(),
            (Scope::Namespaced, namespace) => namespace.to_owned(),
        };
        let root = match group {
            "" => format!("/api/{version}"),
            group => format!("/apis/{group}/{version}"),
        };
        let middle = match &*namespace {
            "" => String::new(),
            namespace => format!("/namespaces/{namespace}"),
        };
        Ok(Target {
            path: format!("{root}{middle}/{}/{name}", served.plural),
            served: Arc::clone(served),
            namespace,
            name,
        })
    }

    /// Puts the live object where the server has it.
    fn put<'a>(&self, store: &dyn Store, arena: &'a Arena, mut live: Value<'a>) -> Result<(), String> {
        if text(live, "kind") != &*self.served.kind {
            return Err(format!("expected the kind `{}`", self.served.kind));
        }
        if live.lookup(&["metadata", "name"]).and_then(Value::as_str) != Some(&self.name) {
            return Err(format!("expected the object `{}`", self.name));
        }
        live.unset(arena, &["metadata", "resourceVersion"]);
        if !self.namespace.is_empty() {
            let namespace = arena.alloc_str(&self.namespace);
            live.set(arena, &["metadata", "namespace"], Value::Str(namespace));
            let key = format!("/registry/namespaces/{namespace}");
            let value = format!(
                r#"{{"kind":"Namespace","apiVersion":"v1","metadata":{{"name":"{namespace}"}},"status":{{"phase":"Active"}}}}"#
            );
            // It may be there already.
            let _ = store.create(key.as_bytes(), value.into_bytes().into());
        }
        let middle = match &*self.namespace {
            "" => String::new(),
            namespace => format!("{namespace}/"),
        };
        let key = format!("{}{middle}{}", self.served.key_prefix, self.name);
        let stored = store.create(key.as_bytes(), to_string(live).into_bytes().into());
        stored.map(drop).map_err(|error| error.to_string())
    }
}

/// Who owns which fields.
fn owners(arena: &Arena, object: Value<'_>) -> Vec<(String, Vec<String>)> {
    let list = object.lookup(&["metadata", "managedFields"]);
    let text = list.map(to_string).unwrap_or_default();
    let list = parse_str(arena, arena.alloc_str(&text)).ok();
    let entries = managed::decode(arena, list).unwrap_or_default();
    entries
        .into_iter()
        .map(|entry| {
            let part = match entry.subresource {
                "" => String::new(),
                part => format!(", {part}"),
            };
            let owner = format!("{} ({}{part})", entry.manager, entry.operation.name());
            (owner, entry.fields.path_texts())
        })
        .collect()
}

fn read<'a>(arena: &'a Arena, file: &Path) -> Result<Value<'a>, Error> {
    let text = std::fs::read_to_string(file).map_err(|error| Error::reading(file, &error))?;
    yaml::parse(arena, arena.alloc_str(&text).as_bytes()).map_err(|error| in_file(file, &error.to_string()))
}

fn in_file(file: &Path, message: &str) -> Error {
    Error::input(format!("{}: {message}", file.display()))
}

fn text<'a>(value: Value<'a>, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A text as a part of a query.
fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    text.bytes()
        .map(|byte| match plain(byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect()
}
