//! `kindsmith reconcile --plan`: what a direct controller would do to a resource, without a cluster and without a service.

mod known;
mod report;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kindsmith_json::{Arena, Object, Value, to_string, yaml};
use kindsmith_merge::effective::{
    Attributes, Desired, Effective, FieldPath, Ignored, Listing, Method, Strategy, UNMANAGED, effective,
    ignores_unspecified, writes,
};
use kindsmith_openapi::crd::Definition;
use kindsmith_schema::JsonSchema;
use report::{Plan, Request};

use crate::Outcome;
use crate::descriptions::DescriptionArgs;
use crate::error::Error;
use crate::output::TextOrJson;
use crate::schemas::CrdsArgs;
use crate::terminal::Terminal;

/// Show what a controller would do to a live resource
///
/// Takes an object and the live resource in the same form (or, for kinds of `kindsmith controller`, as the service
/// returns it), and prints the effective desired state: the spec, plus the live values of fields that the spec does not
/// set and that are listed in the annotation kindsmith.dev/keep-live-fields or
/// cnrm.cloud.google.com/default-to-gcp-fields. Then it prints what is kept, set and released, and the request that
/// would be sent. Nothing is changed anywhere.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith reconcile --plan -f gate.yaml --live live.json --crds ./crds
  kindsmith reconcile --plan -f gate.yaml --live live.json --crds ./crds -o json
  kindsmith reconcile --plan -f gate.yaml --old before.yaml --live live.json --crds ./crds
  kindsmith reconcile --plan -f gate.yaml --crds ./crds                  # not created yet
  kindsmith reconcile --plan -f study.yaml --description lamp.yaml       # the request to your own service")]
pub struct Args {
    /// Only show what would be done; required, since there is no cluster
    #[arg(long, required = true)]
    plan: bool,
    /// The object
    #[arg(short = 'f', long = "file", value_name = "FILE")]
    file: PathBuf,
    /// The live resource: an object with a spec, or only its spec; omit it if it does not exist yet
    #[arg(long, value_name = "FILE")]
    live: Option<PathBuf>,
    /// The object at the last reconciliation: fields that it sets and the object does not are released
    #[arg(long, value_name = "FILE")]
    old: Option<PathBuf>,
    #[command(flatten)]
    crds: CrdsArgs,
    #[command(flatten)]
    descriptions: DescriptionArgs,
    /// How to print the plan
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "text")]
    format: TextOrJson,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let arena = Arena::new();
        let object = read(&arena, &self.file)?;
        let live = match &self.live {
            Some(file) => live(read(&arena, file)?).map_err(|message| in_file(file, &message))?,
            None => None,
        };
        let old = match &self.old {
            Some(file) => Some(read(&arena, file)?),
            None => None,
        };
        let own = self.descriptions.read()?;
        let plan = match known::find(object, own).filter(|_| self.crds.is_empty()) {
            Some(described) => known::plan(terminal, &arena, &described, object, live, old)?,
            None => self.of_any_kind(terminal, &arena, object, live, old)?,
        };
        terminal.print(&match self.format {
            TextOrJson::Text => plan.text(),
            TextOrJson::Json => plan.json(&arena),
        })?;
        Ok(if plan.refused.is_empty() {
            Outcome::Clean
        } else {
            Outcome::Findings
        })
    }

    /// Plans for any kind from its CRD alone, as if an API served the kind as in the CRD.
    fn of_any_kind<'a>(
        &self,
        terminal: &Terminal,
        arena: &'a Arena,
        object: Value<'a>,
        live: Option<Value<'a>>,
        old: Option<Value<'a>>,
    ) -> Result<Plan<'a>, Error> {
        let kind = self.kind(terminal, object)?;
        let live = live.map(|live| as_object(arena, live));
        let attributes = Attributes::of_schema(&kind.schema);
        let (listing, mut bad) = Listing::of_object(object, &kind.schema, &attributes);
        let (unmanaged, more) = Listing::of_annotations(&[UNMANAGED], object, &kind.schema, &attributes);
        bad.extend(more);
        let situation = Situation {
            kind: &kind,
            attributes: &attributes,
            listing: &listing,
            unmanaged: &unmanaged,
        };
        let mut remembered = remembered(object).applied;
        if let Some(old) = old {
            remembered.extend(
                situation
                    .effective(arena, old, None, &Listing::default())
                    .specified,
            );
        }
        let mut applied = Listing::default();
        for path in remembered.iter().filter_map(|text| FieldPath::parse(text).ok()) {
            applied.insert(&path);
        }
        let result = situation.effective(arena, object, live, &applied);
        for Ignored { path, reason } in &result.warnings {
            terminal.warn(&format!("warning: {path}: {reason}"));
        }
        Ok(Plan {
            effective: result.object,
            live,
            request: situation.request(arena, object, live, &result),
            kept: result
                .kept
                .into_iter()
                .map(|kept| (kept.path, kept.value, kept.by.to_string()))
                .collect(),
            declared: result.declared,
            set: result.set.iter().map(|change| change.path.to_string()).collect(),
            released: result.released,
            ignored: bad.into_iter().chain(result.ignored).collect(),
            refused: result.refused,
        })
    }

    /// The kind of the object, from the given CRDs.
    fn kind(&self, terminal: &Terminal, object: Value<'_>) -> Result<Kind, Error> {
        let text = |key| object.get(key).and_then(Value::as_str).unwrap_or_default();
        let (api_version, kind) = (text("apiVersion"), text("kind"));
        let crds = self.crds.read(terminal)?;
        let Some(found) = crds.of_object(api_version, kind) else {
            let message = format!("no schema for the kind `{kind}` of `{api_version}`");
            return Err(in_file(&self.file, &message).hint("name its CRD with --crds"));
        };
        Ok(Kind {
            definition: Arc::clone(found.definition()),
            version: found.version().to_owned(),
            schema: found.schema()?,
        })
    }
}

