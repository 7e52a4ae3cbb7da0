//! Masks: the names of the fields that a request changes. Services take maps and lists as a whole.

use kindsmith_json::{Arena, Value};
use kindsmith_merge::effective::{Change, Step};
use kindsmith_schema::JsonSchema;

use crate::field_map::Convert;
use crate::kind::Kind;

/// The fields that changes concern: names up to the first list or map.
pub(super) fn mask(kind: &Kind, changes: &[Change<'_>]) -> Vec<String> {
    let maps = maps(kind);
    let mut mask: Vec<String> = changes
        .iter()
        .map(|change| {
            let names = change.path.steps().iter().map_while(|step| match step {
                Step::Field(name) => Some(&**name),
                _ => None,
            });
            let path = names.collect::<Vec<_>>().join(".");
            let map = maps.iter().find(|map| is_below(&path, map));
            map.cloned().unwrap_or(path)
        })
        .collect();
    mask.sort_unstable();
    mask.dedup();
    mask
}

/// A map that is sent as a whole contains its secrets, which the live resource does not show.
pub(super) fn with_secrets<'a>(
    arena: &'a Arena,
    kind: &Kind,
    mask: &[String],
    resource: Value<'a>,
    wanted: Value<'a>,
) -> Value<'a> {
    let mut resource = resource;
    for field in kind
        .fields
        .iter()
        .filter(|field| field.convert == Convert::Secret)
    {
        let path = field.api.join(".");
        let is_sent = mask.iter().any(|sent| *sent != path && is_below(&path, sent));
        if let Some(secret) = wanted.lookup(field.api).filter(|_| is_sent) {
            resource.set(arena, field.api, secret);
        }
    }
    resource
}

fn is_below(path: &str, above: &str) -> bool {
    path.strip_prefix(above)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The paths of maps in the API.
fn maps(kind: &Kind) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(spec) = kind.schema.property("spec") {
        walk(kind, spec, &mut Vec::new(), &mut found);
    }
    found.extend(kind.rest.labels.map(|labels| labels.join(".")));
    found
}

fn walk<'s>(kind: &Kind, schema: &'s JsonSchema, path: &mut Vec<&'s str>, found: &mut Vec<String>) {
    if schema.additional().is_some() && schema.properties.is_empty() {
        let row = kind.fields.iter().filter(|field| path.starts_with(field.spec));
        let row = row.max_by_key(|field| field.spec.len());
        let (api, rest) = row.map_or((&[][..], &path[..]), |row| (row.api, &path[row.spec.len()..]));
        found.push([api, rest].concat().join("."));
    }
    for (name, member) in &schema.properties {
        if path.len() < kindsmith_merge::MAX_DEPTH {
            path.push(name);
            walk(kind, member, path, found);
            path.pop();
        }
    }
}
