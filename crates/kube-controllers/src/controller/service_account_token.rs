//! Secrets of type `kubernetes.io/service-account-token` get a token of their account, and go with it
//! (pkg/controller/serviceaccount/tokens_controller.go).

use std::collections::BTreeSet;

use kindsmith_gostd::base64;
use kindsmith_json::{Arena, Value};

use super::Controller;
use crate::cluster::{Change, Cluster, Place, is_going, listed, object, quoted};

const TYPE: &str = "kubernetes.io/service-account-token";
const ACCOUNT: [&str; 3] = ["metadata", "annotations", "kubernetes.io/service-account.name"];
const UID: [&str; 3] = ["metadata", "annotations", "kubernetes.io/service-account.uid"];

/// Fills Secrets.
pub(super) struct Tokens {
    authority: String,
    secrets: BTreeSet<Place>,
    namespaces: BTreeSet<String>,
}

impl Tokens {
    pub(super) fn new(authority: &str) -> Self {
        Tokens {
            authority: authority.to_owned(),
            secrets: BTreeSet::new(),
            namespaces: BTreeSet::new(),
        }
    }
}

impl Controller for Tokens {
    fn see(&mut self, change: &Change<'_>) {
        if change.place.is("", "serviceaccounts") {
            self.namespaces.insert(change.place.namespace.clone());
        }
        let is_token = |secret: Value<'_>| secret.text("type") == TYPE && !is_going(secret);
        if change.place.is("", "secrets") && change.new.is_some_and(is_token) {
            self.secrets.insert(change.place.clone());
        }
    }

    fn act(&mut self, cluster: &Cluster<'_>) -> Option<i64> {
        let client = cluster.client("tokens");
        for namespace in std::mem::take(&mut self.namespaces) {
            let arena = Arena::new();
            let path = format!("/api/v1/namespaces/{namespace}/secrets");
            let secrets = client.get(&format!("{path}?fieldSelector=type={TYPE}"));
            let places = listed(&arena, &secrets).iter().map(|secret| Place {
                group: String::new(),
                version: "v1".to_owned(),
                resource: "secrets".to_owned(),
                kind: "Secret".to_owned(),
                namespace: namespace.clone(),
                name: secret.text(&["metadata", "name"]).to_owned(),
            });
            self.secrets.extend(places);
        }
        for place in std::mem::take(&mut self.secrets) {
            self.fill(cluster, &place);
        }
        None
    }
}

impl Tokens {
    fn fill(&self, cluster: &Cluster<'_>, place: &Place) {
        let (arena, client) = (Arena::new(), cluster.client("tokens"));
        let Some(secret) = object(&arena, &client.get(&place.path())) else {
            return;
        };
        let name = secret.text(&ACCOUNT);
        let accounts = format!("/api/v1/namespaces/{}/serviceaccounts", place.namespace);
        let account = object(&arena, &client.get(&format!("{accounts}/{name}")));
        let uid = account.map_or("", |account| account.text(&["metadata", "uid"]));
        let named = secret.text(&UID);
        if uid.is_empty() || !(named.is_empty() || named == uid) {
            let secret = quoted(secret.text(&["metadata", "uid"]));
            // What is gone already needs no deletion.
            let _ = client.delete(
                &place.path(),
                &format!(r#"{{"preconditions":{{"uid":{secret}}}}}"#),
            );
            return;
        }
        let encoded = |text: &str| base64::encode(text.as_bytes());
        let mut data = Vec::new();
        let mut add = |key: &str, value: String| {
            if secret.text(&["data", key]) != value && !value.is_empty() {
                data.push(format!(r#""{key}":{}"#, quoted(&value)));
            }
        };
        add("ca.crt", encoded(&self.authority));
        add("namespace", encoded(&place.namespace));
        if secret.text(&["data", "token"]).is_empty()
            && let Some(token) = cluster
                .api()
                .secret_token(&place.namespace, (name, uid), &place.name)
        {
            add("token", encoded(&token));
        }
        if data.is_empty() && named == uid {
            return;
        }
        let patch = format!(
            r#"{{"metadata":{{"annotations":{{"kubernetes.io/service-account.uid":{}}}}},"data":{{{}}}}}"#,
            quoted(uid),
            data.join(",")
        );
        // A change meanwhile causes another look.
        let _ = client.patch(&place.path(), &patch);
    }
}
