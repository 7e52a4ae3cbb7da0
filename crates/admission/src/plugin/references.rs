//! Whether a pod needs other objects of the API, which a mirror pod must not (`HasAPIObjectReference` in pkg/api/pod/util.go).

use kindsmith_gostd::quote::quote;
use kindsmith_json::Value;

/// Volumes that need nothing but the node.
const PLAIN: &[&str] = &[
    "awsElasticBlockStore",
    "azureDisk",
    "cephfs",
    "cinder",
    "downwardAPI",
    "emptyDir",
    "fc",
    "flexVolume",
    "flocker",
    "gcePersistentDisk",
    "gitRepo",
    "hostPath",
    "image",
    "iscsi",
    "nfs",
    "photonPersistentDisk",
    "portworxVolume",
    "quobyte",
    "rbd",
    "scaleIO",
    "storageos",
    "vsphereVolume",
];

/// Other volumes, in the order in which they are looked for, with what they refer to.
const VOLUMES: &[(&str, &str)] = &[
    ("configMap", "configmaps (via configmap volumes)"),
    ("secret", "secrets (via secret volumes)"),
    ("csi", "csidrivers (via CSI volumes)"),
    ("glusterfs", "endpoints (via glusterFS volumes)"),
    ("persistentVolumeClaim", "persistentvolumeclaims"),
    ("ephemeral", "persistentvolumeclaims (via ephemeral volumes)"),
    ("azureFile", "secrets (via azureFile volumes)"),
];

/// Sources of projected volumes, likewise.
const SOURCES: &[(&str, &str)] = &[
    ("configMap", "configmaps (via projected volumes)"),
    ("secret", "secrets (via projected volumes)"),
    ("serviceAccountToken", "serviceaccounts (via projected volumes)"),
    ("clusterTrustBundle", "clustertrustbundles"),
    ("podCertificate", "podcertificates"),
];

