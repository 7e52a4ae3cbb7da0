//! A resource cannot move: a change of a field in its path is refused and told, unless the resource does not exist.

use serde_json::json;

use super::{LATER, World};

const SECRET: usize = 4;
const REDIS: usize = 5;
const DATABASE: usize = 7;
const CHANNEL: usize = 8;

#[test]
fn a_change_of_the_location_is_refused_with_the_cure() {
    let world = World::new(REDIS, &json!({}), &json!({ "region": "here", "memorySizeGb": 5 }));
    world.settled("created");
    world.apply(&json!({ "region": "there", "memorySizeGb": 5 }));
    assert_eq!(world.writes_of(|| assert_eq!(world.settle(), LATER)), 0);
    let told = "spec.region: immutable: the resource is in here, and cannot move to there; set it back to here, or delete the \
                object and create another one";
    assert!(
        world.condition().contains("UpdateFailed"),
        "{}",
        world.condition()
    );
    assert!(world.condition().contains(told), "{}", world.condition());

    // Set back, it is up to date; other fields are sent again.
    world.apply(&json!({ "region": "here", "memorySizeGb": 6 }));
    assert_eq!(world.settled("set back"), 1);
    assert_eq!(
        world.live().map(|live| live["memorySizeGb"].clone()),
        Some(json!(6))
    );
}

#[test]
fn a_change_of_the_parent_the_name_or_the_project_is_refused() {
    let refused = |change: &dyn Fn(&World), expected: &str| {
        let world = World::new(
            DATABASE,
            &json!({}),
            &json!({ "instanceRef": { "external": "lion" } }),
        );
        world.settled("created");
        change(&world);
        assert_eq!(world.writes_of(|| assert_eq!(world.settle(), LATER)), 0);
        assert!(world.condition().contains(expected), "{}", world.condition());
    };
    refused(
        &|world| world.apply(&json!({ "instanceRef": { "external": "tiger" } })),
        "spec.instanceRef: immutable: the resource is in lion, and cannot move to tiger",
    );
    refused(
        &|world| world.apply(&json!({ "instanceRef": { "external": "lion" }, "resourceID": "other" })),
        "spec.resourceID: immutable: the resource is in lion, and cannot move to other",
    );
    refused(
        &|world| {
            world.cluster.edit(|object| {
                object["metadata"]["annotations"]["cnrm.cloud.google.com/project-id"] = "zoo".into();
            });
        },
        "the resource is in park, and cannot move to zoo",
    );
}

#[test]
fn an_object_whose_resource_is_not_there_may_name_another_place() {
    let world = World::new(
        REDIS,
        &json!({}),
        &json!({ "region": "nowhere", "memorySizeGb": 5 }),
    );
    // The service refuses the place.
    for _ in 0..4 {
        world.fake.state().script.push(None);
        world
            .fake
            .state()
            .script
            .push(Some(kindsmith_controller::fake::Fault::Status(400)));
        world.pass();
    }
    assert!(world.live().is_none());
    world.fake.state().script = kindsmith_controller::fake::Script::default();
    world.apply(&json!({ "region": "here", "memorySizeGb": 5 }));
    world.settled("created elsewhere");
    let paths: Vec<String> = world.fake.state().resources.keys().cloned().collect();
    assert_eq!(paths, ["projects/park/locations/here/instances/lion"]);
}

#[test]
fn what_the_service_named_and_somebody_deleted_is_created_once_more() {
    let example = json!({ "type": "email" });
    let world = World::new(CHANNEL, &json!({}), &example);
    world.settled("created");
    world.fake.state().resources.clear();
    world.settled("created again");
    let paths: Vec<String> = world.fake.state().resources.keys().cloned().collect();
    assert_eq!(paths, ["projects/park/notificationChannels/g2"]);

    let given = World::new(
        CHANNEL,
        &json!({}),
        &json!({ "type": "email", "resourceID": "g7" }),
    );
    given.pass();
    let told = "spec.resourceID: there is no resource `g7`, and the service names new ones; remove the field to create one";
    assert!(given.condition().contains(told), "{}", given.condition());
    assert!(given.live().is_none());
}

#[test]
fn secrets_are_among_the_labels_and_maps_are_sent_as_a_whole() {
    let spec = |password: &str, place: &str| {
        json!({
            "type": "webhook", "labels": { "url": place },
            "sensitiveLabels": { "password": { "value": password } },
        })
    };
    let world = World::new(CHANNEL, &json!({}), &spec("one", "here"));
    world.settled("created");
    let last = |world: &World| {
        let state = world.fake.state();
        let write = state.calls.iter().rev().find(|(method, _)| method == "PATCH");
        write.map(|(_, path)| path.clone()).unwrap_or_default()
    };
    world.apply(&spec("one", "there"));
    assert_eq!(world.settled("changed"), 1);
    assert!(last(&world).ends_with("?updateMask=labels"), "{}", last(&world));
    world.apply(&spec("two", "there"));
    assert_eq!(world.settled("rotated"), 1);
    assert!(last(&world).contains("updateMask=labels"), "{}", last(&world));
    assert_eq!(
        world.live().map(|live| live["labels"]["url"].clone()),
        Some(json!("there"))
    );
}

