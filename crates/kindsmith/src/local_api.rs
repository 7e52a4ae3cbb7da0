//! An API server inside the program: requests without a connection, or a listener for tests of other programs.

use std::collections::HashSet;
use std::sync::Arc;

use kindsmith_api::{Api, Options, Request, User};
#[cfg(feature = "server")]
use kindsmith_builtin::Lifecycle;
use kindsmith_builtin::{Declarative, HandWritten, Kind, Settings, Tally, kinds_of};
use kindsmith_generate::controller_gen::Generated;
use kindsmith_json::{Arena, Value, parse_str, to_string, yaml};
#[cfg(feature = "server")]
use kindsmith_object::Gate;
use kindsmith_object::GroupVersion;
use kindsmith_object::meta::Scope;
use kindsmith_object::well_known::namespace;
use kindsmith_schema::Schema;
use kindsmith_store::{Event, Key, List, Store};

use crate::controller_gen_kinds;
use crate::crds::{Crds, UnreadableDocument};

pub use kindsmith_object::well_known::group::MASTERS;
#[cfg(feature = "server")]
pub use kindsmith_server::{Gates, System};

/// The user of the administrator's credentials.
pub const ADMINISTRATOR: &str = "admin";
/// Where CRDs are written.
const PATH: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// Server options with these feature gates.
#[cfg(feature = "server")]
#[must_use]
pub fn options(gates: &Gates) -> Options {
    let mut options = Options::default();
    options.serving.release = gates.release();
    options.serving.gates.release = gates.release();
    options.admission.plugins.keep_to(gates.release());
    options.serving.gates.custom_resource_defaulting = gates.is_on(Gate::CustomResourceDefaulting);
    options.serving.gates.declarative_defaults = gates.is_on(Gate::DeclarativeDefaults);
    options.serving.gates.defaults_of_kep = gates.is_kep();
    options.writes.declarative = Arc::new(Declarative {
        lifecycle: lifecycle(gates),
        ..Declarative::default()
    });
    options.serving.has_no_initial_events = !gates.is_on(Gate::WatchList);
    options
}

/// Passes a line about each difference between hand-written rules and tags, and about each panic, to a log.
pub fn log_differences(options: &mut Options, log: impl Fn(&str) + Send + Sync + 'static) {
    options.writes.declarative = Arc::new(Declarative {
        lifecycle: options.writes.declarative.lifecycle,
        tally: Tally::with_log(log),
    });
}

#[cfg(feature = "server")]
fn lifecycle(gates: &Gates) -> Lifecycle {
    if gates.is_kep() {
        Lifecycle::Kep {
            runs: gates.is_on(Gate::DeclarativeValidation),
            takes_over: gates.is_on(Gate::DeclarativeValidationTakeover),
        }
    } else {
        Lifecycle::Kubernetes {
            // Before there was the gate, code found what beta tags find now.
            beta: gates.is_on(Gate::DeclarativeValidationBeta)
                || Gate::DeclarativeValidationBeta.level(gates.release()).is_none(),
        }
    }
}

/// Adds the kinds of Go packages to the server's options. Those that are written for controller-gen are served as custom
/// resources: [`define`] their CRDs, which are returned.
///
/// # Errors
///
/// If the packages have no kinds.
pub fn add_kinds(options: &mut Options, schema: Schema, settings: &Settings) -> Result<Generated, NoKinds> {
    let generated = controller_gen_kinds::definitions(&schema, settings.profile);
    let is_custom = |kind: &Kind| {
        let mut specs = generated
            .definitions
            .iter()
            .map(|definition| &definition.model.spec);
        specs.any(|spec| spec.group == kind.names.group && spec.names.kind == kind.names.kind)
    };
    options.serving.kinds = kinds_of(&Arc::new(schema), settings);
    options.serving.kinds.retain(|kind| !is_custom(kind));
    if options.serving.kinds.is_empty() && generated.definitions.is_empty() {
        return Err(NoKinds);
    }
    Ok(generated)
}

/// Gives a kind of the server's options hand-written rules beside its tags, in all versions. Both are checked; differences are
/// counted in [`Writes::declarative`](kindsmith_api::options::Writes).
///
/// # Errors
///
/// If there is no such kind.
pub fn set_hand_written(options: &mut Options, kind: &str, rules: &HandWritten) -> Result<(), NoKinds> {
    let mut found = options
        .serving
        .kinds
        .iter()
        .filter(|known| *known.names.kind == *kind)
        .peekable();
    if found.peek().is_none() {
        return Err(NoKinds);
    }
    found.for_each(|known| known.set_hand_written(rules.clone()));
    Ok(())
}

