//! Every namespace has a ServiceAccount `default` (pkg/controller/serviceaccount/serviceaccounts_controller.go).

use std::collections::BTreeSet;

use super::Controller;
use crate::cluster::{Change, Cluster, is_going};

const BODY: &str = r#"{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"default"}}"#;

/// Creates accounts.
#[derive(Default)]
pub(super) struct Accounts {
    namespaces: BTreeSet<String>,
    dirty: BTreeSet<String>,
}

impl Controller for Accounts {
    fn see(&mut self, change: &Change<'_>) {
        let place = change.place;
        if place.is("", "namespaces") {
            match change.new.is_some_and(|namespace| !is_going(namespace)) {
                true if self.namespaces.insert(place.name.clone()) => {
                    self.dirty.insert(place.name.clone());
                }
                true => {}
                false => drop(self.namespaces.remove(&place.name)),
            }
        } else if place.is("", "serviceaccounts") && place.name == "default" && change.new.is_none() {
            self.dirty.insert(place.namespace.clone());
        }
    }

    fn act(&mut self, cluster: &Cluster<'_>) -> Option<i64> {
        let client = cluster.client("service-account");
        for namespace in std::mem::take(&mut self.dirty) {
            if self.namespaces.contains(&namespace) {
                // It may exist, or the namespace may be gone.
                let _ = client.post(&format!("/api/v1/namespaces/{namespace}/serviceaccounts"), BODY);
            }
        }
        None
    }
}
