//! Thousands of objects from a cold start: creates all of them in the service, waits until all are up to date, then
//! makes one more pass over each.
//!
//! `cargo bench -p kindsmith-controller`; `OBJECTS=500` for fewer.
#![allow(clippy::print_stdout, reason = "its output is what it is for")]
#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads its input and the clock"
)]

#[path = "../tests/controller/rig.rs"]
#[allow(dead_code, reason = "a bench uses its part")]
mod rig;

use std::sync::Arc;
use std::time::Instant;

use kindsmith_controller::fake::Fake;
use kindsmith_controller::{Metrics, run};
use rig::{Server, Which, World};
use serde_json::json;
use tokio::sync::{mpsc, watch};

fn main() {
    let objects = std::env::var("OBJECTS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(5000_usize);
    let server = Server::new();
    let fake = Fake::default();
    for number in 0..objects {
        let mut world = World::named(Which::PubSubTopic, server.clone(), &format!("topic-{number}"));
        world.fake = fake.clone();
        let keep = json!({ "kindsmith.dev/keep-live-fields": "spec.messageStoragePolicy" });
        world.apply(&keep, &json!({ "messageRetentionDuration": "600s" }));
    }
    println!(
        "{objects} objects, {} MB resident before the first pass",
        resident()
    );
    for round in ["cold start", "second look"] {
        let calls = fake.state().calls.len();
        let writes = fake.writes();
        let start = Instant::now();
        look_at_all(&server, &fake, objects);
        let took = start.elapsed();
        let calls = fake.state().calls.len() - calls;
        let writes = fake.writes() - writes;
        println!(
            "{round}: {:.2} s, {:.0} objects/s, {calls} calls to the service of which {writes} write, {} MB resident",
            took.as_secs_f64(),
            objects as f64 / took.as_secs_f64(),
            resident(),
        );
    }
}

/// Runs until every object had a pass.
fn look_at_all(server: &Server, fake: &Fake, objects: usize) {
    let world = World::with(Which::PubSubTopic, server.clone(), fake.clone(), fake.clone());
    let metrics = Arc::new(Metrics::default());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    runtime.expect("a runtime starts").block_on(async {
        let (sender, changes) = mpsc::channel(1024);
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(run(
            Arc::new(world.controller),
            changes,
            stopped,
            20,
            Arc::clone(&metrics),
            Arc::new(|line: &str| println!("{line}")),
        ));
        for number in 0..objects {
            let key = ("park".to_owned(), format!("topic-{number}"));
            sender.send(key).await.expect("the controller runs");
        }
        while metrics.passes().0 < objects as u64 {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        stop.send(true).expect("the controller runs");
        task.await.expect("it ends well");
    });
}

/// Resident memory of the process in megabytes.
fn resident() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = pages
        .split(' ')
        .nth(1)
        .and_then(|text| text.parse::<u64>().ok())
        .unwrap_or_default();
    pages * 4096 / 1_000_000
}
