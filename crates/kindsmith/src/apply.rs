//! Server-side apply without a server.

use std::fmt;
use std::sync::Arc;

use kindsmith_api::{Api, Environment, Options, Served};
use kindsmith_json::{Arena, Value, parse_str, to_string};
use kindsmith_merge::managed;
use kindsmith_object::meta::Scope;
use kindsmith_object::well_known::namespace;
use kindsmith_object::{GroupVersion, store_key};
use kindsmith_store::{Memory, Store};

use crate::local_api;

/// A server-side apply to try.
#[derive(Debug, Clone, Copy)]
pub struct Apply<'a> {
    /// The object as the server has it, with its managed fields; `None` if it does not exist yet.
    pub live: Option<Value<'a>>,
    /// The configuration to apply.
    pub applied: Value<'a>,
    /// The field manager.
    pub field_manager: &'a str,
    /// Whether fields owned by other managers are taken over.
    pub is_forced: bool,
}

/// The result of a server-side apply.
#[derive(Debug)]
pub struct Applied<'a> {
    /// The merged object, or the `Status` with the reason for the failure.
    pub result: Result<Value<'a>, Value<'a>>,
    /// Who owns which fields afterwards.
    pub owners: Vec<Owner>,
    /// Fields owned by other managers, if that caused the failure.
    pub conflicts: Vec<Conflict<'a>>,
}

/// A manager and its fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// The manager and its operation: `kubectl (Apply)`.
    pub name: String,
    /// The fields, as paths.
    pub fields: Vec<String>,
}

/// A field that another manager owns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict<'a> {
    /// The field.
    pub field: &'a str,
    /// Who owns it, in the server's words.
    pub message: &'a str,
}

/// An in-memory API server for trying applies.
pub struct DryRun {
    api: Api,
    store: Arc<dyn Store>,
}

impl fmt::Debug for DryRun {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("DryRun").finish_non_exhaustive()
    }
}

/// Why an apply cannot be tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApplyError {
    /// Something is wrong with the configuration.
    Applied(String),
    /// Something is wrong with the live object.
    Live(String),
}

impl fmt::Display for ApplyError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ApplyError::Applied(text) | ApplyError::Live(text) => out.write_str(text),
        }
    }
}

impl std::error::Error for ApplyError {}

impl DryRun {
    /// An API server with the built-in kinds and those of the options; time and randomness are the caller's.
    ///
    /// # Errors
    ///
    /// If the in-memory store does not open, which would be a bug.
    pub fn new(options: Options, environment: Box<dyn Environment>) -> Result<Self, kindsmith_store::Error> {
        let store: Arc<dyn Store> = Arc::new(Memory::new());
        let api = Api::open(Arc::clone(&store), environment, options)?;
        Ok(Self { api, store })
    }

    /// The API, for adding CRDs with [`local_api::define`].
    #[must_use]
    pub fn api(&self) -> &Api {
        &self.api
    }

    /// Tries an apply.
    ///
    /// # Errors
    ///
    /// If an object has no `apiVersion`, `kind` or name, or the two objects differ in them.
    pub fn apply<'a>(&self, arena: &'a Arena, apply: &Apply<'a>) -> Result<Applied<'a>, ApplyError> {
        let target = Target::of(&self.api, apply.applied).map_err(ApplyError::Applied)?;
        if let Some(live) = apply.live {
            target.put(&*self.store, arena, live).map_err(ApplyError::Live)?;
        }
        let query = format!(
            "fieldManager={}&force={}&dryRun=All",
            encoded(apply.field_manager),
            apply.is_forced
        );
        let body = to_string(apply.applied);
        let media = "application/apply-patch+yaml";
        let answer = local_api::send(&self.api, "PATCH", &target.path, &query, media, &body);
        let object = parse_str(arena, arena.alloc_str(&answer.body)).unwrap_or_default();
        Ok(Applied {
            owners: owners(arena, object),
            conflicts: conflicts(object),
            result: if answer.status < 400 {
                Ok(object)
            } else {
                Err(object)
            },
        })
    }
}