/// Go packages without a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoKinds;

impl std::fmt::Display for NoKinds {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("the Go packages have no kinds to serve")
    }
}

impl std::error::Error for NoKinds {}

/// Why a CRD is not defined.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DefineError {
    /// The text is not YAML.
    Yaml(yaml::YamlError),
    /// The server's message.
    Refused(String),
}

impl std::fmt::Display for DefineError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Yaml(error) => error.fmt(out),
            Self::Refused(message) => out.write_str(message),
        }
    }
}

impl std::error::Error for DefineError {}

/// Creates a CRD, or updates the existing one.
///
/// # Errors
///
/// The server's error.
pub fn define(api: &Api, crd: &str) -> Result<(), DefineError> {
    let arena = Arena::new();
    let definition = yaml::parse(&arena, crd.as_bytes()).map_err(DefineError::Yaml)?;
    define_value(api, &arena, definition)
}

fn define_value<'a>(api: &Api, arena: &'a Arena, mut definition: Value<'a>) -> Result<(), DefineError> {
    let created = ask(api, "POST", PATH, &to_string(definition));
    if created.status != 409 {
        return created.accepted();
    }
    let name = definition.lookup(&["metadata", "name"]).and_then(Value::as_str);
    let path = format!("{PATH}/{}", name.unwrap_or_default());
    let stored = ask(api, "GET", &path, "");
    let stored = parse_str(arena, arena.alloc_str(&stored.body)).unwrap_or_default();
    if let Some(version) = stored.lookup(&["metadata", "resourceVersion"]) {
        definition.set(arena, &["metadata", "resourceVersion"], version);
    }
    ask(api, "PUT", &path, &to_string(definition)).accepted()
}

/// Creates or updates the CRDs of a text: YAML or JSON, any number of documents. Other objects are skipped. Says whether there
/// was a CRD; `tell` gets what cannot be read and may have been one, before any is created.
///
/// # Errors
///
/// The server's error.
pub fn define_all(
    api: &Api,
    file: &str,
    text: &str,
    tell: &mut dyn FnMut(&UnreadableDocument),
) -> Result<bool, DefineError> {
    let arena = Arena::new();
    if let Some(definitions) = plain_definitions(&arena, text) {
        for definition in definitions {
            define_value(api, &arena, definition)?;
        }
        return Ok(true);
    }
    let mut crds = Crds::default();
    crds.add(file, text);
    crds.unreadable().iter().for_each(tell);
    for (_, document) in crds.documents() {
        define(api, document)?;
    }
    Ok(!crds.is_empty())
}

/// The CRDs of a text whose documents are all objects, and of which some are CRDs; `None` for other texts. To find CRDs without parsing
/// took an eighth of the start with 613 of them.
fn plain_definitions<'a>(arena: &'a Arena, text: &'a str) -> Option<Vec<Value<'a>>> {
    let mut definitions = Vec::new();
    for document in yaml::documents(text) {
        let object = yaml::parse(arena, document.text.as_bytes()).ok()?;
        match (object.text("kind"), object.text("apiVersion")) {
            ("CustomResourceDefinition", "apiextensions.k8s.io/v1") => definitions.push(object),
            ("" | "CustomResourceDefinition", _) => return None,
            (kind, _) if kind.ends_with("List") => return None,
            _ => {}
        }
    }
    (!definitions.is_empty()).then_some(definitions)
}

/// An answer of the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body; empty for a watch.
    pub body: String,
}

impl Answer {
    fn accepted(&self) -> Result<(), DefineError> {
        if self.status < 400 {
            return Ok(());
        }
        let arena = Arena::new();
        let message = parse_str(&arena, &self.body)
            .ok()
            .and_then(|body| body.get("message")?.as_str())
            .unwrap_or(&self.body);
        Err(DefineError::Refused(message.to_owned()))
    }
}

/// Sends a request as the administrator.
#[must_use]
pub fn ask(api: &Api, method: &str, path: &str, body: &str) -> Answer {
    send(
        api,
        method,
        path,
        "fieldManager=kindsmith",
        "application/json",
        body,
    )
}

