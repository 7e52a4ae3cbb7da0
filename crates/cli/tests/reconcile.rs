//! `kindsmith reconcile --plan`: what a controller would do, without one.

use std::path::PathBuf;

use crate::binary;
use serde_json::{Value, json};

const PLAN: &str = "reconcile --plan --crds fixtures/keep/crd.yaml";
const FOUNTAIN: &str = "-f fixtures/keep/fountain.yaml --live fixtures/keep/live.json";

fn plan(words: &str, code: i32) -> Value {
    let run = binary::kindsmith(&format!("{PLAN} {words} -o json"));
    assert_eq!(run.code, Some(code), "{words}: {}", run.stderr);
    serde_json::from_str(&run.stdout).expect("it is JSON")
}

/// A file for one test.
fn file(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("reconcile");
    std::fs::create_dir_all(&folder).expect("there is room for tests");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("there is room for tests");
    path
}

fn fountain(name: &str, keep: &str, spec: &str) -> PathBuf {
    let keep = json!({ "kindsmith.dev/keep-live-fields": keep });
    let text = format!(
        r#"{{"apiVersion": "park.example.org/v1", "kind": "Fountain",
            "metadata": {{"name": "lion", "namespace": "south", "annotations": {keep}}}, "spec": {spec}}}"#
    );
    file(name, &text)
}

#[test]
fn the_plan_has_everything_a_controller_would_do() {
    let plan = plan(FOUNTAIN, 0);
    assert_eq!(
        plan["effective"]["spec"],
        json!({
            "place": "north", "height": 300, "basin": 1200,
            "pump": {"power": 5, "schedule": "dusk"},
            "jets": [{"name": "west", "angle": 45}, {"name": "east", "angle": 30}],
        })
    );
    assert_eq!(
        plan["kept"],
        json!(["spec.basin", "spec.jets[name=east]", "spec.pump.schedule"])
    );
    assert_eq!(
        plan["set"],
        json!(["spec.height", "spec.jets[name=south]", "spec.pump.power"])
    );
    assert_eq!(plan["released"], json!([]));
    assert_eq!(
        plan["ignored"],
        json!([{"path": "spec.hieght", "reason": "no field `hieght` in `spec`; did you mean `spec.height`?"}])
    );
    assert_eq!(
        plan["request"],
        json!({
            "method": "PATCH",
            "path": "/apis/park.example.org/v1/namespaces/default/fountains/lion",
            "body": {
                "metadata": {"resourceVersion": "7"},
                "spec": {
                    "height": 300, "pump": {"power": 5},
                    "jets": [{"name": "east", "angle": 30}, {"name": "west", "angle": 45}],
                },
            },
        })
    );
    let keys: Vec<&String> = plan.as_object().expect("an object").keys().collect();
    assert_eq!(
        keys,
        ["effective", "ignored", "kept", "released", "request", "set"]
    );
}

