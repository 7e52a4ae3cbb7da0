//! One recorded request: the state before it, what it sent, and the expected result.

use std::collections::HashMap;
use std::sync::Arc;

use kindsmith_json::{Arena, Entry, Object, Value, parse_str, to_string, yaml};
use kindsmith_merge::{ApplyError, FieldManager};

use super::kind::Kind;

const NOW: &str = "2026-01-02T03:04:05Z";
const BEFORE: &str = "2025-01-02T03:04:05Z";

/// The state of the recorded server.
pub(crate) struct Replay {
    kinds: Vec<Arc<Kind>>,
    /// Objects as last returned, by kind, namespace and name.
    objects: HashMap<String, String>,
}

/// The kind a step is about.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Owner {
    Custom,
    Server,
}

struct Target<'r> {
    kind: &'r Kind,
    api_version: String,
    key: String,
    subresource: &'r str,
    manager: String,
    force: bool,
    is_dry_run: bool,
}

impl Replay {
    pub(crate) fn new(own: &[Arc<Kind>]) -> Self {
        Replay {
            kinds: own.to_vec(),
            objects: HashMap::new(),
        }
    }

    /// Whether the step is checked, and whose kind it is about.
    pub(crate) fn step(&mut self, step: Value<'_>) -> Result<Option<Owner>, String> {
        let text = |key| step.get(key).and_then(Value::as_str).unwrap_or_default();
        if step.get("ignore") == Some(Value::Bool(true)) {
            return Ok(None);
        }
        let (method, path) = (text("method"), text("path"));
        let response = step.get("response").unwrap_or_default();
        let status = response.get("status").and_then(Value::as_i64).unwrap_or_default();
        let answer = response.get("body").unwrap_or_default();
        if answer.get("kind").and_then(Value::as_str) == Some("CustomResourceDefinition") {
            let kind = Kind::read(answer);
            self.kinds
                .retain(|known| (&known.group, &known.plural) != (&kind.group, &kind.plural));
            self.kinds.push(Arc::new(kind));
        }
        let Some(target) = target(&self.kinds, path, answer) else {
            return Ok(None);
        };
        let owner = if target.kind.is_custom() {
            Owner::Custom
        } else {
            Owner::Server
        };
        let arena = Arena::new();
        let body = match step.get("body") {
            Some(Value::Str(text)) => yaml::parse(&arena, text.as_bytes()).ok(),
            other => other,
        };
        let stored = self
            .objects
            .get(&target.key)
            .map(|text| parse_str(&arena, text).expect("it was written here"));
        let endpoint = target.kind.endpoint(target.subresource);
        let manager = FieldManager {
            versions: &endpoint,
            api_version: &target.api_version,
            kind: &target.kind.kind,
            subresource: target.subresource,
        };
        let live = stored.map(|stored| at_version(&arena, stored, &target.api_version));
        let live = live.unwrap_or_else(|| {
            kindsmith_merge::Versions::empty(&endpoint, &arena, &target.api_version, &target.kind.kind)
        });
        let is_write = status == 200 || status == 201;
        // Controllers write to CRDs in between.
        let is_stable = target.kind.plural != "customresourcedefinitions" || method == "POST";
        let checked = match (method, text("type"), body) {
            _ if !is_stable => Ok(false),
            ("PATCH", "application/apply-patch+yaml", Some(patch)) => {
                check_apply(&arena, &manager, &target, live, patch, status, answer)
            }
            ("POST" | "PUT", _, Some(body)) if is_write => check_update(
                &arena,
                &manager,
                &target,
                live,
                body.lookup(&["metadata", "managedFields"]),
                answer,
            ),
            ("PATCH", "application/merge-patch+json", Some(body)) if is_write => {
                let sent = body.lookup(&["metadata", "managedFields"]);
                let kept = live.lookup(&["metadata", "managedFields"]);
                check_update(&arena, &manager, &target, live, sent.or(kept), answer)
            }
            ("PATCH", "application/json-patch+json", _) if is_write => {
                let kept = live.lookup(&["metadata", "managedFields"]);
                check_update(&arena, &manager, &target, live, kept, answer)
            }
            _ => Ok(false),
        };
        if is_write && !target.is_dry_run {
            let is_deleting = answer.lookup(&["metadata", "deletionTimestamp"]).is_some();
            if method == "DELETE" && !is_deleting {
                self.objects.remove(&target.key);
            } else if answer.lookup(&["metadata", "name"]).is_some() {
                let key = target.key.clone();
                self.objects
                    .insert(key, to_string(with_times(&arena, answer, BEFORE)));
            }
        }
        checked.map(|checked| checked.then_some(owner))
    }
}

