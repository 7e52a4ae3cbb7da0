//! The life of an object, as a user sees it.

use kindsmith_controller::Next;
use serde_json::json;

use crate::rig::{LATER, Which, World};

fn tier() -> serde_json::Value {
    json!({ "settings": { "tier": "db-f1-micro" } })
}

fn up() -> World {
    let world = World::new(Which::SqlInstance);
    world.apply(&json!({}), &tier());
    assert_eq!(world.settle(), LATER, "{}", world.condition());
    world
}

#[test]
fn an_object_is_created_and_then_left_alone() {
    let world = World::new(Which::SqlInstance);
    world.fake.state().latency = 3;
    world.apply(&json!({}), &tier());
    assert_eq!(world.pass(), Next::Poll);
    assert_eq!(world.condition(), "Updating: Update in progress");
    assert_eq!(world.settle(), LATER);
    assert_eq!(world.condition(), "UpToDate: The resource is up to date");
    let object = world.object().expect("the object is there");
    assert_eq!(
        object["metadata"]["finalizers"],
        json!(["cnrm.cloud.google.com/finalizer"])
    );
    assert_eq!(object["status"]["externalRef"], "projects/park/instances/lion");
    assert_eq!(object["status"]["connectionName"], "park:us-central1:lion");
    assert_eq!(object["spec"], tier(), "the spec is the user's");
    assert_eq!(
        world.server.events(),
        [
            "Normal Updating: Update in progress",
            "Normal UpToDate: The resource is up to date"
        ]
    );
    // Nothing is written, and no event is repeated.
    let before = world.server.writes.load(std::sync::atomic::Ordering::Relaxed);
    assert_eq!(world.writes_of(|| assert_eq!(world.settle(), LATER)), 0);
    assert_eq!(
        world.server.writes.load(std::sync::atomic::Ordering::Relaxed),
        before
    );
    assert_eq!(world.server.events(), [""; 0]);
}

#[test]
fn an_existing_resource_is_adopted_without_a_write() {
    let fake = up().fake;
    let other = World::with(
        Which::SqlInstance,
        crate::rig::Server::only(Which::SqlInstance),
        fake.clone(),
        fake,
    );
    other.edit(|live| live["settings"]["storageAutoResize"] = false.into());
    other.apply(
        &json!({ "kindsmith.dev/keep-live-fields": "spec.settings.diskAutoresize" }),
        &tier(),
    );
    assert_eq!(other.writes_of(|| assert_eq!(other.settle(), LATER)), 0);
    assert_eq!(other.condition(), "UpToDate: The resource is up to date");
}

#[test]
fn requests_are_as_small_as_they_can_be_and_in_order() {
    let world = up();
    world.edit(|live| live["geminiConfig"]["entitled"] = true.into());
    world.apply(
        &json!({}),
        &json!({ "databaseVersion": "MYSQL_8_4", "settings": {
            "tier": "db-perf-1", "edition": "ENTERPRISE_PLUS", "diskSize": 50,
            "databaseFlags": [{ "name": "b", "value": "1" }, { "name": "a" }],
        }}),
    );
    assert_eq!(world.settle(), LATER, "{}", world.condition());
    let live = world.live().expect("the instance is there");
    assert_eq!(live["settings"]["dataDiskSizeGb"], "50");
    assert_eq!(
        live["geminiConfig"]["entitled"], true,
        "fields that nobody knows survive"
    );
    assert_eq!(world.writes_of(|| drop(world.settle())), 0);
    let updates: Vec<String> = world
        .server
        .events()
        .into_iter()
        .filter(|event| event.contains("in progress: "))
        .collect();
    assert_eq!(
        updates,
        [
            "Normal Updating: Update in progress: spec.databaseVersion",
            "Normal Updating: Update in progress: spec.settings.edition, spec.settings.tier",
            "Normal Updating: Update in progress: spec.settings.databaseFlags[name=a], spec.settings.databaseFlags[name=b], spec.settings.diskSize",
        ]
    );
}

