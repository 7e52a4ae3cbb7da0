//! An API in this process: what is served from the start, and requests to it without a connection.

use std::sync::Arc;

use kindsmith_api::{Api, Content, Options, Request, User};
use kindsmith_json::{Arena, Value, parse_str, to_string, yaml};
use kindsmith_native::kinds_of;
use kindsmith_server::Gates;
use kindsmith_store::Store;

use crate::crds::CrdsArgs;
use crate::error::Error;
use crate::plans::TypesArgs;
use crate::terminal::Terminal;

/// The user that the administrator's credentials are for.
pub(crate) const ADMINISTRATOR: &str = "admin";
/// The group that may do everything.
pub(crate) const MASTERS: &str = "system:masters";
/// Where definitions are written.
const PATH: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// How the API is to behave: with the kinds of the packages that were named, and with the features that are on.
pub(crate) fn options(types: &TypesArgs, gates: &Gates, terminal: &Terminal) -> Result<Options, Error> {
    let mut options = Options::default();
    options.gates.custom_resource_defaulting = gates.is_on("CustomResourceDefaulting");
    options.gates.declarative_defaults = gates.is_on("DeclarativeDefaults");
    options.has_no_initial_events = !gates.is_on("WatchList");
    if types.is_empty() {
        return Ok(options);
    }
    let read = types.read(terminal)?;
    options.kinds = kinds_of(&Arc::new(read.schema));
    if options.kinds.is_empty() {
        return Err(Error::input("the packages of --types have no kinds to serve").hint(
            "a kind is a struct with TypeMeta and ObjectMeta, marked `+genclient` or `+kubebuilder:object:root=true`",
        ));
    }
    Ok(options)
}

/// Creates the definitions that are not there, and updates those that are.
pub(crate) fn definitions(api: &Api, crds: &CrdsArgs, terminal: &Terminal) -> Result<(), Error> {
    if crds.is_empty() {
        return Ok(());
    }
    let crds = crds.read(terminal)?;
    for (file, document) in crds.documents() {
        let arena = Arena::new();
        let value = yaml::parse(&arena, document.as_bytes())
            .map_err(|error| Error::input(format!("{}: {error}", file.display())))?;
        define(api, &arena, value)
            .map_err(|message| Error::input(format!("{}: {message}", file.display())))?;
    }
    Ok(())
}

/// Creates or updates one definition; the error is what the server says to it.
fn define<'a>(api: &Api, arena: &'a Arena, mut definition: Value<'a>) -> Result<(), String> {
    let created = ask(api, "POST", PATH, &to_string(definition));
    if created.0 != 409 {
        return said(&created);
    }
    let name = definition.lookup(&["metadata", "name"]).and_then(Value::as_str);
    let path = format!("{PATH}/{}", name.unwrap_or_default());
    let (_, there) = ask(api, "GET", &path, "");
    let there = parse_str(arena, arena.alloc_str(&there)).unwrap_or_default();
    if let Some(version) = there.lookup(&["metadata", "resourceVersion"]) {
        definition.set(arena, &["metadata", "resourceVersion"], version);
    }
    said(&ask(api, "PUT", &path, &to_string(definition)))
}

fn said((status, body): &(u16, String)) -> Result<(), String> {
    if *status < 400 {
        return Ok(());
    }
    let arena = Arena::new();
    let message = parse_str(&arena, body)
        .ok()
        .and_then(|body| body.get("message")?.as_str())
        .unwrap_or(body);
    Err(message.to_owned())
}

/// Asks the API as its administrator.
fn ask(api: &Api, method: &str, path: &str, body: &str) -> (u16, String) {
    send(
        api,
        method,
        path,
        "fieldManager=kindsmith-serve",
        "application/json",
        body,
    )
}

/// The same, with a query and another kind of body.
pub(crate) fn send(
    api: &Api,
    method: &str,
    path: &str,
    query: &str,
    media: &str,
    body: &str,
) -> (u16, String) {
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
    match response.content {
        Content::Bytes(bytes) => (response.status, String::from_utf8_lossy(&bytes).into_owned()),
        Content::Watch(_) => (response.status, String::new()),
    }
}

/// Follows definitions that other servers on the same store write.
pub(crate) fn follow_definitions(api: &Arc<Api>, store: &Arc<dyn Store>) {
    let (api, store) = (Arc::downgrade(api), Arc::clone(store));
    std::thread::spawn(move || {
        // A watch that fell behind or lost its store is begun anew; what happened between is in the next events.
        while api.strong_count() > 0 {
            let watched = store
                .revision()
                .and_then(|now| store.watch(Api::definitions(), now));
            for event in watched.into_iter().flatten() {
                match (api.upgrade(), event) {
                    (Some(api), Ok(event)) => api.refresh(&event),
                    _ => break,
                }
            }
            std::thread::sleep(std::time::Duration::from_secs(1));
        }
    });
}