fn conflicts(status: Value<'_>) -> Vec<Conflict<'_>> {
    let causes = status.lookup(&["details", "causes"]).and_then(Value::as_array);
    causes
        .unwrap_or_default()
        .iter()
        .filter(|cause| cause.text("reason") == "FieldManagerConflict")
        .map(|&cause| Conflict {
            field: cause.text("field"),
            message: cause.text("message"),
        })
        .collect()
}

/// The URL of an object.
struct Target {
    served: Arc<Served>,
    path: String,
    namespace: String,
    name: String,
}

impl Target {
    fn of(api: &Api, object: Value<'_>) -> Result<Self, String> {
        let (api_version, kind) = (object.text("apiVersion"), object.text("kind"));
        let asked = GroupVersion::parse(api_version).unwrap_or_default();
        let catalog = api.catalog();
        let is_it = |served: &&Arc<Served>| {
            *served.group == *asked.group && *served.version == *asked.version && *served.kind == *kind
        };
        let served = catalog.served.iter().find(is_it);
        let served = served.ok_or_else(|| format!("no schema for {api_version} {kind}"))?;
        let name = object.text(&["metadata", "name"]).to_owned();
        if name.is_empty() {
            return Err("metadata.name is missing: an apply names its object".to_owned());
        }
        let namespace = match (served.scope, object.text(&["metadata", "namespace"])) {
            (Scope::Cluster, _) => String::new(),
            (Scope::Namespaced, "") => namespace::DEFAULT.to_owned(),
            (Scope::Namespaced, namespace) => namespace.to_owned(),
        };
        let middle = match &*namespace {
            "" => String::new(),
            namespace => format!("/namespaces/{namespace}"),
        };
        Ok(Target {
            path: format!("{}{middle}/{}/{name}", asked.url_path(), served.plural),
            served: Arc::clone(served),
            namespace,
            name,
        })
    }

    /// Stores the live object as the server has it.
    fn put<'a>(&self, store: &dyn Store, arena: &'a Arena, mut live: Value<'a>) -> Result<(), String> {
        if live.text("kind") != &*self.served.kind {
            return Err(format!("expected the kind `{}`", self.served.kind));
        }
        if live.text(&["metadata", "name"]) != self.name {
            return Err(format!("expected the object `{}`", self.name));
        }
        live.unset(arena, &["metadata", "resourceVersion"]);
        if !self.namespace.is_empty() {
            let namespace = arena.alloc_str(&self.namespace);
            live.set(arena, &["metadata", "namespace"], Value::Str(namespace));
            let key = store_key::NAMESPACES.key("", namespace);
            let value = format!(
                r#"{{"kind":"Namespace","apiVersion":"v1","metadata":{{"name":"{namespace}"}},"status":{{"phase":"Active"}}}}"#
            );
            // Ignored: it may exist already.
            let _ = store.create(key.as_bytes(), value.into_bytes().into());
        }
        let key = self.served.key_prefix.key(&self.namespace, &self.name);
        let stored = store.create(key.as_bytes(), to_string(live).into_bytes().into());
        stored.map(drop).map_err(|error| error.to_string())
    }
}

/// Who owns which fields.
fn owners(arena: &Arena, object: Value<'_>) -> Vec<Owner> {
    let list = object.lookup(&["metadata", "managedFields"]);
    let text = list.map(to_string).unwrap_or_default();
    let list = parse_str(arena, arena.alloc_str(&text)).ok();
    let entries = managed::decode(arena, list).unwrap_or_default();
    entries
        .into_iter()
        .map(|entry| {
            let subresource = match entry.subresource {
                "" => String::new(),
                name => format!(", {name}"),
            };
            Owner {
                name: format!("{} ({}{subresource})", entry.manager, entry.operation.name()),
                fields: entry.fields.path_texts(),
            }
        })
        .collect()
}

/// Percent-encodes a query parameter.
fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    text.bytes()
        .map(|byte| {
            if plain(byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}