/// The first thing that a pod refers to.
pub(super) fn of(pod: Value<'_>) -> Result<Option<&'static str>, String> {
    let spec = pod.get("spec").unwrap_or_default();
    if !spec.text("serviceAccountName").is_empty() {
        return Ok(Some("serviceaccounts"));
    }
    if has_secrets(spec) {
        return Ok(Some("secrets"));
    }
    if CONFIG_MAPS.is_used(spec) {
        return Ok(Some("configmaps"));
    }
    if !spec.list("resourceClaims").is_empty() {
        return Ok(Some("resourceclaims"));
    }
    for volume in spec.list("volumes") {
        let found = of_volume(*volume)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// Whether the spec of a pod names secrets (`VisitPodSecretNames`).
pub(super) fn has_secrets(spec: Value<'_>) -> bool {
    let mut pull_secrets = spec.list("imagePullSecrets").iter();
    pull_secrets.any(|secret| !secret.text("name").is_empty()) || SECRETS.is_used(spec)
}

fn has(value: Value<'_>, key: &str) -> bool {
    value.get(key).is_some_and(|value| !value.is_null())
}

fn of_volume(volume: Value<'_>) -> Result<Option<&'static str>, String> {
    if PLAIN.iter().any(|key| has(volume, key)) {
        return Ok(None);
    }
    if let Some((_, what)) = VOLUMES.iter().find(|(key, _)| has(volume, key)) {
        return Ok(Some(what));
    }
    let name = quote(volume.text("name"));
    if !has(volume, "projected") {
        return Err(format!("unknown volume type for volume  {name}"));
    }
    for source in volume.list(&["projected", "sources"]) {
        if let Some((_, what)) = SOURCES.iter().find(|(key, _)| has(*source, key)) {
            return Ok(Some(what));
        }
        if !has(*source, "downwardAPI") {
            return Err(format!("unknown source for projected volume {name}"));
        }
    }
    Ok(None)
}

/// Containers of all kinds.
fn containers(spec: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    let kinds = ["initContainers", "containers", "ephemeralContainers"];
    kinds
        .into_iter()
        .flat_map(move |key| spec.list(key).iter().copied())
}

/// Where the names of objects of a kind are: in a variable, in a whole environment, in a volume, in a source of a projected
/// volume.
struct Places {
    variable: &'static [&'static str],
    environment: &'static [&'static str],
    volume: &'static [&'static [&'static str]],
    source: &'static [&'static str],
}

const SECRETS: Places = Places {
    variable: &["valueFrom", "secretKeyRef", "name"],
    environment: &["secretRef", "name"],
    volume: &[
        &["azureFile", "secretName"],
        &["cephfs", "secretRef", "name"],
        &["cinder", "secretRef", "name"],
        &["flexVolume", "secretRef", "name"],
        &["rbd", "secretRef", "name"],
        &["secret", "secretName"],
        &["scaleIO", "secretRef", "name"],
        &["iscsi", "secretRef", "name"],
        &["storageos", "secretRef", "name"],
        &["csi", "nodePublishSecretRef", "name"],
    ],
    source: &["secret", "name"],
};

const CONFIG_MAPS: Places = Places {
    variable: &["valueFrom", "configMapKeyRef", "name"],
    environment: &["configMapRef", "name"],
    volume: &[&["configMap", "name"]],
    source: &["configMap", "name"],
};

impl Places {
    fn is_used(&self, spec: Value<'_>) -> bool {
        let any = |items: &[Value<'_>], path: &[&str]| items.iter().any(|item| !item.text(path).is_empty());
        let in_containers = containers(spec).any(|container| {
            any(container.list("env"), self.variable) || any(container.list("envFrom"), self.environment)
        });
        in_containers
            || spec.list("volumes").iter().any(|volume| {
                any(volume.list(&["projected", "sources"]), self.source)
                    || self.volume.iter().any(|path| !volume.text(*path).is_empty())
            })
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};

    use super::*;

    #[test]
    fn the_first_reference_is_named() {
        for (spec, expected) in [
            (r"{}", Ok(None)),
            (r#"{"serviceAccountName":"a"}"#, Ok(Some("serviceaccounts"))),
            (r#"{"imagePullSecrets":[{"name":"s"}]}"#, Ok(Some("secrets"))),
            (r#"{"imagePullSecrets":[{"name":""}]}"#, Ok(None)),
            (
                r#"{"initContainers":[{"env":[{"valueFrom":{"secretKeyRef":{"name":"s"}}}]}]}"#,
                Ok(Some("secrets")),
            ),
            (
                r#"{"containers":[{"envFrom":[{"configMapRef":{"name":"m"}}]}]}"#,
                Ok(Some("configmaps")),
            ),
            (
                r#"{"volumes":[{"secret":{"secretName":"s"}}]}"#,
                Ok(Some("secrets")),
            ),
            (
                r#"{"volumes":[{"secret":{}}]}"#,
                Ok(Some("secrets (via secret volumes)")),
            ),
            (
                r#"{"volumes":[{"projected":{"sources":[{"secret":{"name":"s"}}]}}]}"#,
                Ok(Some("secrets")),
            ),
            (r#"{"resourceClaims":[{}]}"#, Ok(Some("resourceclaims"))),
            (r#"{"volumes":[{"emptyDir":{}},{"hostPath":{}}]}"#, Ok(None)),
            (
                r#"{"volumes":[{"csi":{}}]}"#,
                Ok(Some("csidrivers (via CSI volumes)")),
            ),
            (
                r#"{"volumes":[{"projected":{"sources":[{"downwardAPI":{}},{"podCertificate":{}}]}}]}"#,
                Ok(Some("podcertificates")),
            ),
            (
                r#"{"volumes":[{"name":"v","projected":{"sources":[{}]}}]}"#,
                Err("unknown source for projected volume \"v\"".to_owned()),
            ),
            (
                r#"{"volumes":[{"name":"v"}]}"#,
                Err("unknown volume type for volume  \"v\"".to_owned()),
            ),
        ] {
            let arena = Arena::new();
            let pod = parse_str(&arena, arena.alloc_str(&format!(r#"{{"spec":{spec}}}"#))).expect("JSON");
            assert_eq!(of(pod), expected, "{spec}");
        }
    }
}
