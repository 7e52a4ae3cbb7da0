//! Every namespace has a ServiceAccount `default` (pkg/controller/serviceaccount/serviceaccounts_controller.go).

use super::Controller;
use super::each_namespace::EachNamespace;
use crate::cluster::{Change, Cluster};

const BODY: &str = r#"{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"default"}}"#;

/// Creates accounts.
#[derive(Default)]
pub(super) struct Accounts {
    namespaces: EachNamespace,
}

impl Controller for Accounts {
    fn see(&mut self, change: &Change<'_>) {
        let place = change.place;
        if self.namespaces.see(change) {
            return;
        }
        if place.is("", "serviceaccounts") && place.name == "default" && change.new.is_none() {
            self.namespaces.mark(&place.namespace);
        }
    }

    fn act(&mut self, cluster: &Cluster<'_>) -> Option<i64> {
        let client = cluster.client("service-account");
        for namespace in self.namespaces.take() {
            // It may exist, or the namespace may be gone.
            let _ = client.post(&format!("/api/v1/namespaces/{namespace}/serviceaccounts"), BODY);
        }
        None
    }
}