/// What the controller remembers in the object.
fn remembered(object: Value<'_>) -> kindsmith_controller::Memory {
    let object = serde_json::from_str(&to_string(object)).unwrap_or_default();
    kindsmith_controller::Memory::of_annotation(&object)
}

struct Kind {
    definition: Arc<Definition>,
    version: String,
    schema: Arc<JsonSchema>,
}

/// What is the same for all objects of a kind with the same annotations.
struct Situation<'i> {
    kind: &'i Kind,
    attributes: &'i Attributes,
    listing: &'i Listing,
    unmanaged: &'i Listing,
}

impl Situation<'_> {
    fn effective<'a>(
        &self,
        arena: &'a Arena,
        object: Value<'a>,
        live: Option<Value<'a>>,
        applied: &Listing,
    ) -> Effective<'a> {
        let desired = Desired {
            controllers: &["cnrm-controller-manager", "kindsmith-controller"],
            applied,
            ignores_unspecified: ignores_unspecified(object),
            ..Desired::new(object, self.unmanaged)
        };
        effective(
            arena,
            &desired,
            live,
            self.listing,
            &self.kind.schema,
            self.attributes,
        )
    }

    /// The request to an API that serves the kind as in its CRD.
    fn request<'a>(
        &self,
        arena: &'a Arena,
        object: Value<'a>,
        live: Option<Value<'a>>,
        result: &Effective<'a>,
    ) -> Option<Request<'a>> {
        if !result.refused.is_empty() {
            return None;
        }
        let Some(live) = live else {
            return Some(Request {
                method: "POST".to_owned(),
                path: self.path(object, false),
                body: to_create(arena, result.object),
                fields: Vec::new(),
                more: 0,
            });
        };
        let strategy = Strategy {
            method: Method::Patch,
            token: Some(&["metadata", "resourceVersion"]),
        };
        let writes = writes(arena, result, live, self.attributes, &strategy);
        let more = writes.len().saturating_sub(1);
        writes.into_iter().next().map(|write| Request {
            method: "PATCH".to_owned(),
            path: self.path(object, true),
            body: write.body,
            fields: write.fields,
            more,
        })
    }

    fn path(&self, object: Value<'_>, named: bool) -> String {
        let metadata = |key| object.lookup(&["metadata", key]).and_then(Value::as_str);
        let spec = &self.kind.definition.spec;
        let namespace = match &*spec.scope {
            "Cluster" => String::new(),
            _ => format!("/namespaces/{}", metadata("namespace").unwrap_or("default")),
        };
        let name = if named {
            format!("/{}", metadata("name").unwrap_or_default())
        } else {
            String::new()
        };
        let (group, version, plural) = (&spec.group, &self.kind.version, &spec.names.plural);
        format!("/apis/{group}/{version}{namespace}/{plural}{name}")
    }
}

/// A live resource: an object; `None` for `null`.
fn live(value: Value<'_>) -> Result<Option<Value<'_>>, String> {
    match value {
        Value::Null => Ok(None),
        Value::Object(_) => Ok(Some(value)),
        _ => Err("expected an object".to_owned()),
    }
}

/// The resource as an object with a `spec`.
fn as_object<'a>(arena: &'a Arena, live: Value<'a>) -> Value<'a> {
    if ["spec", "apiVersion", "metadata"]
        .iter()
        .any(|key| live.get(key).is_some())
    {
        return live;
    }
    let mut object = Value::Object(Object::EMPTY);
    object.set(arena, &["spec"], live);
    object
}

/// The object to create: without what only the server sets.
fn to_create<'a>(arena: &'a Arena, object: Value<'a>) -> Value<'a> {
    let mut object = object;
    object.unset(arena, &["status"]);
    for member in [
        "uid",
        "resourceVersion",
        "creationTimestamp",
        "generation",
        "managedFields",
    ] {
        object.unset(arena, &["metadata", member]);
    }
    object
}

fn read<'a>(arena: &'a Arena, file: &Path) -> Result<Value<'a>, Error> {
    let text = crate::files::read_text(file).map_err(|error| Error::reading(file, &error))?;
    yaml::parse(arena, arena.alloc_str(&text).as_bytes()).map_err(|error| in_file(file, &error.to_string()))
}

fn in_file(file: &Path, message: &str) -> Error {
    Error::input(format!("{}: {message}", file.display()))
}
