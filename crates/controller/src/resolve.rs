//! Resolves what an object refers to: other objects to their names in the service, secrets to their values.

use crate::Json;
use crate::cluster::{Cluster, ClusterError, ObjectRef, PROJECT};
use crate::condition::{Condition, Reason};
use crate::kind::{Kind, Reference};
use crate::moved::given_name;

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
        for value in members(&mut resolved["spec"], reference.path) {
            let external = match value["external"].as_str() {
                Some(text) => canonical(reference, text, project),
                None if value.get("name").is_some() => {
                    external(cluster, reference, value, object, project).await?
                }
                None => continue,
            };
            *value = serde_json::json!({ "external": external });
        }
    }
    let mut secrets = Vec::new();
    for path in kind.rest.secrets {
        for value in members(&mut resolved["spec"], path) {
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
        for value in members(&mut resolved["spec"], reference.path) {
            if let Some(text) = value["external"].as_str() {
                *value = serde_json::json!({ "external": canonical(reference, text, project) });
                continue;
            }
            if value.get("name").is_none() {
                continue;
            }
            let found = serde_json::json!({ "metadata": { "name": value["name"] } });
            *value = serde_json::json!({ "external": name(reference, &found, project) });
            guessed.push(format!("spec.{}", reference.path.join(".")));
        }
    }
    for path in kind.rest.secrets {
        for value in members(&mut resolved["spec"], path) {
            if value.get("value").is_none() {
                *value = serde_json::json!({ "value": "SECRET" });
                guessed.push(format!("spec.{}", path.join(".")));
            }
        }
    }
    (resolved, guessed)
}

/// The values at a path that are set; `[*]` stands for all items of a list.
pub(crate) fn members<'j>(value: &'j mut Json, path: &[&str]) -> Vec<&'j mut Json> {
    let Some((first, rest)) = path.split_first() else {
        return if value.is_null() { Vec::new() } else { vec![value] };
    };
    match *first {
        "[*]" => {
            let items = value.as_array_mut().into_iter().flatten();
            items.flat_map(|item| members(item, rest)).collect()
        }
        name => match value.get_mut(name) {
            Some(below) => members(below, rest),
            None => Vec::new(),
        },
    }
}

/// A name in the form that the API has: users may write it as a URL or as a path, too.
fn canonical(reference: &Reference, text: &str, project: &str) -> String {
    let form = reference.external;
    if !form.contains("{project}") {
        // `folders/{name}`: the number alone is meant, too.
        let is_bare = !text.is_empty() && !text.contains(['/', ':']);
        return if is_bare {
            form.replace("{name}", text)
        } else {
            text.to_owned()
        };
    }
    let path = match text.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
        None => text.trim_start_matches('/'),
    };
    let mut parts = path.split('/').skip_while(|part| *part != "projects");
    let (owner, name) = match (parts.nth(1), path.split_once(':')) {
        (Some(owner), _) => (owner, parts.last().unwrap_or_default()),
        (None, Some((owner, name))) if !path.contains('/') => (owner, name),
        (None, _) => (project, path.rsplit('/').next().unwrap_or_default()),
    };
    if name.is_empty() {
        text.to_owned()
    } else {
        form.replace("{project}", owner).replace("{name}", name)
    }
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
    let status = |path: &str| {
        let value = path.split('.').fold(&found["status"], |value, key| &value[key]);
        value.as_str()
    };
    if let Some(known) = reference.status.iter().find_map(|key| status(key)) {
        return known.to_owned();
    }
    let mut parts = status("externalRef").unwrap_or_default().split('/');
    let own = match parts.next() {
        Some("projects") => parts.next(),
        _ => found["metadata"]["annotations"][PROJECT].as_str(),
    };
    let given = given_name(found);
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
    crate::hash::hash([uid, "\0", path, "\0", value])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_compare_by_what_they_resolve_to() {
        let reference = |external| Reference {
            path: &[],
            api_version: "",
            kind: "",
            plural: "",
            status: &[],
            external,
        };
        let check = |form, text: &str, expected: &str| {
            assert_eq!(canonical(&reference(form), text, "park"), expected, "{text}");
        };
        for text in [
            "zoo:tiger",
            "projects/zoo/instances/tiger",
            "https://sqladmin.googleapis.com/sql/v1beta4/projects/zoo/instances/tiger",
        ] {
            check("{project}:{name}", text, "zoo:tiger");
        }
        check("{project}:{name}", "tiger", "park:tiger");
        let network = "projects/{project}/global/networks/{name}";
        check(network, "default", "projects/park/global/networks/default");
        check(
            network,
            "//compute.example/projects/zoo/global/networks/n",
            "projects/zoo/global/networks/n",
        );
        check(
            "{name}",
            "projects/p/locations/l/keyRings/r",
            "projects/p/locations/l/keyRings/r",
        );
        check("folders/{name}", "123", "folders/123");
        check("folders/{name}", "folders/123", "folders/123");
        check("gs://{name}", "gs://bucket", "gs://bucket");
        for odd in ["", "/", "projects", "projects/p", "://", ":"] {
            let _ = canonical(&reference(network), odd, "park");
        }
    }
}
