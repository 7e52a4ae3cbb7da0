//! What services do besides keeping fields: copies, quotas, slow operations, and resources to make objects of.

use kindsmith_controller::fake::{Fault, Quota};
use kindsmith_controller::{Adapter as _, Next, ObjectRef, export};
use serde_json::json;

use crate::rig::{LATER, Server, Which, World, runtime};

fn tier() -> serde_json::Value {
    json!({ "settings": { "tier": "db-f1-micro" } })
}

#[test]
fn an_instance_is_created_as_a_copy_of_another_one() {
    let server = Server::new();
    let source = World::named(Which::SqlInstance, server.clone(), "source");
    source.apply(
        &json!({}),
        &json!({ "settings": { "tier": "db-f1-micro", "diskSize": 50 } }),
    );
    let copy = World::with(
        Which::SqlInstance,
        server.clone(),
        source.fake.clone(),
        source.fake.clone(),
    );
    let spec = json!({
        "cloneSource": { "sqlInstanceRef": { "name": "source" }, "pointInTime": "2026-01-01T00:00:00Z" },
        "settings": { "tier": "db-g1-small" },
    });
    copy.apply(&json!({}), &spec);
    assert!(
        matches!(copy.settle(), Next::Retry { .. }),
        "the source is not ready"
    );
    assert_eq!(
        copy.condition(),
        "DependencyNotReady: reference SQLInstance park/source is not ready"
    );
    let what = ObjectRef {
        name: "source".to_owned(),
        ..copy.what.clone()
    };
    let waiting = copy.controller.dependents.of(&what);
    assert_eq!(
        waiting,
        [("park".to_owned(), "lion".to_owned())],
        "it is known who waits"
    );
    source.converge();
    copy.converge();
    let calls = copy.fake.state().calls.clone();
    let cloned = (
        "POST".to_owned(),
        "/sql/v1beta4/projects/park/instances/source/clone".to_owned(),
    );
    assert!(calls.contains(&cloned), "{calls:?}");
    let live = copy.live().expect("it is there");
    assert_eq!(live["settings"]["dataDiskSizeGb"], "50", "as the source");
    assert_eq!(live["settings"]["tier"], "db-g1-small", "as the spec");
    // The source is needed only once.
    server.send("DELETE", &source.what.path(), "application/json", "", 200);
    source.settle();
    assert_eq!(copy.writes_of(|| assert_eq!(copy.settle(), LATER)), 0);
}

#[test]
fn an_exported_resource_is_adopted_without_a_write() {
    let first = World::new(Which::SqlInstance);
    first.apply(
        &json!({}),
        &json!({ "settings": { "tier": "db-f1-micro", "diskSize": 50 } }),
    );
    first.converge();
    let exported = runtime().block_on(first.controller.adapter.export(&first.identity));
    let live = exported.expect("the service answers").expect("it is there");
    let object = export(first.kind(), &first.identity, &live);
    assert_eq!(object["metadata"]["name"], "lion");
    assert_eq!(
        object["metadata"]["annotations"],
        json!({ "cnrm.cloud.google.com/project-id": "park" })
    );
    assert_eq!(object["spec"]["settings"]["diskSize"], 50);
    assert!(object["spec"].get("selfLink").is_none(), "{object}");
    // Another cluster: the object changes nothing.
    let second = World::with(
        Which::SqlInstance,
        Server::only(Which::SqlInstance),
        first.fake.clone(),
        first.fake,
    );
    second.apply(&object["metadata"]["annotations"], &object["spec"]);
    assert_eq!(second.writes_of(|| assert_eq!(second.settle(), LATER)), 0);
    assert_eq!(second.condition(), "UpToDate: The resource is up to date");
}

#[test]
fn a_full_quota_is_reported_until_there_is_room() {
    let world = World::new(Which::SqlInstance);
    world.fake.state().quota = Quota {
        resources: Some(0),
        requests: None,
    };
    world.apply(&json!({}), &tier());
    assert!(matches!(world.pass(), Next::Retry { .. }));
    assert_eq!(
        world.condition(),
        "UpdateFailed: Update call failed: 403 The resource quota is exceeded."
    );
    world.fake.state().quota = Quota {
        resources: Some(1),
        requests: Some(3),
    };
    world.converge();
    assert_eq!(world.fake.state().creations.get(&world.identity), Some(&1));
}

/// Every request that a life has, each with every fault.
#[test]
fn every_fault_on_every_call_is_survived() {
    let faults = [
        Fault::Status(403),
        Fault::Status(409),
        Fault::Status(429),
        Fault::Status(500),
        Fault::Status(503),
        Fault::Lost,
        Fault::Unheard,
        Fault::Slow(std::time::Duration::from_hours(1)),
        Fault::Operation,
        Fault::OutsideEdit,
    ];
    let server = Server::new();
    for (number, fault) in faults.into_iter().enumerate() {
        for call in 0..12 {
            let world = World::named(
                Which::SqlInstance,
                server.clone(),
                &format!("lion-{number}-{call}"),
            );
            world.fake.state().latency = 1;
            for _ in 0..call {
                world.fake.state().script.push(None);
            }
            world.fake.state().script.push(Some(fault));
            world.apply(&json!({}), &tier());
            world.converge();
            world.apply(&json!({}), &json!({ "settings": { "tier": "db-g1-small" } }));
            world.converge();
            let text = format!("{fault:?} at call {call}");
            assert_eq!(
                world.live().expect("it is there")["settings"]["tier"],
                "db-g1-small",
                "{text}"
            );
            assert_eq!(
                world.fake.state().creations.get(&world.identity),
                Some(&1),
                "{text}"
            );
            server.send("DELETE", &world.what.path(), "application/json", "", 200);
            for _ in 0..50 {
                if world.object().is_none() {
                    break;
                }
                world.pass();
            }
            assert_eq!((world.object(), world.live()), (None, None), "{text}");
        }
    }
}