#[test]
fn a_field_is_kept_taken_over_and_released() {
    let keep = "spec.height";
    let live = |height: i64| {
        file(
            &format!("live-{height}.json"),
            &format!(r#"{{"place": "north", "height": {height}}}"#),
        )
    };
    let silent = fountain("silent.json", keep, r#"{"place": "north"}"#);
    let taking = fountain("taking.json", keep, r#"{"place": "north", "height": 9}"#);
    let words =
        |object: &PathBuf, live: &PathBuf| format!("-f {} --live {}", object.display(), live.display());

    let kept = plan(&words(&silent, &live(5)), 0);
    assert_eq!(
        (&kept["kept"], &kept["set"], &kept["request"]),
        (&json!(["spec.height"]), &json!([]), &json!(null))
    );
    assert_eq!(kept["effective"]["spec"]["height"], 5);

    let taken = plan(&words(&taking, &live(5)), 0);
    assert_eq!(
        (&taken["kept"], &taken["set"]),
        (&json!([]), &json!(["spec.height"]))
    );
    assert_eq!(taken["request"]["body"], json!({"spec": {"height": 9}}));
    assert_eq!(
        taken["request"]["path"],
        "/apis/park.example.org/v1/namespaces/south/fountains/lion"
    );

    let released = plan(
        &format!("{} --old {}", words(&silent, &live(9)), taking.display()),
        0,
    );
    assert_eq!(
        (&released["kept"], &released["released"]),
        (&json!(["spec.height"]), &json!(["spec.height"]))
    );
    assert_eq!(
        (&released["set"], &released["request"]),
        (&json!([]), &json!(null))
    );

    // Not listed: a field that was set before is removed again.
    let unlisted = fountain("unlisted.json", "", r#"{"place": "north"}"#);
    let removed = plan(
        &format!("{} --old {}", words(&unlisted, &live(9)), taking.display()),
        0,
    );
    assert_eq!(removed["request"]["body"], json!({"spec": {"height": null}}));
}

#[test]
fn a_missing_resource_is_created_without_fields_the_service_sets() {
    let object = fountain("new.json", "spec.basin", r#"{"place": "north"}"#);
    let null = file("null.json", "null");
    for words in [
        format!("-f {}", object.display()),
        format!("-f {} --live {}", object.display(), null.display()),
    ] {
        let plan = plan(&words, 0);
        assert_eq!(plan["request"]["method"], "POST");
        assert_eq!(
            plan["request"]["path"],
            "/apis/park.example.org/v1/namespaces/south/fountains"
        );
        assert_eq!(plan["request"]["body"]["spec"], json!({"place": "north"}));
        assert_eq!(plan["kept"], json!([]));
    }
}

#[test]
fn changes_of_immutable_fields_stop_the_write() {
    let object = fountain("moved.json", "", r#"{"place": "south", "height": 1}"#);
    let plan = plan(
        &format!("-f {} --live fixtures/keep/live.json", object.display()),
        1,
    );
    assert_eq!(plan["request"], json!(null));
    assert_eq!(
        plan["ignored"],
        json!([{"path": "spec.place", "reason": "it cannot be changed; the live value is \"north\""}])
    );
}

#[test]
fn people_get_sections() {
    let run = binary::kindsmith(&format!("{PLAN} {FOUNTAIN}"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for part in [
        "  basin: 1200\n",
        "# Kept: the live value is used\n#   spec.basin: 1200 (listed as spec.basin)\n",
        "# Set: differs from the live value\n#   spec.height: 250 -> 300\n",
        "#   spec.jets[name=south]: {\"name\":\"south\",\"angle\":10} -> none\n",
        "# Ignored\n#   spec.hieght: no field `hieght` in `spec`; did you mean `spec.height`?\n",
        "# PATCH /apis/park.example.org/v1/namespaces/default/fountains/lion\n",
    ] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
}

#[test]
fn errors_say_why_there_is_no_plan() {
    for (words, expected) in [
        (
            "reconcile --plan -f fixtures/keep/fountain.yaml",
            "error: fixtures/keep/fountain.yaml: no schema for the kind `Fountain` of `park.example.org/v1`\n  = help: name its CRD with --crds",
        ),
        ("reconcile -f fixtures/keep/fountain.yaml", "--plan"),
        (
            "reconcile --plan --crds fixtures/keep/crd.yaml -f fixtures/keep/none.yaml",
            "error: cannot read fixtures/keep/none.yaml",
        ),
    ] {
        let run = binary::kindsmith(words);
        assert_eq!(run.code, Some(2), "{words}");
        assert!(run.stderr.contains(expected), "{words}: {}", run.stderr);
    }
}

#[test]
fn references_are_assumed_without_a_cluster() {
    let object = file(
        "copy.json",
        r#"{"apiVersion": "sql.cnrm.cloud.google.com/v1beta1", "kind": "SQLInstance",
            "metadata": {"name": "copy", "namespace": "park"}, "spec": {
            "masterInstanceRef": {"name": "lion"}, "settings": {"tier": "db-f1-micro"},
            "rootPassword": {"valueFrom": {"secretKeyRef": {"name": "pass", "key": "word"}}}}}"#,
    );
    let run = binary::kindsmith(&format!("reconcile --plan -o json -f {}", object.display()));
    let plan: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    assert_eq!(
        plan["request"]["body"],
        json!({
            "name": "copy", "masterInstanceName": "park:lion", "rootPassword": "SECRET",
            "instanceType": "CLOUD_SQL_INSTANCE",
            "settings": {
                "activationPolicy": "ALWAYS", "availabilityType": "ZONAL",
                "connectorEnforcement": "NOT_REQUIRED", "dataDiskType": "PD_SSD", "edition": "ENTERPRISE",
                "ipConfiguration": {"ipv4Enabled": true, "sslMode": "ALLOW_UNENCRYPTED_AND_ENCRYPTED"},
                "pricingPlan": "PER_USE", "replicationType": "SYNCHRONOUS", "storageAutoResize": true,
                "tier": "db-f1-micro",
            },
        })
    );
    for field in ["spec.masterInstanceRef", "spec.rootPassword"] {
        let warning = format!("warning: {field}: without a cluster, the plan assumes what it refers to");
        assert!(run.stderr.contains(&warning), "{}", run.stderr);
    }
    let source = std::fs::read_to_string(&object).expect("it is there");
    let clone = source.replace(
        "masterInstanceRef\": {\"name\": \"lion\"}",
        "cloneSource\": {\"sqlInstanceRef\": {\"name\": \"lion\"}}",
    );
    let clone = file("clone.json", &clone);
    let run = binary::kindsmith(&format!("reconcile --plan -o json -f {}", clone.display()));
    let plan: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    assert_eq!(
        plan["request"]["path"],
        "/sql/v1beta4/projects/park/instances/lion/clone"
    );
}

/// What the old object set is what a controller would have remembered of it.
#[test]
fn an_atomic_value_that_only_the_old_object_sets_is_removed() {
    let topic = |name, spec: &str| {
        let text = format!(
            r#"{{"apiVersion": "pubsub.cnrm.cloud.google.com/v1beta1", "kind": "PubSubTopic",
                "metadata": {{"name": "feeding", "namespace": "park"}}, "spec": {spec}}}"#
        );
        file(name, &text)
    };
    let settings = r#"{"schemaSettings": {"encoding": "JSON", "schemaRef": {"name": "animal"}}}"#;
    let old = topic("topic-before.json", settings);
    let new = topic("topic-now.json", r#"{"schemaSettings": {"encoding": "JSON"}}"#);
    let live = file(
        "topic-live.json",
        r#"{"schemaSettings": {"encoding": "JSON", "schema": "projects/park/schemas/animal"}}"#,
    );
    let words = format!("-f {} --live {}", new.display(), live.display());
    let run = |words: &str| {
        let run = binary::kindsmith(&format!("reconcile --plan -o json {words}"));
        serde_json::from_str::<Value>(&run.stdout).expect("it is JSON")
    };
    assert_eq!(run(&words)["request"], json!(null));
    let plan = run(&format!("{words} --old {}", old.display()));
    assert_eq!(
        plan["request"]["body"],
        json!({"topic": {"schemaSettings": {"encoding": "JSON"}}, "updateMask": "schemaSettings"})
    );

    let crd = std::fs::read_to_string(binary::root().join("fixtures/keep/crd.yaml")).expect("it is there");
    let atomic = crd.replace(
        "pump:\n                  type: object",
        "pump:\n                  type: object\n                  x-kubernetes-map-type: atomic",
    );
    assert_ne!(crd, atomic);
    let crd = file("atomic.yaml", &atomic);
    let old = fountain("pumped.json", "", r#"{"place": "north", "pump": {"power": 4}}"#);
    let new = fountain("dry.json", "", r#"{"place": "north"}"#);
    let live = file("pumping.json", r#"{"place": "north", "pump": {"power": 4}}"#);
    let plan = run(&format!(
        "--crds {} -f {} --live {} --old {}",
        crd.display(),
        new.display(),
        live.display(),
        old.display()
    ));
    assert_eq!(plan["released"], json!(["spec.pump"]));
    assert_eq!(plan["request"]["body"], json!({"spec": {"pump": null}}));
}