/// Sends a request as the administrator, with a query and any media type.
#[must_use]
pub fn send(api: &Api, method: &str, path: &str, query: &str, media: &str, body: &str) -> Answer {
    let user = User {
        name: ADMINISTRATOR.to_owned(),
        groups: vec![MASTERS.to_owned()],
        ..User::default()
    };
    let request = Request {
        method,
        path,
        query,
        headers: &[("content-type", media), ("user-agent", "kindsmith")],
        body: body.as_bytes(),
        user: &user,
    };
    let response = api.handle(&request, &api.info(&request));
    Answer {
        status: response.status,
        body: String::from_utf8(response.content.into_bytes())
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
    }
}

/// The path of the collection that an object belongs to; its namespace is created if it is not there. `None` if its kind is
/// not served.
#[must_use]
pub fn collection(api: &Api, object: Value<'_>) -> Option<String> {
    let asked = GroupVersion::parse(object.text("apiVersion")).ok()?;
    let catalog = api.catalog();
    let mut served = catalog.served.iter();
    let wanted = (asked.group, asked.version, object.text("kind"));
    let served = served.find(|served| (&*served.group, &*served.version, &*served.kind) == wanted)?;
    let root = asked.url_path();
    if served.scope == Scope::Cluster {
        return Some(format!("{root}/{}", served.plural));
    }
    let namespace = match object.text(&["metadata", "namespace"]) {
        "" => namespace::DEFAULT,
        namespace => namespace,
    };
    let body = format!(
        "{{\"metadata\":{{\"name\":{}}}}}",
        to_string(Value::Str(namespace))
    );
    let created = ask(api, "POST", "/api/v1/namespaces", &body);
    debug_assert!(created.status < 500, "a namespace is created or there");
    Some(format!("{root}/namespaces/{namespace}/{}", served.plural))
}

/// Follows CRDs that other servers write to the same store, from a revision on.
pub fn follow_definitions(api: &Arc<Api>, store: &Arc<dyn Store>, mut after: u64) {
    let (api, store) = (Arc::downgrade(api), Arc::clone(store));
    std::thread::spawn(move || {
        let mut known = HashSet::new();
        while let Some(api) = api.upgrade() {
            match follow(&api, &*store, &mut after, &mut known) {
                // The missed events are compacted, so all CRDs are listed again.
                Err(kindsmith_store::Error::Compacted { .. }) => {
                    after = reload(&api, &*store, &mut known).unwrap_or(after);
                }
                // The store is unavailable; try again.
                Err(_) => {}
                Ok(()) => return,
            }
            std::thread::sleep(std::time::Duration::from_secs(1));
        }
    });
}

/// Follows CRDs until the store fails.
fn follow(
    api: &Api,
    store: &dyn Store,
    after: &mut u64,
    known: &mut HashSet<Key>,
) -> Result<(), kindsmith_store::Error> {
    for event in store.watch(Api::definitions(), *after)? {
        let event = event?;
        match event.value {
            Some(_) => known.insert(event.key.clone()),
            None => known.remove(&event.key),
        };
        api.refresh(&event);
        *after = event.revision;
    }
    Ok(())
}

/// Serves exactly the CRDs that are stored now; returns their revision.
fn reload(api: &Api, store: &dyn Store, known: &mut HashSet<Key>) -> Result<u64, kindsmith_store::Error> {
    let page = store.list(&List::of(Api::definitions()))?;
    let mut gone = std::mem::take(known);
    let event = |key: &Key, value| Event {
        key: key.clone(),
        revision: page.revision,
        value,
        previous: None,
    };
    for entry in &page.entries {
        gone.remove(&entry.key);
        known.insert(entry.key.clone());
        api.refresh(&event(&entry.key, Some(entry.value.clone())));
    }
    gone.iter().for_each(|key| api.refresh(&event(key, None)));
    Ok(page.revision)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_plain_if_each_document_is_one_object() {
        let crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";
        let namespace = "apiVersion: v1\nkind: Namespace\n";
        let check = |text: &str, expected: Option<usize>| {
            let arena = Arena::new();
            let found = plain_definitions(&arena, text).map(|found| found.len());
            assert_eq!(found, expected, "{text}");
        };
        check(&format!("---\n{namespace}---\n{crd}---\n{crd}"), Some(2));
        check(namespace, None);
        check(&format!("{crd}---\nopenapi: 3.0.0\n"), None);
        check(
            &format!("{crd}---\napiVersion: v1\nkind: List\nitems: []\n"),
            None,
        );
        check(&crd.replace("/v1", "/v1beta1"), None);
        check(&format!("{crd}---\na: [\n"), None);
    }
}