#[test]
fn a_bad_path_is_named_and_blocks_nothing() {
    let world = World::new(Which::SqlInstance);
    world.apply(&json!({ "cnrm.cloud.google.com/default-to-gcp-fields": "spec.settings.diskSzie, spec.settings.diskSize" }), &tier());
    assert_eq!(world.settle(), LATER);
    let status = world.object().expect("the object is there")["status"].clone();
    assert_eq!(
        status["ignoredFields"],
        json!([{ "path": "spec.settings.diskSzie", "reason": "no field `diskSzie` in `spec.settings`; did you mean `spec.settings.diskSize`?" }])
    );
    assert_eq!(
        status["preservedFields"],
        json!([{ "path": "spec.settings.diskSize", "value": "10" }])
    );
    let warning = "Warning FieldIgnored: spec.settings.diskSzie: no field `diskSzie` in `spec.settings`; did you mean \
                   `spec.settings.diskSize`?";
    assert_eq!(told(&world, warning), 1, "once");
    world.settle();
    assert_eq!(told(&world, warning), 0, "once");
    world
        .server
        .send("DELETE", &world.what.path(), "application/json", "", 200);
    assert_eq!(world.settle(), Next::OnChange);
    assert_eq!((world.object(), world.live()), (None, None));
    assert_eq!(told(&world, "Normal Deleted: Successfully deleted"), 1);
}

/// How often there was an event since the last look.
fn told(world: &World, event: &str) -> usize {
    world.server.events().iter().filter(|told| *told == event).count()
}

#[test]
fn changes_to_immutable_fields_are_rejected_without_a_call() {
    let world = up();
    let mut spec = tier();
    spec["region"] = "europe-west1".into();
    world.apply(&json!({}), &spec);
    assert_eq!(world.writes_of(|| assert_eq!(world.settle(), LATER)), 0);
    assert_eq!(
        world.condition(),
        "UpdateFailed: Update call failed: spec.region: it cannot be changed; the live value is \"us-central1\""
    );
    spec["instanceType"] = "ON_PREMISES_INSTANCE".into();
    world.apply(&json!({}), &spec);
    assert_eq!(world.writes_of(|| assert_eq!(world.settle(), LATER)), 0);
    assert_eq!(
        world.condition(),
        "UpdateFailed: Update call failed: [spec.instanceType: it cannot be changed; the live value is \"CLOUD_SQL_INSTANCE\", \
         spec.region: it cannot be changed; the live value is \"us-central1\"]"
    );
}

#[test]
fn a_change_that_does_not_last_is_not_repeated_forever() {
    let world = up();
    let mut spec = tier();
    spec["settings"]["activationPolicy"] = "NEVER".into();
    world.apply(&json!({}), &spec);
    let mut writes = 0;
    for _ in 0..20 {
        writes += world.writes_of(|| drop(world.pass()));
        world.edit(|live| live["settings"]["activationPolicy"] = "ALWAYS".into());
    }
    assert_eq!(writes, 2);
    assert_eq!(
        world.condition(),
        "NotConverging: the service accepted the same change 2 times without making it: spec.settings.activationPolicy"
    );
    // A change of the object allows a new attempt.
    spec["settings"]["availabilityType"] = "REGIONAL".into();
    world.apply(&json!({}), &spec);
    assert_eq!(world.settle(), LATER);
    assert_eq!(world.condition(), "UpToDate: The resource is up to date");
}

#[test]
fn deletion_waits_for_certainty() {
    for status in [403, 429, 500] {
        let world = up();
        world
            .server
            .send("DELETE", &world.what.path(), "application/json", "", 200);
        world
            .fake
            .state()
            .script
            .push(Some(kindsmith_controller::fake::Fault::Status(status)));
        assert!(matches!(world.pass(), Next::Retry { .. }));
        assert_eq!(
            world.condition(),
            format!("DeleteFailed: Delete call failed: {status} by script")
        );
        assert!(world.live().is_some());
        assert_eq!(world.settle(), Next::OnChange);
        assert_eq!((world.object(), world.live()), (None, None));
    }
}

