//! Random faults, in a thousand schedules: calls fail or their responses get lost, operations fail, others write in
//! between, and the process dies after any call to the cluster.

use kindsmith_controller::Next;
use kindsmith_controller::fake::Fault;
use serde_json::json;

use crate::rig::{Server, Which, World};

struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn fault(&mut self) -> Option<Fault> {
        Some(match self.below(12) {
            0 => Fault::Status(403),
            1 => Fault::Status(429),
            2 => Fault::Status(500),
            3 => Fault::Lost,
            4 => Fault::Unheard,
            5 => Fault::Operation,
            6 => Fault::OutsideEdit,
            _ => return None,
        })
    }
}

/// Some passes with faults.
fn stumble(world: &World, dice: &mut Dice) {
    for _ in 0..dice.below(12) {
        let fault = dice.fault();
        world.fake.state().script.push(fault);
        if dice.below(4) == 0 {
            let call = dice.below(6) as u32;
            world
                .server
                .fails_at
                .store(call, std::sync::atomic::Ordering::Relaxed);
        }
        world.pass();
        orphans(world);
    }
    world
        .server
        .fails_at
        .store(0, std::sync::atomic::Ordering::Relaxed);
}

/// Checks that no resource is left without its object.
fn orphans(world: &World) {
    if world.object().is_none() {
        assert_eq!(world.live(), None, "the resource is orphaned");
    }
}

fn schedule(server: &Server, which: Which, seed: u64) {
    let mut dice = Dice(seed);
    let world = World::named(which, server.clone(), &format!("lion-{seed}"));
    world.fake.state().latency = dice.below(4) as u32;
    let (first, second, kept) = match which {
        Which::SqlInstance => (
            json!({ "settings": { "tier": "db-f1-micro" } }),
            json!({ "databaseVersion": "MYSQL_8_4", "settings": { "tier": "db-g1-small", "edition": "ENTERPRISE", "diskAutoresize": true } }),
            "spec.settings.diskSize",
        ),
        Which::PubSubTopic => (
            json!({ "messageRetentionDuration": "600s" }),
            json!({ "messageRetentionDuration": "1200s" }),
            "spec.messageStoragePolicy",
        ),
    };
    let keep = json!({ "kindsmith.dev/keep-live-fields": kept });
    world.apply(&keep, &first);
    stumble(&world, &mut dice);
    world.converge();

    // Somebody else sets a kept field; it must stay.
    world.edit(|live| match which {
        Which::SqlInstance => live["settings"]["dataDiskSizeGb"] = "77".into(),
        Which::PubSubTopic => {
            live["messageStoragePolicy"] = json!({ "allowedPersistenceRegions": ["europe-west1"] });
        }
    });
    world.apply(&keep, &second);
    stumble(&world, &mut dice);
    world.converge();
    let live = world.live().expect("the resource is there");
    match which {
        Which::SqlInstance => {
            assert_eq!(live["settings"]["dataDiskSizeGb"], "77");
            assert_eq!(live["settings"]["tier"], "db-g1-small");
            assert_eq!(live["databaseVersion"], "MYSQL_8_4");
        }
        Which::PubSubTopic => {
            assert_eq!(
                live["messageStoragePolicy"]["allowedPersistenceRegions"][0],
                "europe-west1"
            );
            assert_eq!(live["messageRetentionDuration"], "1200s");
        }
    }
    assert_eq!(
        world.writes_of(|| drop(world.settle())),
        0,
        "nothing is left to be written"
    );
    let creations = world.fake.state().creations.get(&world.identity).copied();
    assert_eq!(creations, Some(1), "nothing is created twice");

    world
        .server
        .send("DELETE", &world.what.path(), "application/json", "", 200);
    stumble(&world, &mut dice);
    world.fake.state().script = kindsmith_controller::fake::Script::default();
    for _ in 0..50 {
        if world.object().is_none() {
            break;
        }
        assert_ne!(world.pass(), Next::After(std::time::Duration::ZERO));
        orphans(&world);
    }
    assert_eq!((world.object(), world.live()), (None, None), "seed {seed}");
}

#[test]
fn no_schedule_of_faults_loses_duplicates_or_orphans_an_instance() {
    let server = Server::new();
    for seed in 0..700 {
        schedule(&server, Which::SqlInstance, seed);
    }
}

#[test]
fn no_schedule_of_faults_loses_duplicates_or_orphans_a_topic() {
    let server = Server::new();
    for seed in 0..300 {
        schedule(&server, Which::PubSubTopic, seed);
    }
}

#[test]
fn another_write_between_read_and_write_is_not_lost() {
    let world = World::new(Which::SqlInstance);
    world.apply(&json!({}), &json!({ "settings": { "tier": "db-f1-micro" } }));
    world.converge();
    world.apply(
        &json!({}),
        &json!({ "settings": { "tier": "db-f1-micro", "activationPolicy": "NEVER" } }),
    );
    // Right after the controller has read the instance.
    world.fake.state().script.push_for("GET", Fault::OutsideEdit);
    assert!(
        matches!(world.pass(), Next::Retry { .. }),
        "the stale write is refused"
    );
    world.converge();
    let settings = world.live().expect("it is there")["settings"].clone();
    assert_eq!(
        (&settings["userLabels"]["outside"], &settings["activationPolicy"]),
        (&json!("yes"), &json!("NEVER"))
    );
}
