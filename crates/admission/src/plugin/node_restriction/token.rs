//! Tokens of service accounts: a kubelet gets them for the pods on its node, and for audiences that these mount.

use kindsmith_cel::access::Resource;
use kindsmith_gostd::quote::quote;
use kindsmith_json::Value;
use kindsmith_request::aggregate;

use super::{Attempt, forbid};
use crate::plugin::Refusal;
use crate::plugin::server::ask;

/// Volumes that are part of Kubernetes, with the driver that serves them by now (`IsInlineMigratable` and
/// `IsPVMigratable` in k8s.io/csi-translation-lib/translate.go).
const DRIVERS: &[(&str, &str)] = &[
    ("awsElasticBlockStore", "ebs.csi.aws.com"),
    ("azureDisk", "disk.csi.azure.com"),
    ("azureFile", "file.csi.azure.com"),
    ("cinder", "cinder.csi.openstack.org"),
    ("gcePersistentDisk", "pd.csi.storage.gke.io"),
    ("portworxVolume", "pxd.portworx.com"),
    ("vsphereVolume", "csi.vsphere.vmware.com"),
];

pub(super) fn check(attempt: &Attempt<'_, '_>, node: &str) -> Result<(), Refusal> {
    if !attempt.is_create() {
        return Ok(());
    }
    let bound = attempt
        .object
        .lookup(&["spec", "boundObjectRef"])
        .unwrap_or_default();
    let (name, uid) = (bound.text("name"), bound.text("uid"));
    if bound.text("apiVersion") != "v1" || bound.text("kind") != "Pod" || name.is_empty() {
        return forbid("node requested token not bound to a pod");
    }
    if uid.is_empty() {
        return forbid("node requested token with a pod binding without a uid");
    }
    let pod = attempt.pod(name)?;
    if uid != pod.text(&["metadata", "uid"]) {
        return forbid(format!(
            "the UID in the bound object reference ({uid}) does not match the UID in record. The object might have been \
             deleted and then recreated"
        ));
    }
    if pod.text(&["spec", "nodeName"]) != node {
        return forbid("node requested token bound to a pod scheduled on a different node");
    }
    check_audience(attempt, pod)
}

fn check_audience<'a>(attempt: &Attempt<'_, 'a>, pod: Value<'a>) -> Result<(), Refusal> {
    let audience = match attempt.object.list(&["spec", "audiences"]) {
        [] => "",
        [one] => one.as_str().unwrap_or_default(),
        _ => return forbid("node may only request 0 or 1 audiences"),
    };
    let quoted = quote(audience);
    match mounts(attempt, pod, audience) {
        Ok(true) => return Ok(()),
        Ok(false) => {}
        Err(why) => return forbid(format!("error validating audience {quoted}: {why}")),
    }
    let resource = Resource {
        namespace: attempt.namespace.to_owned(),
        resource: audience.to_owned(),
        name: attempt.name.to_owned(),
        ..Resource::default()
    };
    let verb = "request-serviceaccounts-token-audience";
    let decision = ask(attempt.server.authorizer(), verb, resource);
    let name = attempt.server.user();
    match &*decision.error {
        "" if decision.is_allowed => Ok(()),
        "" => forbid(format!(
            "{name} is not authorized to request tokens for audience {quoted}"
        )),
        error => forbid(format!(
            "error authorizing {name} to request tokens for audience {quoted}: {error}"
        )),
    }
}

/// Whether a volume of a pod, or the driver of one, gets tokens for an audience.
fn mounts<'a>(attempt: &Attempt<'_, 'a>, pod: Value<'a>, audience: &str) -> Result<bool, String> {
    let mut errors: Vec<String> = Vec::new();
    for volume in pod.list(&["spec", "volumes"]) {
        let is_projected = volume.list(&["projected", "sources"]).iter().any(|source| {
            let token = source.get("serviceAccountToken");
            token.is_some_and(|token| !token.is_null() && token.text("audience") == audience)
        });
        if is_projected {
            return Ok(true);
        }
        let has_audience = driver(attempt, pod, *volume).and_then(|driver| match driver {
            Some(driver) => driver_has(attempt, driver, audience),
            None => Ok(false),
        });
        match has_audience {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            Err(why) => errors.push(why),
        }
    }
    if errors.is_empty() {
        Ok(false)
    } else {
        Err(aggregate(errors))
    }
}

/// The CSI driver of a volume.
fn driver<'a>(
    attempt: &Attempt<'_, 'a>,
    pod: Value<'_>,
    volume: Value<'a>,
) -> Result<Option<&'a str>, String> {
    let claim = volume.text(&["persistentVolumeClaim", "claimName"]);
    let template = volume.lookup(&["ephemeral", "volumeClaimTemplate"]);
    if template.is_some_and(|template| !template.is_null()) {
        let name = format!("{}-{}", pod.text(&["metadata", "name"]), volume.text("name"));
        return driver_of_claim(attempt, &name);
    }
    if !claim.is_empty() {
        return driver_of_claim(attempt, claim);
    }
    Ok(driver_of(volume))
}

/// The driver that a volume source names, or stands for.
fn driver_of(source: Value<'_>) -> Option<&str> {
    if let Some(csi) = source.get("csi").filter(|csi| !csi.is_null()) {
        return Some(csi.text("driver"));
    }
    let is_set = |key: &str| source.get(key).is_some_and(|value| !value.is_null());
    let (_, driver) = DRIVERS.iter().find(|(key, _)| is_set(key))?;
    Some(driver)
}

fn driver_of_claim<'a>(attempt: &Attempt<'_, 'a>, name: &str) -> Result<Option<&'a str>, String> {
    let missing = |resource: &str, name: &str| format!("{resource} {} not found", quote(name));
    let claim = attempt.find("", "persistentvolumeclaims", attempt.namespace, name);
    let claim = claim.ok_or_else(|| missing("persistentvolumeclaim", name))?;
    let name = claim.text(&["spec", "volumeName"]);
    let volume = attempt.find("", "persistentvolumes", "", name);
    let volume = volume.ok_or_else(|| missing("persistentvolume", name))?;
    Ok(volume.get("spec").and_then(driver_of))
}

fn driver_has(attempt: &Attempt<'_, '_>, name: &str, audience: &str) -> Result<bool, String> {
    if name.is_empty() {
        return Ok(false);
    }
    let driver = attempt.find("storage.k8s.io", "csidrivers", "", name);
    let driver = driver.ok_or_else(|| format!("csidriver.storage.k8s.io {} not found", quote(name)))?;
    let mut requests = driver.list(&["spec", "tokenRequests"]).iter();
    Ok(requests.any(|request| request.text("audience") == audience))
}