/// The object in a path of a custom resource.
fn target<'r>(kinds: &'r [Arc<Kind>], path: &'r str, answer: Value<'_>) -> Option<Target<'r>> {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let mut parts = path.strip_prefix("/api")?.split('/');
    let group = if parts.next()? == "s" { parts.next()? } else { "" };
    let version = parts.next()?;
    let mut rest: Vec<&str> = parts.collect();
    let mut namespace = "";
    if rest.first() == Some(&"namespaces") {
        namespace = rest.get(1)?;
        rest.drain(..2);
    }
    let plural = *rest.first()?;
    let kind = kinds
        .iter()
        .find(|kind| kind.group == group && kind.plural == plural)?;
    let name = rest
        .get(1)
        .copied()
        .or_else(|| answer.lookup(&["metadata", "name"])?.as_str());
    let name = name?.to_owned();
    let parameter = |name: &str| {
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        pairs
            .filter(|(key, _)| *key == name)
            .map(|(_, value)| value)
            .next()
    };
    let subresource = rest.get(2).copied().unwrap_or_default();
    if !matches!(subresource, "" | "status") {
        return None;
    }
    Some(Target {
        kind,
        api_version: if group.is_empty() {
            version.to_owned()
        } else {
            format!("{group}/{version}")
        },
        key: format!("{group}/{plural}/{namespace}/{name}"),
        subresource,
        manager: decoded(parameter("fieldManager").unwrap_or("conformance")),
        force: parameter("force").is_some_and(|force| !matches!(force, "false" | "0")),
        is_dry_run: parameter("dryRun").is_some(),
    })
}

/// Decodes escapes in a query.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, others @ ..] = rest {
        let escaped = std::str::from_utf8(others.get(..2).unwrap_or_default());
        match escaped
            .ok()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok())
        {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &others[2..];
            }
            _ => {
                bytes.push(*first);
                rest = others;
            }
        }
    }
    String::from_utf8(bytes).expect("recorded names are text")
}

fn check_apply<'a>(
    arena: &'a Arena,
    manager: &FieldManager<'_>,
    target: &Target<'a>,
    live: Value<'a>,
    patch: Value<'a>,
    status: i64,
    answer: Value<'_>,
) -> Result<bool, String> {
    let message = answer.get("message").and_then(Value::as_str).unwrap_or_default();
    let applied = manager.apply(arena, live, patch, &target.manager, target.force, NOW);
    match (applied, status) {
        (Ok(object), 200 | 201) => {
            let object = target.kind.reset(arena, live, object, target.subresource);
            let object = target.kind.default(arena, object, &target.api_version);
            if target.kind.is_custom() {
                same_objects(arena, object, answer)?;
            }
            same_owners(arena, object, answer)?;
        }
        (Ok(_), _) if !message.contains("Apply failed") && !message.contains("typed patch object") => {
            return Ok(false);
        }
        (Err(error), 409 | 500) if !matches!(error, ApplyError::BadRequest(_)) => {
            same("message", &error.to_string(), message)?;
        }
        (Err(ApplyError::BadRequest(why)), 400) if why == message => {}
        (Err(_), 400 | 404 | 422) => return Ok(false),
        (Ok(_), _) => return Err(format!("applied, but {status}: {message}")),
        (Err(error), _) => return Err(format!("{error}, but {status}: {message}")),
    }
    Ok(true)
}

