//! Plans for kinds with a controller: with the exact requests to their services.

use std::sync::Arc;

use kindsmith_controller::description::Described;
use kindsmith_controller::fake::Fake;
use kindsmith_controller::kinds;
use kindsmith_controller::{
    Adapter as _, Json, Memory, RestAdapter, plan as work_out, resolve_offline, resource_name,
};
use kindsmith_json::{Arena, Value, parse_str, to_string};

use super::report::{Plan, Request};
use crate::error::Error;
use crate::terminal::Terminal;

/// The controller's kind for an object: one of the user's own, or one that is built in.
pub(super) fn find(object: Value<'_>, own: Vec<Arc<Described>>) -> Option<Arc<Described>> {
    let text = |key| object.get(key).and_then(Value::as_str).unwrap_or_default();
    let built_in = kinds::ALL.iter().filter(|known| known.name == text("kind"));
    let mut all = own
        .into_iter()
        .chain(built_in.filter_map(|known| known.described().ok()));
    all.find(|described| {
        described.kind.kind == text("kind") && described.kind.api_version() == text("apiVersion")
    })
}

pub(super) fn plan<'a>(
    terminal: &Terminal,
    arena: &'a Arena,
    described: &Described,
    object: Value<'a>,
    live: Option<Value<'a>>,
    old: Option<Value<'a>>,
) -> Result<Plan<'a>, Error> {
    let kind = &described.kind;
    // The live resource may also be given as a spec of the kind.
    let raw = live.map(|live| match live.get("spec") {
        Some(spec) => kind.to_api(&json(spec)),
        None => json(live),
    });
    let mut memory = super::remembered(object);
    if let Some(old) = old {
        // What the controller would have remembered of it.
        let (old, _) = resolve_offline(kind, &json(old), &project(old));
        let before = work_out(kind, &old, None, &Memory::default(), &[]);
        memory.applied.extend(before.specified);
    }
    let (resolved, guessed) = resolve_offline(kind, &json(object), &project(object));
    for field in guessed {
        let text = "without a cluster, the plan assumes what it refers to";
        terminal.warn(&format!("warning: {field}: {text}"));
    }
    let worked_out = work_out(kind, &resolved, raw.as_ref(), &memory, &[]);
    let adapter = RestAdapter {
        http: Fake::default(),
        prefix: described.prefix.clone(),
        rest: kind.rest,
    };
    let parameters = kind.parameters(&resolved, &project(object));
    let identity = adapter.identity_at(&parameters, resource_name(object));
    let more = worked_out.requests.len().saturating_sub(1);
    let first = worked_out
        .requests
        .into_iter()
        .next()
        .filter(|_| worked_out.refused.is_empty());
    let request = first.map(|payload| {
        let (method, path) = if raw.is_some() {
            (
                adapter.update_method(&payload),
                adapter.update_path(&identity, &payload),
            )
        } else {
            adapter.create_call(&identity, &payload)
        };
        Request {
            method: method.to_owned(),
            path: adapter.path(&path),
            body: value(arena, &payload.body),
            fields: payload.fields,
            more,
        }
    });
    Ok(Plan {
        effective: value(arena, &worked_out.effective),
        live: raw.map(|raw| value(arena, &serde_json::json!({ "spec": kind.to_spec(&raw) }))),
        kept: worked_out
            .kept
            .iter()
            .map(|kept| (kept.path.clone(), value(arena, &kept.value), kept.by.clone()))
            .collect(),
        set: worked_out.set,
        declared: worked_out.declared,
        released: worked_out.released,
        ignored: worked_out.ignored,
        refused: worked_out.refused,
        request,
    })
}

fn json(value: Value<'_>) -> Json {
    serde_json::from_str(&to_string(value)).unwrap_or_default()
}

fn value<'a>(arena: &'a Arena, json: &Json) -> Value<'a> {
    parse_str(arena, arena.alloc_str(&json.to_string())).unwrap_or_default()
}

fn project(object: Value<'_>) -> String {
    let annotation = object.lookup(&["metadata", "annotations", "cnrm.cloud.google.com/project-id"]);
    let namespace = object.lookup(&["metadata", "namespace"]);
    let project = annotation.or(namespace).and_then(Value::as_str);
    project.unwrap_or("default").to_owned()
}