#[test]
fn an_object_stays_ready_while_its_service_is_busy() {
    let world = up();
    let busy = kindsmith_controller::fake::Fault::Status(429);
    world.fake.state().script.push(Some(busy));
    assert!(matches!(world.pass(), Next::Retry { .. }));
    assert_eq!(world.condition(), "UpToDate: The resource is up to date");
    // A change that waits for the service is told.
    world.apply(&json!({}), &json!({ "settings": { "tier": "db-g1-small" } }));
    world.fake.state().script.push(Some(busy));
    world.pass();
    assert_eq!(
        world.condition(),
        "UpdateFailed: Update call failed: 429 by script"
    );
}

#[test]
fn an_abandoned_object_leaves_its_resource() {
    let world = World::new(Which::SqlInstance);
    world.apply(
        &json!({ "cnrm.cloud.google.com/deletion-policy": "abandon" }),
        &tier(),
    );
    assert_eq!(world.settle(), LATER);
    world
        .server
        .send("DELETE", &world.what.path(), "application/json", "", 200);
    assert_eq!(world.writes_of(|| assert_eq!(world.settle(), Next::OnChange)), 0);
    assert!(world.object().is_none() && world.live().is_some());
}

#[test]
fn a_paused_object_gets_a_finalizer_only() {
    let world = World::new(Which::SqlInstance);
    world.apply(&json!({ "kindsmith.dev/paused": "true" }), &tier());
    assert_eq!(world.settle(), Next::OnChange);
    assert_eq!(
        world.object().expect("it is there")["metadata"]["finalizers"][0],
        "cnrm.cloud.google.com/finalizer"
    );
    assert!(world.fake.state().calls.is_empty());
}

#[test]
fn a_paused_object_is_deleted_when_it_is_no_longer_paused() {
    let world = up();
    let annotations = |paused: &str| {
        let patch = json!({ "metadata": { "annotations": { "kindsmith.dev/paused": paused } } });
        let (path, media) = (world.what.path(), "application/merge-patch+json");
        world.server.send("PATCH", &path, media, &patch.to_string(), 200);
    };
    annotations("true");
    world
        .server
        .send("DELETE", &world.what.path(), "application/json", "", 200);
    assert_eq!(world.writes_of(|| assert_eq!(world.settle(), Next::OnChange)), 0);
    assert!(world.live().is_some());
    assert_eq!(
        world.condition(),
        "Deleting: Deletion waits until the object is no longer paused"
    );
    annotations("false");
    assert_eq!(world.settle(), Next::OnChange);
    assert_eq!((world.object(), world.live()), (None, None));
}

