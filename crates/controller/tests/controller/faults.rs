//! Random faults, in a thousand schedules: calls to the service are refused, time out or get lost, operations fail, others write
//! between read and write so that tokens are stale, the process dies before or after any call to the cluster, and the API server
//! restarts.

use std::collections::BTreeMap;
use std::time::Duration;

use kindsmith_controller::Next;
use kindsmith_controller::fake::Fault;
use serde_json::json;

use crate::rig::{Dice, Outage, Server, Which, World};

impl Dice {
    fn fault(&mut self) -> Option<Fault> {
        let faults = FAULTS.len() as u64;
        FAULTS.get(self.below(2 * faults) as usize).copied()
    }

    fn outage(&mut self) -> Option<Outage> {
        (self.below(4) == 0).then(|| Outage {
            after: self.below(6),
            is_done: self.below(2) == 0,
            restarts: self.below(16) == 0,
        })
    }
}

const FAULTS: [Fault; 10] = [
    Fault::Status(403),
    Fault::Status(409),
    Fault::Status(412),
    Fault::Status(429),
    Fault::Status(500),
    Fault::Lost,
    Fault::Unheard,
    Fault::Slow(Duration::from_hours(1)),
    Fault::Operation,
    Fault::OutsideEdit,
];

/// How often each fault happened in all schedules, so that none is left out unnoticed.
type Seen = BTreeMap<String, u32>;

/// Some passes with faults.
fn stumble(world: &World, dice: &mut Dice, seen: &mut Seen) {
    for _ in 0..dice.below(12) {
        let (fault, outage) = (dice.fault(), dice.outage());
        world.fake.state().script.push(fault);
        world.server.plan(outage);
        if let Some(fault) = fault {
            *seen.entry(format!("{fault:?}")).or_default() += 1;
        }
        if let Some(Outage {
            is_done, restarts, ..
        }) = outage
        {
            let text = format!("outage, done {is_done}, restarts {restarts}");
            *seen.entry(text).or_default() += 1;
        }
        world.pass();
        orphans(world);
    }
    world.server.plan(None);
}

/// Checks that no resource is left without its object.
fn orphans(world: &World) {
    if world.object().is_none() {
        assert_eq!(world.live(), None, "the resource is orphaned");
    }
}

fn schedule(server: &Server, which: Which, seed: u64, seen: &mut Seen) {
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
    stumble(&world, &mut dice, seen);
    world.converge();

    // Somebody else sets a kept field; it must stay.
    world.edit(|live| match which {
        Which::SqlInstance => live["settings"]["dataDiskSizeGb"] = "77".into(),
        Which::PubSubTopic => {
            live["messageStoragePolicy"] = json!({ "allowedPersistenceRegions": ["europe-west1"] });
        }
    });
    world.apply(&keep, &second);
    stumble(&world, &mut dice, seen);
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
    stumble(&world, &mut dice, seen);
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

fn schedules(which: Which, seeds: std::ops::Range<u64>) {
    let server = Server::only(which);
    let mut seen = Seen::new();
    for seed in seeds {
        schedule(&server, which, seed, &mut seen);
    }
    assert_eq!(seen.len(), FAULTS.len() + 4, "{seen:?}");
    assert!(seen.values().all(|times| *times > 20), "{seen:?}");
}

#[test]
fn no_schedule_of_faults_loses_duplicates_or_orphans_an_instance() {
    schedules(Which::SqlInstance, 0..700);
}

#[test]
fn no_schedule_of_faults_loses_duplicates_or_orphans_a_topic() {
    schedules(Which::PubSubTopic, 0..300);
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
