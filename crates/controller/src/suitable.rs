//! Whether the CRD of a cluster suits a kind. Clusters may have other CRDs than those that Kindsmith brings, such as
//! Config Connector's own.

use crate::Json;
use crate::kind::{Kind, template};

/// What controllers read and write of a condition.
const CONDITION: [&str; 4] = ["type", "status", "reason", "message"];

/// Why a CRD does not suit a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsuitable {
    /// What is wrong.
    pub reason: String,
    /// What to do about it.
    pub cure: String,
    /// Whether the controller cannot work with it.
    pub is_fatal: bool,
}

/// What is wrong with the CRD of a cluster; `None` if the cluster has none.
#[must_use]
pub fn unsuitable(kind: &Kind, definition: Option<&Json>) -> Vec<Unsuitable> {
    let install = format!(
        "`kindsmith controller crds --kinds {} | kubectl apply -f -`",
        kind.kind
    );
    let fatal = |reason: String, cure: String| Unsuitable {
        reason,
        cure,
        is_fatal: true,
    };
    let name = format!("{}.{}", kind.plural, kind.group);
    let Some(definition) = definition else {
        let reason = format!("there is no CRD `{name}`");
        return vec![fatal(reason, format!("install it: {install}"))];
    };
    let mut found = Vec::new();
    let spec = &definition["spec"];
    if spec["scope"] == "Cluster" {
        let reason = format!("`{name}` is cluster-scoped; resources belong to the project of a namespace");
        found.push(fatal(reason, "write `scope: Namespaced`".to_owned()));
    }
    let versions = spec["versions"].as_array().map(Vec::as_slice).unwrap_or_default();
    let served = |version: &&Json| version["name"] == *kind.version && version["served"] == true;
    let Some(version) = versions.iter().find(served) else {
        let names = versions.iter().filter(|version| version["served"] == true);
        let names: Vec<&str> = names.filter_map(|version| version["name"].as_str()).collect();
        let reason = format!(
            "`{name}` does not serve {}, only {}",
            kind.version,
            names.join(", ")
        );
        let cure = format!("serve {} too, or install another CRD: {install}", kind.version);
        found.push(fatal(reason, cure));
        return found;
    };
    if version["subresources"]["status"].is_null() {
        let reason = format!("{} of `{name}` has no subresource `status`", kind.version);
        let cure = "add `subresources: {status: {}}` to the version";
        found.push(fatal(reason, cure.to_owned()));
    }
    let schema = &version["schema"]["openAPIV3Schema"];
    let of_condition = CONDITION.map(|name| ["status", "conditions", "[]", name]);
    if !of_condition.iter().all(|path| takes(schema, path)) {
        let reason = format!("`{name}` drops `status.conditions`, so nobody sees whether objects are ready");
        let cure = format!("add the list `conditions` to the status, or install another CRD: {install}");
        found.push(fatal(reason, cure));
    }
    let fields_of = kind.rest.parameters.iter();
    for (parameter, path) in fields_of.filter(|(_, path)| template(path).is_none()) {
        let first = path.first().copied().unwrap_or_default();
        if !takes(schema, &["spec", first]) {
            let reason = format!(
                "`{name}` has no `spec.{first}`, which is `{{{parameter}}}` in the path of resources"
            );
            found.push(fatal(
                reason,
                format!("add the field, or install another CRD: {install}"),
            ));
        }
    }
    let mut defaulted = Vec::new();
    defaults(&schema["properties"]["spec"], "spec", 0, &mut defaulted);
    for path in defaulted {
        let reason = format!(
            "`{path}` of `{name}` has a default, so every object sets it and its live value is never kept"
        );
        let cure = "remove the default, or list the field in cnrm.cloud.google.com/unmanaged";
        found.push(Unsuitable {
            reason,
            cure: cure.to_owned(),
            is_fatal: false,
        });
    }
    found
}

/// Whether a value at a path is stored; `[]` stands for the items of a list.
fn takes(schema: &Json, path: &[&str]) -> bool {
    let Some((first, rest)) = path.split_first() else {
        return true;
    };
    let below = match *first {
        "[]" => &schema["items"],
        name => &schema["properties"][name],
    };
    if below.is_null() {
        return schema["x-kubernetes-preserve-unknown-fields"] == true;
    }
    takes(below, rest)
}

/// Paths of fields with a default.
fn defaults(schema: &Json, path: &str, depth: usize, found: &mut Vec<String>) {
    if depth > kindsmith_merge::MAX_DEPTH {
        return;
    }
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{path}.{name}");
        if member.get("default").is_some() {
            found.push(path);
        } else {
            defaults(member, &path, depth + 1, found);
        }
    }
}
