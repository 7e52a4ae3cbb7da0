//! Claims that are being deleted go when no pod uses them (pkg/controller/volume/pvcprotection/pvc_protection_controller.go).

use std::collections::BTreeSet;

use kindsmith_json::{Arena, Value};

use super::Controller;
use crate::cluster::{Change, Cluster, Place, is_going, listed, object, quoted};

const FINALIZER: &str = "kubernetes.io/pvc-protection";

/// Releases claims.
#[derive(Default)]
pub(super) struct Protection {
    going: BTreeSet<Place>,
    is_dirty: bool,
}

impl Controller for Protection {
    fn see(&mut self, change: &Change<'_>) {
        if change.place.is("", "persistentvolumeclaims") {
            if change.new.is_some_and(is_going) {
                self.is_dirty |= self.going.insert(change.place.clone());
            } else {
                self.going.remove(change.place);
            }
        }
        self.is_dirty |= change.place.is("", "pods") && !self.going.is_empty();
    }

    fn act(&mut self, cluster: &Cluster<'_>) -> Option<i64> {
        if std::mem::take(&mut self.is_dirty) {
            for place in &self.going {
                release(cluster, place);
            }
        }
        None
    }
}

fn release(cluster: &Cluster<'_>, place: &Place) {
    let (arena, client) = (Arena::new(), cluster.client("pvc-protection"));
    let pods = client.get(&format!("/api/v1/namespaces/{}/pods", place.namespace));
    let uses = |pod: &Value<'_>| {
        let volumes = pod.list(&["spec", "volumes"]).iter();
        let mut names = volumes.map(|volume| volume.text(&["persistentVolumeClaim", "claimName"]));
        let has_ended = matches!(pod.text(&["status", "phase"]), "Succeeded" | "Failed");
        names.any(|name| name == place.name) && !has_ended
    };
    let Some(claim) = object(&arena, &client.get(&place.path())) else {
        return;
    };
    if listed(&arena, &pods).iter().any(uses) {
        return;
    }
    let finalizers = claim.list(&["metadata", "finalizers"]);
    let kept: Vec<Value<'_>> = finalizers
        .iter()
        .copied()
        .filter(|finalizer| finalizer.as_str() != Some(FINALIZER))
        .collect();
    let patch = format!(
        r#"{{"metadata":{{"uid":{},"finalizers":{}}}}}"#,
        quoted(claim.text(&["metadata", "uid"])),
        kindsmith_json::to_string(Value::Array(&kept))
    );
    // A change meanwhile causes another look.
    let _ = client.patch(&place.path(), &patch);
}
