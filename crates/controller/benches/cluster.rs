//! Thousands of objects on an API server, over HTTP: how long kube-rs needs to list and watch them by itself, and how long the
//! controller needs from a cold start until all are up to date.
//!
//! `cargo bench -p kindsmith-controller --features cluster --bench cluster`; `OBJECTS=500` for fewer.
#![allow(clippy::print_stdout, reason = "its output is what it is for")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::StreamExt as _;
use kindsmith::test_server::TestServer;
use kindsmith_controller::fake::Fake;
use kindsmith_controller::{
    Controller, KubeCluster, Metrics, Options, RestAdapter, kinds, run, watch as watch_objects,
};
use kube::api::{Api, ApiResource, DynamicObject, GroupVersionKind, PostParams};
use kube::runtime::watcher::{self, Event, watcher};
use tokio::sync::{mpsc, watch};

/// Creations at once.
const AT_ONCE: usize = 16;

#[tokio::main(worker_threads = 2)]
async fn main() {
    let objects = std::env::var("OBJECTS").ok();
    let objects: usize = objects.and_then(|text| text.parse().ok()).unwrap_or(5000);
    let known = &kinds::ALL[1];
    let kind = Arc::new((known.kind)().expect("the tables are right"));
    let server = TestServer::start([kind.definition]).expect("a port is free");
    let config = kube::Config::new(server.url().parse().expect("it is a URL"));
    let client = kube::Client::try_from(config).expect("the client starts");
    let of = GroupVersionKind::gvk(&kind.group, &kind.version, &kind.kind);
    let resource = ApiResource::from_gvk_with_plural(&of, &kind.plural);
    let api: Api<DynamicObject> = Api::namespaced_with(client.clone(), "default", &resource);
    let start = Instant::now();
    let creations = (0..objects).map(|number| {
        let (api, resource) = (api.clone(), resource.clone());
        async move {
            let mut object = DynamicObject::new(&format!("topic-{number}"), &resource);
            object.data = serde_json::json!({ "spec": { "messageRetentionDuration": "600s" } });
            let created = api.create(&PostParams::default(), &object).await;
            created.expect("it is valid");
        }
    });
    futures::stream::iter(creations)
        .buffer_unordered(AT_ONCE)
        .for_each(|()| async {})
        .await;
    println!(
        "{objects} objects created in {:.2} s",
        start.elapsed().as_secs_f64()
    );

    let start = Instant::now();
    let mut events = Box::pin(watcher(api.clone(), watcher::Config::default()));
    let mut seen = 0;
    while let Some(event) = events.next().await {
        match event.expect("the server answers") {
            Event::InitApply(_) | Event::Apply(_) => seen += 1,
            Event::InitDone => break,
            _ => {}
        }
    }
    drop(events);
    println!(
        "kube-rs alone: {seen} objects listed and watched in {:.2} s, {} MB resident",
        start.elapsed().as_secs_f64(),
        resident()
    );

    let fake = Fake::default();
    let cluster = KubeCluster(client);
    for round in ["cold start", "second look"] {
        let (calls, writes) = (fake.state().calls.len(), fake.writes());
        let start = Instant::now();
        let controller = Controller {
            cluster: cluster.clone(),
            adapter: RestAdapter {
                http: fake.clone(),
                prefix: known.prefix.to_owned(),
                rest: kind.rest,
            },
            kind: Arc::clone(&kind),
            options: Options::default(),
            dependents: Arc::default(),
        };
        let metrics = Arc::new(Metrics::default());
        let (sender, changes) = mpsc::channel(1024);
        let (stop, stopped) = watch::channel(false);
        let (watched, watched_kind) = (cluster.clone(), Arc::clone(&kind));
        let watching = tokio::spawn(async move { watch_objects(watched, &watched_kind, sender).await });
        let task = tokio::spawn(run(
            Arc::new(controller),
            changes,
            stopped,
            20,
            Arc::clone(&metrics),
        ));
        let is_done = || match round {
            "cold start" => fake.state().resources.len() == objects && settled(&metrics) >= objects as u64,
            _ => settled(&metrics) >= objects as u64,
        };
        while !is_done() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let took = start.elapsed();
        stop.send(true).expect("the controller runs");
        task.await.expect("it ends well");
        watching.abort();
        println!(
            "{round}: {:.2} s, {:.0} objects/s, {} calls to the service of which {} write, {} MB resident",
            took.as_secs_f64(),
            objects as f64 / took.as_secs_f64(),
            fake.state().calls.len() - calls,
            fake.writes() - writes,
            resident(),
        );
    }
}

/// Passes that ended well.
fn settled(metrics: &Metrics) -> u64 {
    metrics.passes().0
}

/// Resident memory of the process in megabytes.
fn resident() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = pages.split(' ').nth(1).and_then(|text| text.parse::<u64>().ok());
    pages.unwrap_or_default() * 4096 / 1_000_000
}