#[test]
fn references_and_secrets_are_waited_for() {
    let world = World::new(Which::SqlInstance);
    let mut spec = tier();
    spec["masterInstanceRef"] = json!({ "name": "tiger" });
    spec["rootPassword"] = json!({ "valueFrom": { "secretKeyRef": { "name": "root", "key": "password" } } });
    world.apply(&json!({}), &spec);
    assert!(matches!(world.pass(), Next::Retry { .. }));
    assert_eq!(
        world.condition(),
        "DependencyNotFound: reference SQLInstance park/tiger is not found"
    );

    let tiger = json!({ "apiVersion": world.what.api_version, "kind": "SQLInstance", "metadata": { "name": "tiger" }, "spec": tier() });
    let instances = "/apis/sql.cnrm.cloud.google.com/v1beta1/namespaces/park/sqlinstances";
    world
        .server
        .send("POST", instances, "application/json", &tiger.to_string(), 201);
    world.pass();
    assert_eq!(
        world.condition(),
        "DependencyNotReady: reference SQLInstance park/tiger is not ready"
    );
    let ready = json!({ "status": {
        "conditions": [{ "type": "Ready", "status": "True" }], "externalRef": "projects/zoo/instances/tiger-1",
    } });
    let status = format!("{instances}/tiger/status");
    world.server.send(
        "PATCH",
        &status,
        "application/merge-patch+json",
        &ready.to_string(),
        200,
    );
    world.pass();
    assert_eq!(
        world.condition(),
        "DependencyNotFound: Secret park/root was not found"
    );

    let secret = |data: serde_json::Value| json!({ "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "root" }, "stringData": data });
    let secrets = "/api/v1/namespaces/park/secrets";
    world.server.send(
        "POST",
        secrets,
        "application/json",
        &secret(json!({ "other": "x" })).to_string(),
        201,
    );
    world.pass();
    assert_eq!(
        world.condition(),
        "DependencyInvalid: key 'password' was not found in Secret park/root"
    );

    let put = |password: &str| {
        let body = secret(json!({ "password": password })).to_string();
        world
            .server
            .send("PUT", &format!("{secrets}/root"), "application/json", &body, 200);
    };
    put("s3cret");
    assert_eq!(world.settle(), LATER, "{}", world.condition());
    assert_eq!(
        world.live().expect("it is there")["masterInstanceName"],
        "zoo:tiger-1"
    );
    let text = world.object().expect("it is there").to_string();
    assert!(!text.contains("s3cret"), "{text}");
    // A new password is sent once.
    put("other");
    assert_eq!(world.writes_of(|| assert_eq!(world.settle(), LATER)), 1);
    assert_eq!(world.writes_of(|| assert_eq!(world.settle(), LATER)), 0);
}

#[test]
fn labels_of_others_stay() {
    let world = up();
    world.edit(|live| live["settings"]["userLabels"] = json!({ "theirs": "1" }));
    let label = |labels: serde_json::Value| {
        let patch = json!({ "metadata": { "labels": labels } });
        world.server.send(
            "PATCH",
            &world.what.path(),
            "application/merge-patch+json",
            &patch.to_string(),
            200,
        );
        assert_eq!(world.settle(), LATER, "{}", world.condition());
        world.live().expect("it is there")["settings"]["userLabels"].clone()
    };
    assert_eq!(
        label(json!({ "ours": "2", "example.org/not-theirs": "x" })),
        json!({ "ours": "2", "theirs": "1" })
    );
    assert_eq!(label(json!({ "ours": null })), json!({ "theirs": "1" }));
}

#[test]
fn a_field_that_was_set_and_is_no_longer_listed_is_removed() {
    let world = up();
    let mut spec = tier();
    spec["settings"]["maintenanceWindow"] = json!({ "day": 1, "hour": 2 });
    world.apply(&json!({}), &spec);
    assert_eq!(world.settle(), LATER);
    world.edit(|live| live["settings"]["maintenanceWindow"]["updateTrack"] = "stable".into());
    world.apply(&json!({}), &tier());
    assert_eq!(world.settle(), LATER);
    let window = world.live().expect("it is there")["settings"]["maintenanceWindow"].clone();
    assert_eq!(
        window,
        json!({ "updateTrack": "stable" }),
        "what others set stays"
    );
}

#[test]
fn the_interval_annotation_controls_drift_correction() {
    let world = World::new(Which::SqlInstance);
    let annotations = json!({ "cnrm.cloud.google.com/reconcile-interval-in-seconds": "0" });
    let mut spec = tier();
    spec["settings"]["activationPolicy"] = "ALWAYS".into();
    world.apply(&annotations, &spec);
    assert_eq!(world.settle(), Next::OnChange);
    world.edit(|live| live["settings"]["activationPolicy"] = "NEVER".into());
    let calls = world.fake.state().calls.len();
    assert_eq!(world.pass(), Next::OnChange);
    assert_eq!(world.fake.state().calls.len(), calls, "nothing is even read");
    world.apply(
        &json!({ "cnrm.cloud.google.com/reconcile-interval-in-seconds": "soon" }),
        &spec,
    );
    assert_eq!(world.pass(), Next::OnChange);
    assert!(
        world.condition().contains("\"soon\" is not a number of seconds"),
        "{}",
        world.condition()
    );
}
