//! Whose a field is: declared values, releases, refused writes, lists, fields that nobody manages, and a memory that no CRD
//! prunes.

use kindsmith_controller::Next;
use kindsmith_controller::fake::Fault;
use serde_json::{Value, json};

use crate::rig::{LATER, Server, Which, World};

const KEEP: &str = "cnrm.cloud.google.com/default-to-gcp-fields";

fn with(settings: &Value) -> Value {
    let mut spec = json!({ "settings": settings });
    spec["settings"]["tier"] = "db-f1-micro".into();
    spec
}

fn up(annotations: &Value, spec: &Value) -> World {
    let world = World::new(Which::SqlInstance);
    world.apply(annotations, spec);
    assert_eq!(world.settle(), LATER, "{}", world.condition());
    world
}

fn settings(world: &World) -> Value {
    world.live().expect("it is there")["settings"].clone()
}

/// The writes until the object is up to date.
fn settled(world: &World) -> usize {
    let writes = world.writes_of(|| assert_eq!(world.settle(), LATER, "{}", world.condition()));
    assert_eq!(world.condition(), "UpToDate: The resource is up to date");
    writes
}

/// The difference that the annotation makes.
#[test]
fn a_stray_value_is_reset_unless_its_field_is_listed() {
    for (field, live, stray, declared) in [
        (
            "edition",
            "edition",
            json!("ENTERPRISE_PLUS"),
            json!("ENTERPRISE"),
        ),
        (
            "activationPolicy",
            "activationPolicy",
            json!("NEVER"),
            json!("ALWAYS"),
        ),
        (
            "availabilityType",
            "availabilityType",
            json!("REGIONAL"),
            json!("ZONAL"),
        ),
        ("diskAutoresize", "storageAutoResize", json!(false), json!(true)),
        ("pricingPlan", "pricingPlan", json!("PACKAGE"), json!("PER_USE")),
        (
            "databaseFlags",
            "databaseFlags",
            json!([{ "name": "a", "value": "1" }]),
            json!([]),
        ),
    ] {
        let stray_edit = |world: &World| world.edit(|instance| instance["settings"][live] = stray.clone());
        let world = up(&json!({}), &with(&json!({})));
        stray_edit(&world);
        assert_eq!(settled(&world), 1, "{field}");
        assert_eq!(settings(&world)[live], declared, "{field}");
        for (name, value) in [
            (KEEP, format!("spec.settings.{field}")),
            (
                "cnrm.cloud.google.com/ignore-unspecified-fields",
                "true".to_owned(),
            ),
        ] {
            let world = up(&json!({ name: value }), &with(&json!({})));
            stray_edit(&world);
            assert_eq!(settled(&world), 0, "{field} with {name}");
            assert_eq!(settings(&world)[live], stray, "{field} with {name}");
        }
    }
}

/// Config Connector's defaults of an object two levels above.
#[test]
fn backups_are_retained_as_declared_if_the_spec_sets_backups() {
    let retention = |world: &World| settings(world)["backupConfiguration"]["backupRetentionSettings"].clone();
    for (edition, count) in [("ENTERPRISE", 7), ("ENTERPRISE_PLUS", 15)] {
        let spec = with(&json!({ "edition": edition, "backupConfiguration": { "enabled": true } }));
        let world = up(&json!({}), &spec);
        let declared = json!({ "retainedBackups": count, "retentionUnit": "COUNT" });
        assert_eq!(retention(&world), declared);
        let stray = |world: &World| {
            world.edit(|instance| {
                instance["settings"]["backupConfiguration"]["backupRetentionSettings"]["retainedBackups"] =
                    3.into();
            });
        };
        stray(&world);
        assert_eq!(settled(&world), 1);
        assert_eq!(retention(&world), declared);
        let path = "spec.settings.backupConfiguration.backupRetentionSettings";
        let world = up(&json!({ KEEP: path }), &spec);
        stray(&world);
        assert_eq!(settled(&world), 0);
        assert_eq!(retention(&world)["retainedBackups"], 3);
    }
}

#[test]
fn a_value_that_cannot_change_is_declared_for_new_resources_only() {
    let world = up(&json!({}), &with(&json!({})));
    assert_eq!(settings(&world)["dataDiskType"], "PD_SSD");
    world.edit(|instance| instance["settings"]["dataDiskType"] = "PD_HDD".into());
    assert_eq!(settled(&world), 0);
}

#[test]
fn a_listed_list_that_the_spec_sets_is_the_specs() {
    let flags = |names: &[&str]| -> Value {
        let flags = names.iter().map(|name| json!({ "name": name, "value": "on" }));
        flags.collect()
    };
    let spec = with(&json!({ "databaseFlags": flags(&["a"]) }));
    for (path, expected) in [
        ("spec.settings.databaseFlags", &["a"][..]),
        ("spec.settings", &["a"]),
        ("spec.settings.databaseFlags[name=b]", &["a", "b"]),
        ("spec.settings.databaseFlags[*]", &["a", "b", "c"]),
    ] {
        let world = up(&json!({ KEEP: path }), &with(&json!({})));
        world.edit(|instance| instance["settings"]["databaseFlags"] = flags(&["a", "b", "c"]));
        world.apply(&json!({ KEEP: path }), &spec);
        settled(&world);
        assert_eq!(settings(&world)["databaseFlags"], flags(expected), "{path}");
    }
}

