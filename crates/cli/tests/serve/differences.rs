//! What `serve` says where tags and hand-written rules differ.

use std::fs::File;

use serde_json::{Value, json};

use super::converting::ask;
use super::running::{Running, TOKEN};

/// Hand-written code stops at a selector that cannot be read, in Kubernetes too; the tags of the template below it do not.
fn unreadable(name: &str, key: &str) -> Value {
    json!({
        "apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": name},
        "spec": {
            "selector": {"matchExpressions": [{"key": "a", "operator": "Near", "values": ["b"]}]},
            "template": {
                "metadata": {"labels": {"a": "b"}},
                "spec": {"containers": [{"name": "c", "image": "i"}], "tolerations": [{"key": key, "operator": "Exists"}]},
            },
        },
    })
}

#[test]
fn a_difference_is_counted_and_is_one_line_without_values() {
    let path = std::env::temp_dir().join(format!("kindsmith-differences-{}.log", std::process::id()));
    let log = File::create(&path).expect("a file for the log");
    let server = Running::start_into(log.into(), &[], &[]);
    let mut client = server.client();
    let sets = "/apis/apps/v1/namespaces/default/replicasets";
    // Both sides find nothing in this template.
    assert_eq!(
        ask(&mut client, "POST", sets, &unreadable("fine", "known")).0,
        422
    );
    let (status, answer) = ask(&mut client, "POST", sets, &unreadable("odd", "not/a/hidden/key"));
    assert_eq!(status, 422);
    // An alpha rule is only compared.
    assert!(
        !answer["details"]["causes"].to_string().contains("template"),
        "{answer}"
    );

    let authorization = format!("Bearer {TOKEN}");
    let metrics = client
        .send("GET", "/metrics", &[("Authorization", &authorization)], b"")
        .text();
    let counted = "apiserver_validation_declarative_validation_mismatch_total 1";
    assert!(metrics.lines().any(|line| line == counted), "{metrics}");
    assert!(server.stop(), "it stops without complaint");

    let text = std::fs::read_to_string(&path).expect("it was written");
    let lines: Vec<Value> = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .filter(|line: &Value| line["message"] == "declarative validation")
        .collect();
    let difference = "replicaset_create: a tag finds what no hand-written rule finds: type=\"FieldValueInvalid\" \
                      field=\"spec.template.spec.tolerations[0].key\" origin=\"format=k8s-label-key\" (ReplicaSet default/odd)";
    let expected = json!({"level": "error", "message": "declarative validation", "difference": difference});
    assert_eq!(lines, [expected], "{text}");
    assert!(!text.contains("hidden"), "{text}");
    std::fs::remove_file(path).expect("it is ours");
}
