//! Objects that kube-apiserver creates when it starts, as it does (hooks of pkg/registry/scheduling/rest,
//! pkg/registry/flowcontrol/rest, pkg/controlplane/controller/defaultservicecidr and legacytokentracking). `objects.jsonl` has
//! those that are the same everywhere, with places for what is not.

use kindsmith_builtin::find_own;
use kindsmith_json::Arena;
use kindsmith_object::{GroupVersion, Release, store_key};
use kindsmith_store::{Error, Store};

use super::{Existing, put};
use crate::Environment;
use crate::environment::{self, Random};

const OBJECTS: &str = include_str!("objects.jsonl");

pub(super) fn create(
    store: &dyn Store,
    environment: &dyn Environment,
    release: Release,
    service_ranges: &[String],
) -> Result<(), Error> {
    for line in OBJECTS.lines() {
        if let Some(key) = key(release, line) {
            put(store, &key, Existing::Keep, || filled(environment, line))?;
        }
    }
    let ranges: Vec<String> = service_ranges.iter().map(|range| format!("{range:?}")).collect();
    if ranges.is_empty() {
        return Ok(());
    }
    let text = SERVICE_RANGES.replace("$ranges", &ranges.join(","));
    let key = store_key::SERVICE_CIDRS.key("", "kubernetes");
    put(store, &key, Existing::Keep, || filled(environment, &text))
}

/// Where an object is stored; `None` if the release does not have its kind.
fn key(release: Release, line: &str) -> Option<String> {
    let arena = Arena::new();
    let object = kindsmith_json::parse_str(&arena, line).ok()?;
    let GroupVersion { group, version } = GroupVersion::parse(object.text("apiVersion")).ok()?;
    let prefix = find_own(release, group, version, object.text("kind"))?.key_prefix();
    let own = |key| object.text(&["metadata", key]);
    Some(prefix.key(own("namespace"), own("name")))
}

fn filled(environment: &dyn Environment, line: &str) -> String {
    let now = environment::now(environment);
    let day = now.split('T').next().unwrap_or_default();
    line.replace("$uid", &Random(environment).uid())
        .replace("$now", &now)
        .replace("$day", day)
}

const SERVICE_RANGES: &str = r#"{"kind":"ServiceCIDR","apiVersion":"networking.k8s.io/v1","metadata":{"name":"kubernetes",
    "uid":"$uid","creationTimestamp":"$now","managedFields":[{"manager":"kubernetes-service-cidr-controller",
    "operation":"Apply","apiVersion":"networking.k8s.io/v1","time":"$now","fieldsType":"FieldsV1",
    "fieldsV1":{"f:status":{"f:conditions":{"k:{\"type\":\"Ready\"}":{".":{},"f:lastTransitionTime":{},"f:message":{},
    "f:status":{},"f:type":{}}}}},"subresource":"status"},{"manager":"kube-apiserver","operation":"Update",
    "apiVersion":"networking.k8s.io/v1","time":"$now","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:cidrs":{}}}}]},
    "spec":{"cidrs":[$ranges]},"status":{"conditions":[{"type":"Ready","status":"True","lastTransitionTime":"$now",
    "reason":"","message":"Kubernetes default Service CIDR is ready"}]}}"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_object_has_its_place() {
        let keys: Vec<_> = OBJECTS.lines().map(|line| key(Release::NEWEST, line)).collect();
        assert_eq!(keys.len(), 22);
        for (line, key) in OBJECTS.lines().zip(&keys) {
            assert!(key.is_some(), "{line}");
        }
        let expected = "/registry/priorityclasses/system-node-critical";
        assert!(keys.iter().flatten().any(|key| key == expected), "{keys:?}");
    }
}
