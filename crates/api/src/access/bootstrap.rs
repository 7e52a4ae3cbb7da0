//! Roles and bindings that every server has (plugin/pkg/auth/authorizer/rbac/bootstrappolicy). They are data: one line
//! each, in the order in which the server creates them, with `since` and `until` for those that not all releases have.

use kindsmith_builtin::find_own_resource;
use kindsmith_json::{Arena, Object, Value, to_string};
use kindsmith_object::{Release, StorePrefix};
use kindsmith_store::{Error, Store};

use super::GROUP;
use crate::Environment;
use crate::environment::Random;

const LINES: &str = include_str!("bootstrap.jsonl");

/// Creates the missing roles and bindings of a release.
pub(crate) fn create(
    store: &dyn Store,
    environment: &dyn Environment,
    release: Release,
) -> Result<(), Error> {
    for line in LINES.lines() {
        let arena = Arena::new();
        let entry = kindsmith_json::parse_str(&arena, line).unwrap_or_default();
        if !is_of(entry, release) {
            continue;
        }
        let key = key(entry);
        if store.get(key.as_bytes(), None)?.is_some() {
            continue;
        }
        let text = to_string(object(&arena, environment, entry));
        match store.create(key.as_bytes(), text.into_bytes().into()) {
            Ok(_) | Err(Error::Conflict(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Whether a release has the role or binding of a line.
fn is_of(entry: Value<'_>, release: Release) -> bool {
    let bound = |key| entry.get(key).and_then(Value::as_i64);
    let minor = i64::from(release.number());
    bound("since").is_none_or(|since| since <= minor) && bound("until").is_none_or(|until| minor <= until)
}

fn key(entry: Value<'_>) -> String {
    let (resource, name) = (entry.text("resource"), entry.text("name"));
    StorePrefix::own(GROUP, resource).key(entry.text("namespace"), name)
}

/// The object of a line, as it is stored.
fn object<'a>(arena: &'a Arena, environment: &dyn Environment, entry: Value<'a>) -> Value<'a> {
    let kind = find_own_resource(GROUP, entry.text("resource"));
    let kind = kind.map_or("", |kind| &*kind.names.kind);
    let version = arena.alloc_str(&format!("{GROUP}/v1"));
    let mut object = Value::Object(Object::EMPTY);
    object.set(arena, &["kind"], Value::Str(kind));
    object.set(arena, &["apiVersion"], Value::Str(version));
    object.set(arena, &["metadata"], metadata(arena, environment, entry));
    let body = entry.get("body").and_then(Value::as_object).unwrap_or_default();
    for (key, value) in body {
        object.set(arena, &[key], value);
    }
    object
}

fn metadata<'a>(arena: &'a Arena, environment: &dyn Environment, entry: Value<'a>) -> Value<'a> {
    let owned = |text: String| Value::Str(arena.alloc_str(&text));
    let mut metadata = Value::Object(Object::EMPTY);
    metadata.set(arena, &["name"], Value::Str(entry.text("name")));
    if let Some(namespace) = entry.get("namespace") {
        metadata.set(arena, &["namespace"], namespace);
    }
    metadata.set(arena, &["uid"], owned(Random(environment).uid()));
    metadata.set(
        arena,
        &["creationTimestamp"],
        owned(crate::environment::now(environment)),
    );
    let path = ["labels", "kubernetes.io/bootstrapping"];
    metadata.set(arena, &path, Value::Str("rbac-defaults"));
    let labels = entry.get("labels").and_then(Value::as_object).unwrap_or_default();
    for (key, value) in labels {
        metadata.set(arena, &["labels", key], value);
    }
    let path = ["annotations", "rbac.authorization.kubernetes.io/autoupdate"];
    metadata.set(arena, &path, Value::Str("true"));
    metadata
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Numbers of roles and bindings in testdata of plugin/pkg/auth/authorizer/rbac/bootstrappolicy.
    #[test]
    fn a_release_has_its_roles_once() {
        for (minor, expected) in [(34, 131), (35, 131), (36, 133), (37, 141), (38, 141)] {
            let arena = Arena::new();
            let entries = LINES
                .lines()
                .map(|line| kindsmith_json::parse_str(&arena, line).expect("JSON"));
            let own = entries.filter(|entry| is_of(*entry, Release::minor(minor)));
            let keys: Vec<String> = own.map(key).collect();
            assert_eq!(keys.len(), expected, "1.{minor}");
            assert_eq!(keys.iter().collect::<HashSet<_>>().len(), expected, "1.{minor}");
        }
    }
}
