//! What the audit log and the metrics say of webhooks.

use std::path::Path;

use serde_json::{Value, json};

use super::converting::ask;
use super::hooks::Hooks;
use super::running::{Running, TOKEN};
use crate::waiting::until_some;

fn configuration(kind: &str, name: &str, hooks: &Hooks, policy: &str) -> Value {
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": kind, "metadata": {"name": format!("{name}-conf")},
        "webhooks": [{"name": format!("{name}.example.org"), "sideEffects": "None", "admissionReviewVersions": ["v1"],
            "failurePolicy": policy,
            "clientConfig": {"url": format!("{}/{name}", hooks.base), "caBundle": hooks.bundle},
            "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "resources": ["configmaps"], "operations": ["CREATE"]}]}]})
}

/// The event of a write. A thread of its own writes the log, so it may come after the answer.
fn logged(log: &Path, uri: &str) -> Value {
    until_some(uri, || {
        let text = std::fs::read_to_string(log).expect("it is there");
        let complete = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let mut events = complete.map(|line| serde_json::from_str::<Value>(line).expect("a line is JSON"));
        events.find(|event| event["requestURI"] == uri)
    })
}

#[test]
fn webhooks_annotate_the_audit_log_and_are_counted() {
    let log = std::env::temp_dir().join(format!("kindsmith-audit-{}.log", std::process::id()));
    let server = Running::start(&["--audit-log", log.to_str().expect("a path is text")]);
    let hooks = Hooks::start();
    hooks.load(Some(&json!({
        "m": {"kind": "mutating", "answers": [{"allowed": true, "auditAnnotations": {"why": "because"},
            "patch": [{"op": "add", "path": "/data", "value": {"k": "v"}}]}]},
        "v": {"kind": "validating", "answers": [{"close": true}]},
    })));
    let mut client = server.client();
    for (plural, kind, name, policy) in [
        (
            "mutatingwebhookconfigurations",
            "MutatingWebhookConfiguration",
            "m",
            "Fail",
        ),
        (
            "validatingwebhookconfigurations",
            "ValidatingWebhookConfiguration",
            "v",
            "Ignore",
        ),
    ] {
        let path = format!("/apis/admissionregistration.k8s.io/v1/{plural}");
        assert_eq!(
            ask(
                &mut client,
                "POST",
                &path,
                &configuration(kind, name, &hooks, policy)
            )
            .0,
            201
        );
    }
    let maps = "/api/v1/namespaces/default/configmaps";
    let map = json!({"metadata": {"name": "a"}});
    assert_eq!(ask(&mut client, "POST", maps, &map).0, 201);

    let event = logged(&log, maps);
    assert_eq!(
        event["annotations"],
        json!({
            "failed-open.validating.webhook.admission.k8s.io/round_0_index_0": "v.example.org",
            "m.example.org/why": "because",
            "mutation.webhook.admission.k8s.io/round_0_index_0":
                "{\"configuration\":\"m-conf\",\"webhook\":\"m.example.org\",\"mutated\":true}",
        })
    );
    let authorization = format!("Bearer {TOKEN}");
    let metrics = client
        .send("GET", "/metrics", &[("Authorization", &authorization)], b"")
        .text();
    for line in [
        "apiserver_admission_webhook_fail_open_count{name=\"v.example.org\",type=\"validating\"} 1",
        "apiserver_admission_webhook_request_total{code=\"200\",name=\"m.example.org\",operation=\"CREATE\",\
         rejected=\"false\",type=\"admit\"} 1",
        "apiserver_admission_webhook_request_total{code=\"503\",name=\"v.example.org\",operation=\"CREATE\",\
         rejected=\"false\",type=\"validating\"} 1",
    ] {
        assert!(
            metrics.lines().any(|found| found == line),
            "{line}\nin\n{metrics}"
        );
    }
    std::fs::remove_file(log).expect("it is ours");
}