/// The service sets its default again where a field was removed.
#[test]
fn a_release_converges_when_the_service_refills_its_default() {
    let backup = |time: &str| with(&json!({ "backupConfiguration": { "startTime": time } }));
    let world = up(&json!({}), &backup("03:00"));
    world.apply(&json!({}), &with(&json!({})));
    assert_eq!(settled(&world), 1);
    assert_eq!(settings(&world)["backupConfiguration"]["startTime"], "12:00");
    assert_eq!(settled(&world), 0);
    // Also if the operation that removes it fails the first time.
    let world = up(&json!({}), &backup("03:00"));
    world.apply(&json!({}), &with(&json!({})));
    world.fake.state().script.push_for("PATCH", Fault::Operation);
    world.converge();
    assert_eq!(settings(&world)["backupConfiguration"]["startTime"], "12:00");
}

#[test]
fn a_refused_write_owns_nothing() {
    for fault in [
        Fault::Status(400),
        Fault::Status(403),
        Fault::Status(500),
        Fault::Lost,
        Fault::Operation,
    ] {
        let world = up(&json!({}), &with(&json!({})));
        world.apply(
            &json!({}),
            &with(&json!({ "backupConfiguration": { "startTime": "03:00" } })),
        );
        world.fake.state().script.push_for("PATCH", fault);
        while world.pass() == Next::Poll {}
        world.apply(&json!({}), &with(&json!({})));
        assert_eq!(settled(&world), 0, "{fault:?}");
        assert_eq!(
            settings(&world)["backupConfiguration"]["startTime"],
            "12:00",
            "{fault:?}"
        );
    }
    // A value that is not even sent.
    let world = up(&json!({}), &with(&json!({})));
    world.apply(&json!({}), &with(&json!({ "diskSize": 5 })));
    world.settle();
    assert!(
        world.condition().contains("it can only grow"),
        "{}",
        world.condition()
    );
    world.apply(&json!({}), &with(&json!({})));
    assert_eq!(settled(&world), 0);
    assert_eq!(settings(&world)["dataDiskSizeGb"], "10");
}

#[test]
fn an_unmanaged_field_is_the_services_even_if_the_spec_sets_it() {
    let unmanaged =
        json!({ "cnrm.cloud.google.com/unmanaged": "spec.settings.edition,spec.settings.nowhere" });
    // On creation the spec's value counts.
    let world = up(&unmanaged, &with(&json!({ "edition": "ENTERPRISE_PLUS" })));
    assert_eq!(settings(&world)["edition"], "ENTERPRISE_PLUS");
    world.edit(|instance| instance["settings"]["edition"] = "ENTERPRISE".into());
    assert_eq!(settled(&world), 0);
    let status = world.object().expect("it is there")["status"].clone();
    assert_eq!(
        status["preservedFields"],
        json!([{ "path": "spec.settings.edition", "value": "\"ENTERPRISE\"" }])
    );
    assert_eq!(
        status["ignoredFields"][0]["path"], "spec.settings.nowhere",
        "{status}"
    );
}

#[test]
fn the_status_has_what_users_read() {
    let world = up(&json!({}), &with(&json!({})));
    let status = world.object().expect("it is there")["status"].clone();
    for (field, value) in [
        ("firstIpAddress", json!("10.10.10.10")),
        ("publicIpAddress", json!("10.10.10.10")),
        ("connectionName", json!("park:us-central1:lion")),
        (
            "observedState",
            json!({ "state": "RUNNABLE", "gceZone": "us-central1-a" }),
        ),
        ("externalRef", json!("projects/park/instances/lion")),
    ] {
        assert_eq!(status[field], value, "{field}: {status}");
    }
    let shown: Vec<&String> = status.as_object().expect("an object").keys().collect();
    for remembered in ["appliedFields", "operation", "secretHashes", "lastWrite"] {
        assert!(!shown.iter().any(|shown| *shown == remembered), "{shown:?}");
    }
}

/// Config Connector's CRDs have no place for what we show and remember.
#[test]
fn a_crd_that_prunes_the_status_changes_nothing_but_what_is_shown() {
    let server = Server::with_pruned_status();
    let world = World::named(Which::SqlInstance, server, "lion");
    let annotations = json!({ KEEP: "spec.settings.diskSzie" });
    let secret = |password: &str| {
        let body = json!({ "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "root" },
            "stringData": { "password": password } });
        let (path, media) = ("/api/v1/namespaces/park/secrets", "application/json");
        match password {
            "one" => world.server.send("POST", path, media, &body.to_string(), 201),
            _ => world
                .server
                .send("PUT", &format!("{path}/root"), media, &body.to_string(), 200),
        };
    };
    secret("one");
    let mut spec = with(&json!({ "backupConfiguration": { "startTime": "03:00" } }));
    spec["rootPassword"] = json!({ "valueFrom": { "secretKeyRef": { "name": "root", "key": "password" } } });
    world.apply(&annotations, &spec);
    settled(&world);
    let status = world.object().expect("it is there")["status"].clone();
    assert!(
        status.get("ignoredFields").is_none() && status.get("externalRef").is_none(),
        "{status}"
    );
    // Events are not repeated, and a settled object is not written to.
    world.server.events();
    let writes = world.server.writes.load(std::sync::atomic::Ordering::Relaxed);
    assert_eq!(settled(&world), 0);
    assert_eq!(world.server.events(), [""; 0]);
    assert_eq!(
        world.server.writes.load(std::sync::atomic::Ordering::Relaxed),
        writes
    );
    // Secrets are rotated, removals are sent.
    secret("two");
    assert_eq!(settled(&world), 1);
    spec["settings"]
        .as_object_mut()
        .expect("an object")
        .remove("backupConfiguration");
    world.apply(&annotations, &spec);
    assert_eq!(settled(&world), 1);
    assert_eq!(settings(&world)["backupConfiguration"]["startTime"], "12:00");
}
