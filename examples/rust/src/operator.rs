//! Opens gates that have a keeper.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use kube::api::{Patch, PatchParams};
use kube::runtime::controller::{Action, Controller};
use kube::runtime::watcher;
use kube::{Api, Client, ResourceExt};
use serde_json::json;

use crate::gate::Gate;

/// Runs until it is dropped.
pub async fn run(client: Client) {
    let gates: Api<Gate> = Api::all(client.clone());
    let context = Arc::new(client);
    Controller::new(gates, watcher::Config::default())
        .run(
            reconcile,
            |_, _, _| Action::requeue(Duration::from_secs(1)),
            context,
        )
        .for_each(|_| std::future::ready(()))
        .await;
}

async fn reconcile(gate: Arc<Gate>, client: Arc<Client>) -> Result<Action, kube::Error> {
    let open = gate.spec.keeper.is_some();
    if gate.status.as_ref().is_some_and(|status| status.open == open) {
        return Ok(Action::await_change());
    }
    let namespace = gate.namespace().unwrap_or_default();
    let gates: Api<Gate> = Api::namespaced(Client::clone(&client), &namespace);
    let patch = Patch::Merge(json!({"status": {"open": open}}));
    gates
        .patch_status(&gate.name_any(), &PatchParams::default(), &patch)
        .await?;
    Ok(Action::await_change())
}