#[test]
fn both_forms_of_a_secrets_replication_are_the_same() {
    let spec = |replication: &serde_json::Value| json!({ "replication": replication });
    let old = json!({ "automatic": true });
    let world = World::new(SECRET, &json!({}), &spec(&old));
    world.settled("created");
    assert_eq!(
        world.live().map(|live| live["replication"].clone()),
        Some(json!({ "automatic": {} }))
    );
    assert_eq!(world.settled("seen again"), 0);
    world.apply(&spec(&json!({ "auto": {} })));
    assert_eq!(world.settled("in the newer form"), 0);
    world.apply(&spec(&old));
    assert_eq!(world.settled("in the older form again"), 0);

    for auto in [
        json!({}),
        json!({ "customerManagedEncryption": { "kmsKeyRef": { "external": "k" } } }),
    ] {
        let world = World::new(
            SECRET,
            &json!({}),
            &spec(&json!({ "automatic": true, "auto": auto })),
        );
        assert_eq!(world.settled("created with both"), 1);
        assert_eq!(world.settled("seen again"), 0);
        world.apply(&spec(&json!({ "auto": auto })));
        assert_eq!(world.settled("in the newer form"), 0);
        world.apply(&spec(&json!({ "automatic": true, "auto": auto })));
        assert_eq!(world.settled("in both again"), 0);
    }
    // What cannot change is refused in both forms.
    world.apply(&spec(&json!({ "automatic": true, "auto": { "customerManagedEncryption": { "kmsKeyRef": { "external": "k" } } } })));
    assert_eq!(world.writes_of(|| assert_eq!(world.settle(), LATER)), 0);
    assert!(
        world.condition().contains("it cannot be changed"),
        "{}",
        world.condition()
    );
}

/// Config Connector's newer form has labels in the spec; the object's own are sent if there are none.
#[test]
fn labels_of_a_secret_are_those_of_the_spec_or_the_objects_own() {
    let labels = |world: &World| world.live().map(|live| live["labels"].clone());
    let spec = |labels: &serde_json::Value| json!({ "replication": { "auto": {} }, "labels": labels });
    let world = World::new(SECRET, &json!({}), &spec(&json!({ "a": "spec" })));
    let own = json!({ "b": "own", "tools.example.org/c": "no" });
    world
        .cluster
        .edit(|object| object["metadata"]["labels"] = own.clone());
    world.settled("created");
    assert_eq!(labels(&world), Some(json!({ "a": "spec" })));

    // Others may add labels.
    world.edit(|live| live["labels"]["other"] = "x".into());
    world.apply(&json!({ "replication": { "auto": {} } }));
    assert_eq!(world.settled("without labels in the spec"), 1);
    assert_eq!(labels(&world), Some(json!({ "b": "own", "other": "x" })));
    assert_eq!(world.settled("seen again"), 0);

    world.apply(&spec(&json!({})));
    assert_eq!(world.settled("with none in the spec"), 1);
    assert_eq!(labels(&world), Some(json!({ "other": "x" })));
    let exported = kindsmith_controller::export(
        world.kind(),
        "projects/park/secrets/lion",
        &world.live().unwrap_or_default(),
    );
    assert_eq!(exported["spec"]["labels"], json!({ "other": "x" }));
    assert!(exported["metadata"]["labels"].is_null(), "{exported}");
}

#[test]
fn a_range_that_the_service_chooses_is_not_sent_again() {
    let spec = |range: &str| json!({ "region": "here", "memorySizeGb": 5, "secondaryIpRange": range });
    let world = World::new(REDIS, &json!({}), &spec("auto"));
    world.settled("created");
    world.edit(|live| live["secondaryIpRange"] = "10.0.0.16/28".into());
    assert_eq!(world.settled("chosen"), 0);
    world.apply(&spec("10.0.0.32/28"));
    assert_eq!(world.settled("given"), 1);
    world.apply(&spec("auto"));
    assert_eq!(world.settled("chosen again"), 0);
}

#[test]
fn a_channel_is_shown_with_the_name_of_its_object() {
    let shown = |world: &World| world.live().map(|live| live["displayName"].clone());
    let world = World::new(CHANNEL, &json!({}), &json!({ "type": "email" }));
    world.settled("created");
    assert_eq!(shown(&world), Some(json!("lion")));
    world.apply(&json!({ "type": "email", "displayName": "tiger" }));
    world.settled("named");
    assert_eq!(shown(&world), Some(json!("tiger")));
}

#[test]
fn fields_that_the_kind_does_not_know_are_told() {
    let world = World::new(
        REDIS,
        &json!({}),
        &json!({ "region": "here", "memorySizeGb": 5, "novelty": 7 }),
    );
    world.settled("created");
    let object = world.cluster.lock();
    let ignored = &object.as_ref().expect("it is there")["status"]["ignoredFields"];
    assert_eq!(ignored[0]["path"], "spec.novelty", "{ignored}");
}
