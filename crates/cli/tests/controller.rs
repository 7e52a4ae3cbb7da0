//! `kindsmith controller`, and plans with the exact requests to services.

use crate::binary;
use serde_json::{Value, json};

#[test]
fn the_crds_match_the_go_types() {
    for group in ["sql", "pubsub"] {
        let words =
            format!("gen crd crates/controller/api/{group}/v1beta1 --out crates/controller/api/crd --check");
        let run = binary::kindsmith(&words);
        assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    }
}

#[test]
fn the_crds_are_printed() {
    let run = binary::kindsmith("controller crds");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stdout.matches("kind: CustomResourceDefinition\n").count(), 10);
    let one = binary::kindsmith("controller crds --kinds pubsubtopic").stdout;
    assert!(
        one.contains("kind: PubSubTopic\n") && !one.contains("kind: SQLInstance\n"),
        "{one}"
    );
    let none = binary::kindsmith("controller crds --kinds Lamp");
    let expected = "no controller for `Lamp`; available: SQLInstance, PubSubTopic, ";
    assert!(
        none.code == Some(2) && none.stderr.contains(expected),
        "{}",
        none.stderr
    );
}

#[test]
fn a_plan_for_a_known_kind_is_the_services_request() {
    let words =
        "reconcile --plan -f fixtures/keep/instance.yaml --live fixtures/keep/instance-live.json -o json";
    let run = binary::kindsmith(words);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let plan: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    assert_eq!(
        plan["kept"],
        json!([
            "spec.settings.backupConfiguration.enabled",
            "spec.settings.diskSize"
        ])
    );
    assert_eq!(plan["effective"]["spec"]["settings"]["diskSize"], 37);
    assert_eq!(
        plan["set"],
        json!([
            "spec.settings.backupConfiguration.startTime",
            "metadata.labels.team"
        ])
    );
    assert_eq!(
        plan["request"],
        json!({
            "method": "PATCH",
            "path": "/sql/v1beta4/projects/park/instances/lion",
            "body": { "settings": {
                "backupConfiguration": { "startTime": "04:00" },
                "settingsVersion": "5",
                "userLabels": { "team": "gardeners" },
            }},
        })
    );
}

#[test]
fn a_plan_for_a_resource_that_is_not_there_creates_it() {
    let run = binary::kindsmith("reconcile --plan -f fixtures/keep/instance.yaml -o json");
    let plan: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    assert_eq!(plan["request"]["method"], "POST");
    assert_eq!(plan["request"]["path"], "/sql/v1beta4/projects/park/instances");
    assert_eq!(
        plan["request"]["body"],
        json!({
            "name": "lion", "region": "us-central1", "instanceType": "CLOUD_SQL_INSTANCE",
            "settings": {
                "tier": "db-g1-small", "storageAutoResize": true,
                "backupConfiguration": { "startTime": "04:00" }, "userLabels": { "team": "gardeners" },
                "activationPolicy": "ALWAYS", "availabilityType": "ZONAL", "connectorEnforcement": "NOT_REQUIRED",
                "dataDiskType": "PD_SSD", "edition": "ENTERPRISE", "pricingPlan": "PER_USE",
                "replicationType": "SYNCHRONOUS",
                "ipConfiguration": { "ipv4Enabled": true, "sslMode": "ALLOW_UNENCRYPTED_AND_ENCRYPTED" },
            },
        })
    );
}

#[test]
fn descriptions_are_checked() {
    let run = binary::kindsmith(
        "controller check crates/controller/kinds/sql_instance.yaml examples/kinds/lamp.yaml",
    );
    run.check(0, "", "no findings\n");
    let lamp = std::fs::read_to_string(binary::root().join("examples/kinds/lamp.yaml")).expect("it is there");
    let wrong = lamp.replace("room: {is", "rom: {is");
    let run = binary::with_input("controller check /dev/stdin -o json", &wrong);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    let found = &report["diagnostics"][0];
    assert_eq!(found["line"], 9);
    assert_eq!(found["message"], "the CRD has no field `rom` in `spec`");
    assert_eq!(found["help"], json!(["did you mean `room`?"]));
    // With CRDs, what is referred to must be among them, and the cluster's CRD must suit the description.
    let words =
        "controller check crates/controller/kinds/pubsub_topic.yaml --crds crates/controller/api/crd -o json";
    let run = binary::kindsmith(words);
    let expected = "no CRD of the kind `KMSCryptoKey`";
    assert!(
        run.code == Some(1) && run.stdout.contains(expected),
        "{}",
        run.stdout
    );
    let help = binary::kindsmith("controller check --help").stdout;
    assert!(help.contains("Examples:") && help.contains("--crds"), "{help}");
}

#[test]
fn kinds_of_ones_own_are_read_from_files() {
    let lamp = "--description examples/kinds/lamp.yaml";
    let run = binary::kindsmith(&format!("controller crds {lamp}"));
    assert!(
        run.code == Some(0) && run.stdout.contains("kind: Lamp,"),
        "{}{}",
        run.stdout,
        run.stderr
    );
    let both = binary::kindsmith(&format!("controller crds {lamp} --kinds lamp pubsubtopic"));
    assert!(both.stdout.contains("kind: Lamp,") && both.stdout.contains("kind: PubSubTopic\n"));
    let wrong = "controller crds --description crates/controller/api/crd/pubsub.cnrm.cloud.google.com_pubsubtopics.yaml";
    let run = binary::kindsmith(wrong);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    let expected = "pubsubtopics.yaml:2: no member `apiVersion` here";
    assert!(run.stderr.contains(expected), "{}", run.stderr);
    assert!(
        run.stderr.contains("kindsmith controller check"),
        "{}",
        run.stderr
    );
}

#[test]
fn running_needs_a_cluster() {
    let run = binary::with_env(
        "controller run --kinds SQLInstance",
        "KUBECONFIG",
        "/nowhere/kubeconfig",
    );
    let expected = "cannot connect to the cluster: no such file: /nowhere/kubeconfig";
    assert!(run.stderr.contains(expected), "{}", run.stderr);
    assert_eq!(run.code, Some(2));
}
