//! Resolves what an object refers to: other objects to their names in the service, secrets to their values.

use sha2::{Digest as _, Sha256};

use crate::Json;
use crate::cluster::{Cluster, ClusterError, ObjectRef};
use crate::condition::{Condition, Reason};
use crate::kind::{Kind, Reference};
use crate::pass::PROJECT;
use crate::plan::hex;

/// An object with all references resolved.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) object: Json,
    /// Write-only fields with a salted hash of their value.
    pub(crate) secrets: Vec<(String, String)>,
}

/// Why something could not be resolved.
#[derive(Debug)]
pub(crate) enum Unresolved {
    /// A referenced object is not available now.
    Waiting(Condition),
    /// The cluster did not respond.
    Failed(ClusterError),
}

impl From<ClusterError> for Unresolved {
    fn from(error: ClusterError) -> Self {
        Unresolved::Failed(error)
    }
}

pub(crate) async fn resolve<C: Cluster>(
    cluster: &C,
    kind: &Kind,
    object: &Json,
    project: &str,
) -> Result<Resolved, Unresolved> {
    let mut resolved = object.clone();
    let is_created = crate::memory::Memory::of_annotation(object).identity.is_some();
    for reference in kind.rest.references {
        // The source of a copy may be gone once the copy is there.
        if is_created && kind.rest.copy.is_some_and(|copy| copy.source == reference.path) {
            continue;
        }
        if let Some(value) = member(&mut resolved["spec"], reference.path)
            && value.get("name").is_some()
        {
            let external = external(cluster, reference, value, object, project).await?;
            *value = serde_json::json!({ "external": external });
        }
    }
    let mut secrets = Vec::new();
    for path in kind.rest.secrets {
        if let Some(value) = member(&mut resolved["spec"], path) {
            let text = secret(cluster, value, object).await?;
            *value = serde_json::json!({ "value": text });
            let path = format!("spec.{}", path.join("."));
            let hash = hash(object, &path, &text);
            secrets.push((path, hash));
        }
    }
    Ok(Resolved {
        object: resolved,
        secrets,
    })
}

/// Resolves references without a cluster: as if the objects had their resources under their own names, and with a word instead of
/// secrets. Returns the fields for which that is a guess.
#[must_use]
pub fn resolve_offline(kind: &Kind, object: &Json, project: &str) -> (Json, Vec<String>) {
    let mut resolved = object.clone();
    let mut guessed = Vec::new();
    for reference in kind.rest.references {
        if let Some(value) = member(&mut resolved["spec"], reference.path)
            && value.get("name").is_some()
        {
            let found = serde_json::json!({ "metadata": { "name": value["name"] } });
            *value = serde_json::json!({ "external": name(reference, &found, project) });
            guessed.push(format!("spec.{}", reference.path.join(".")));
        }
    }
    for path in kind.rest.secrets {
        if let Some(value) = member(&mut resolved["spec"], path)
            && value.get("value").is_none()
        {
            *value = serde_json::json!({ "value": "SECRET" });
            guessed.push(format!("spec.{}", path.join(".")));
        }
    }
    (resolved, guessed)
}

/// The value at a path, if there is one.
fn member<'j>(value: &'j mut Json, path: &[&str]) -> Option<&'j mut Json> {
    path.iter()
        .try_fold(value, |value, key| value.get_mut(key))
        .filter(|value| !value.is_null())
}

fn namespace(object: &Json) -> &str {
    object["metadata"]["namespace"].as_str().unwrap_or_default()
}

async fn external<C: Cluster>(
    cluster: &C,
    reference: &Reference,
    value: &Json,
    object: &Json,
    project: &str,
) -> Result<String, Unresolved> {
    let what = ObjectRef {
        api_version: reference.api_version.to_owned(),
        kind: reference.kind.to_owned(),
        plural: reference.plural.to_owned(),
        namespace: value["namespace"]
            .as_str()
            .unwrap_or_else(|| namespace(object))
            .to_owned(),
        name: value["name"].as_str().unwrap_or_default().to_owned(),
    };
    let Some(found) = cluster.get(&what).await? else {
        let message = format!("reference {what} is not found");
        return Err(Unresolved::Waiting(Condition::new(
            Reason::DependencyNotFound,
            message,
        )));
    };
    if !is_ready(&found) {
        let message = format!("reference {what} is not ready");
        return Err(Unresolved::Waiting(Condition::new(
            Reason::DependencyNotReady,
            message,
        )));
    }
    Ok(name(reference, &found, project))
}

/// The name of a referenced object in the service's API.
fn name(reference: &Reference, found: &Json, project: &str) -> String {
    let status = |key: &str| found["status"][key].as_str();
    if let Some(known) = reference.status.iter().find_map(|key| status(key)) {
        return known.to_owned();
    }
    let mut parts = status("externalRef").unwrap_or_default().split('/');
    let own = match parts.next() {
        Some("projects") => parts.next(),
        _ => found["metadata"]["annotations"][PROJECT].as_str(),
    };
    let given = found["spec"]["resourceID"].as_str();
    let name = parts.next_back().or(given).or(found["metadata"]["name"].as_str());
    reference
        .external
        .replace("{project}", own.unwrap_or(project))
        .replace("{name}", name.unwrap_or_default())
}

pub(crate) fn is_ready(object: &Json) -> bool {
    let conditions = object["status"]["conditions"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    conditions
        .iter()
        .any(|condition| condition["type"] == "Ready" && condition["status"] == "True")
}

async fn secret<C: Cluster>(cluster: &C, value: &Json, object: &Json) -> Result<String, Unresolved> {
    if let Some(text) = value["value"].as_str() {
        return Ok(text.to_owned());
    }
    let reference = &value["valueFrom"]["secretKeyRef"];
    let text = |key: &str| reference[key].as_str().unwrap_or_default().to_owned();
    let (name, key) = (text("name"), text("key"));
    let what = ObjectRef {
        api_version: "v1".to_owned(),
        kind: "Secret".to_owned(),
        plural: "secrets".to_owned(),
        namespace: namespace(object).to_owned(),
        name,
    };
    let waiting = |reason, message| Err(Unresolved::Waiting(Condition::new(reason, message)));
    let Some(found) = cluster.get(&what).await? else {
        return waiting(Reason::DependencyNotFound, format!("{what} was not found"));
    };
    let data = found["data"][&key]
        .as_str()
        .and_then(|data| kindsmith_gostd::base64::decode(data.as_bytes()).ok());
    match data.and_then(|data| String::from_utf8(data).ok()) {
        Some(data) => Ok(data),
        None => waiting(
            Reason::DependencyInvalid,
            format!("key '{key}' was not found in {what}"),
        ),
    }
}

/// Salted with the object, so that equal secrets have different hashes.
fn hash(object: &Json, path: &str, value: &str) -> String {
    let uid = object["metadata"]["uid"].as_str().unwrap_or_default();
    let mut hash = Sha256::new();
    for part in [uid, "\0", path, "\0", value] {
        hash.update(part);
    }
    hex(&hash.finalize())
}