fn check_update<'a>(
    arena: &'a Arena,
    manager: &FieldManager<'_>,
    target: &Target<'a>,
    live: Value<'a>,
    managed_fields: Option<Value<'a>>,
    answer: Value<'_>,
) -> Result<bool, String> {
    let mut new = answer.copy_in(arena);
    // Decoding the metadata of a custom resource drops empty lists.
    match managed_fields.filter(|list| list.as_array().is_none_or(|list| !list.is_empty())) {
        Some(list) => new.set(arena, &["metadata", "managedFields"], list),
        None => _ = new.unset(arena, &["metadata", "managedFields"]),
    }
    same_owners(
        arena,
        manager.update(arena, live, new, &target.manager, NOW),
        answer,
    )?;
    Ok(true)
}

fn same(what: &str, found: &str, recorded: &str) -> Result<(), String> {
    if found == recorded {
        Ok(())
    } else {
        Err(format!("{what}\n  found    {found}\n  recorded {recorded}"))
    }
}

/// Compares everything except what the server stamps and the ownership.
fn same_objects<'a>(arena: &'a Arena, found: Value<'a>, recorded: Value<'_>) -> Result<(), String> {
    let bare = |object: Value<'a>| {
        let mut object = object;
        let stamps = [
            "creationTimestamp",
            "deletionGracePeriodSeconds",
            "deletionTimestamp",
            "generation",
            "managedFields",
            "namespace",
            "resourceVersion",
            "selfLink",
            "uid",
        ];
        for stamp in stamps {
            object.unset(arena, &["metadata", stamp]);
        }
        // Decoding metadata as its Go type turns null values of maps into empty strings.
        for map in ["labels", "annotations"] {
            match object.lookup(&["metadata", map]) {
                Some(Value::Null) => _ = object.unset(arena, &["metadata", map]),
                Some(Value::Object(texts)) => {
                    let nulls = texts.iter().filter(|(_, text)| text.is_null());
                    nulls.for_each(|(key, _)| object.set(arena, &["metadata", map, key], "".into()));
                }
                _ => {}
            }
        }
        kindsmith_json::write::Format::GO.to_string(object)
    };
    same("object", &bare(found), &bare(recorded.copy_in(arena)))
}

fn same_owners<'a>(arena: &'a Arena, found: Value<'a>, recorded: Value<'_>) -> Result<(), String> {
    same(
        "managedFields",
        &owners(arena, found),
        &owners(arena, recorded.copy_in(arena)),
    )
}

/// The entries, sorted and with a placeholder for times.
fn owners<'a>(arena: &'a Arena, object: Value<'a>) -> String {
    let list = object
        .lookup(&["metadata", "managedFields"])
        .and_then(Value::as_array)
        .unwrap_or_default();
    let mut entries: Vec<String> = list
        .iter()
        .map(|entry| {
            let mut entry = *entry;
            if entry.get("time").is_some() {
                entry.set(arena, &["time"], "<time>".into());
            }
            kindsmith_json::write::Format::GO.to_string(entry)
        })
        .collect();
    entries.sort();
    entries.join("\n           ")
}

/// Recorded times are placeholders; entries need real ones.
fn with_times<'a>(arena: &'a Arena, object: Value<'_>, time: &'a str) -> Value<'a> {
    let mut object = object.copy_in(arena);
    let Some(list) = object
        .lookup(&["metadata", "managedFields"])
        .and_then(Value::as_array)
    else {
        return object;
    };
    let timed = list.iter().map(|entry| {
        let mut entry = *entry;
        if entry.get("time").is_some() {
            entry.set(arena, &["time"], time.into());
        }
        entry
    });
    let timed: Vec<Value<'a>> = timed.collect();
    object.set(
        arena,
        &["metadata", "managedFields"],
        Value::Array(arena.alloc_slice_copy(&timed)),
    );
    object
}

/// Converts the object to another version, as without a conversion webhook.
fn at_version<'a>(arena: &'a Arena, object: Value<'a>, api_version: &str) -> Value<'a> {
    let entries = object
        .as_object()
        .unwrap_or_default()
        .iter()
        .map(|(key, value)| match key {
            "apiVersion" => Entry {
                key,
                value: Value::Str(arena.alloc_str(api_version)),
            },
            _ => Entry { key, value },
        });
    let entries: Vec<Entry<'a>> = entries.collect();
    Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&entries)))
}
