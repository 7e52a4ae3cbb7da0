//! An API in this process: what is served from the start, and requests to it without a connection.

use std::collections::HashSet;
use std::sync::Arc;

use kindsmith_api::{Api, Content, Options, Request, User};
use kindsmith_builtin::kinds_of;
use kindsmith_json::{Arena, Value, parse_str, to_string, yaml};
use kindsmith_server::Gates;
use kindsmith_store::{Bytes, Event, List, Store};

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

/// Follows definitions that other servers on the same store write, all that were written after a revision.
pub(crate) fn follow_definitions(api: &Arc<Api>, store: &Arc<dyn Store>, mut after: u64) {
    let (api, store) = (Arc::downgrade(api), Arc::clone(store));
    std::thread::spawn(move || {
        let mut known = HashSet::new();
        while let Some(api) = api.upgrade() {
            match follow(&api, &*store, &mut after, &mut known) {
                // What was missed is gone from the store's history: everything is looked at anew.
                Err(kindsmith_store::Error::Compacted { .. }) => {
                    after = reload(&api, &*store, &mut known).unwrap_or(after);
                }
                // The store is away for a while.
                Err(_) => {}
                Ok(()) => return,
            }
            std::thread::sleep(std::time::Duration::from_secs(1));
        }
    });
}

/// Follows definitions until the store fails.
fn follow(
    api: &Api,
    store: &dyn Store,
    after: &mut u64,
    known: &mut HashSet<Bytes>,
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

/// Serves all definitions as they are now, and none that is gone; the revision of that.
fn reload(api: &Api, store: &dyn Store, known: &mut HashSet<Bytes>) -> Result<u64, kindsmith_store::Error> {
    let page = store.list(&List::of(Api::definitions()))?;
    let mut gone = std::mem::take(known);
    let event = |key: &Bytes, value| Event {
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
