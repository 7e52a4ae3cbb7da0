//! Every namespace has a ConfigMap `kube-root-ca.crt` with the certificate that clients need to trust the server
//! (pkg/controller/certificates/rootcacertpublisher/publisher.go).

use super::Controller;
use super::each_namespace::EachNamespace;
use crate::cluster::{Change, Cluster, quoted};

const NAME: &str = "kube-root-ca.crt";
const DESCRIPTION: &str = "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints \
                           such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across \
                           distributions of Kubernetes clusters.";

/// Publishes the certificate.
pub(super) struct Publisher {
    authority: String,
    namespaces: EachNamespace,
}

impl Publisher {
    pub(super) fn new(authority: &str) -> Self {
        Publisher {
            authority: authority.to_owned(),
            namespaces: EachNamespace::default(),
        }
    }
}

impl Controller for Publisher {
    fn see(&mut self, change: &Change<'_>) {
        let place = change.place;
        if self.namespaces.see(change) {
            return;
        }
        if place.is("", "configmaps") && place.name == NAME {
            let published = change.new.unwrap_or_default().text(&["data", "ca.crt"]);
            if change.new.is_none() || published != self.authority {
                self.namespaces.mark(&place.namespace);
            }
        }
    }

    fn act(&mut self, cluster: &Cluster<'_>) -> Option<i64> {
        let client = cluster.client("root-ca-cert-publisher");
        for namespace in self.namespaces.take() {
            let data = format!(r#""data":{{"ca.crt":{}}}"#, quoted(&self.authority));
            let description = quoted(DESCRIPTION);
            let body = format!(
                r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{NAME}","annotations":{{"kubernetes.io/description":{description}}}}},{data}}}"#
            );
            let path = format!("/api/v1/namespaces/{namespace}/configmaps");
            if client.post(&path, &body).status == 409 {
                // A change meanwhile causes another look.
                let _ = client.patch(&format!("{path}/{NAME}"), &format!("{{{data}}}"));
            }
        }
        None
    }
}
