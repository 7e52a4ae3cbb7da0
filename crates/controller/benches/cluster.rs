//! Thousands of objects over HTTP, each part in a process of its own: how long the controller needs from a cold start until all are
//! up to date.
//!
//! `cargo bench -p kindsmith-controller --bench cluster`; `OBJECTS=500` for fewer.
#![allow(clippy::print_stdout, reason = "its output is what it is for")]
#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads its input and the clock"
)]

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use kindsmith::test_server::TestServer;
use kindsmith_controller::fake::{Fake, serve};
use kindsmith_controller::{
    Cluster, ClusterError, Controller, Counted, Json, Kind, KubeCluster, Metrics, ObjectRef, PlainHttp,
    RestAdapter, kinds, run, watch as watch_objects,
};
use tokio::sync::{mpsc, watch};

/// Creations at once.
const AT_ONCE: usize = 16;
/// Which part this process is; nothing for the one that starts the others.
const PART: &str = "KINDSMITH_BENCH_PART";
/// Addresses of the API server and of the service.
const ADDRESSES: &str = "KINDSMITH_BENCH_ADDRESSES";

#[tokio::main(worker_threads = 2)]
async fn main() {
    match std::env::var(PART).as_deref() {
        Ok("services") => services().await,
        Ok("controller") => controller().await,
        _ => all().await,
    }
}

fn objects() -> usize {
    let text = std::env::var("OBJECTS").ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(5000)
}

fn part(name: &str, addresses: &str) -> Child {
    let this = std::env::current_exe().expect("benches are programs");
    Command::new(this)
        .env(PART, name)
        .env(ADDRESSES, addresses)
        .stdin(Stdio::piped())
        .stdout(if name == "services" {
            Stdio::piped()
        } else {
            Stdio::inherit()
        })
        .spawn()
        .expect("it starts")
}

async fn all() {
    let mut services = part("services", "");
    let mut line = String::new();
    let stdout = services.stdout.take().expect("it is piped");
    BufReader::new(stdout)
        .read_line(&mut line)
        .expect("the services say where they are");
    create(line.trim()).await;
    for name in ["controller", "controller"] {
        let status = part(name, line.trim()).wait().expect("it ends");
        assert!(status.success(), "{name}");
    }
    let of = services.id().to_string();
    println!("API server and service: {}", usage(&of));
    services.kill().expect("it runs");
    services.wait().expect("it ended");
}

/// The API server and the service, until nobody needs them.
async fn services() {
    let kind = (kinds::ALL[1].kind)().expect("the tables are right");
    // It has a runtime of its own.
    let start = std::thread::spawn(move || TestServer::start([kind.definition]));
    let server = start.join().expect("it starts").expect("a port is free");
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
    let listener = listener.expect("a port is free");
    let address = listener.local_addr().expect("it is bound");
    println!("{} {address}", server.url());
    tokio::spawn(serve(listener, Fake::default()));
    let wait = || std::io::stdin().read(&mut [0]);
    let _ = tokio::task::spawn_blocking(wait).await;
}

/// What a part works with.
struct Place {
    cluster: KubeCluster,
    service: String,
    kind: Arc<Kind>,
}

fn place(addresses: &str) -> Place {
    let (url, service) = addresses.split_once(' ').expect("there are two");
    Place {
        cluster: KubeCluster::at(url).expect("it is a URL"),
        service: service.to_owned(),
        kind: Arc::new((kinds::ALL[1].kind)().expect("the tables are right")),
    }
}

fn here() -> Place {
    place(&std::env::var(ADDRESSES).expect("the first process sets it"))
}

async fn create(addresses: &str) {
    let Place { cluster, kind, .. } = place(addresses);
    let start = Instant::now();
    let mut creations = tokio::task::JoinSet::new();
    for number in 0..objects() {
        if creations.len() >= AT_ONCE {
            creations.join_next().await;
        }
        let (cluster, kind) = (cluster.clone(), Arc::clone(&kind));
        creations.spawn(async move {
            let what = kind.object("default", &format!("topic-{number}"));
            let object = serde_json::json!({
                "apiVersion": what.api_version, "kind": what.kind,
                "metadata": {
                    "name": what.name, "annotations": { "kindsmith.dev/keep-live-fields": "spec.messageStoragePolicy" },
                },
                "spec": { "messageRetentionDuration": "600s" },
            });
            let created = cluster.create(&what, &object).await;
            created.expect("it is valid");
        });
    }
    creations.join_all().await;
    println!(
        "{} objects created in {:.2} s",
        objects(),
        start.elapsed().as_secs_f64()
    );
}

async fn controller() {
    let Place {
        cluster,
        service,
        kind,
    } = here();
    let start = Instant::now();
    let metrics = Arc::new(Metrics::default());
    let calls = Arc::new(AtomicU64::new(0));
    let adapter = RestAdapter {
        http: Counted {
            http: PlainHttp {
                address: service,
                timeout: Duration::from_secs(30),
            },
            metrics: Arc::clone(&metrics),
        },
        prefix: kinds::ALL[1].prefix.to_owned(),
        rest: kind.rest,
    };
    let counted = CountedCluster(cluster.clone(), Arc::clone(&calls));
    let controller = Controller::new(counted, adapter, Arc::clone(&kind));
    let (sender, changes) = mpsc::channel(1024);
    let (stop, stopped) = watch::channel(false);
    let log: kindsmith_controller::Log = Arc::new(|line: &str| println!("{line}"));
    let watch_log = Arc::clone(&log);
    let watching = tokio::spawn(async move { watch_objects(cluster, &kind, sender, watch_log).await });
    let task = tokio::spawn(run(
        Arc::new(controller),
        changes,
        stopped,
        20,
        Arc::clone(&metrics),
        log,
    ));
    // An object is settled once: the next pass is due minutes later.
    while metrics.passes().0 < objects() as u64 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let took = start.elapsed();
    stop.send(true).expect("the controller runs");
    task.await.expect("it ends well");
    watching.abort();
    report(took, &metrics, calls.load(Ordering::Relaxed));
}

fn report(took: Duration, metrics: &Metrics, cluster: u64) {
    let requests = metrics.requests();
    let of = |wanted: fn(&str) -> bool| -> u64 {
        let counts = requests.iter().filter(|((method, _), _)| wanted(method));
        counts.map(|(_, count)| count).sum()
    };
    let (reads, writes) = (of(|method| method == "GET"), of(|method| method != "GET"));
    let each = |count: u64| count as f64 / objects() as f64;
    println!(
        "controller: all up to date after {:.2} s ({:.0} objects/s), {}; for each object {:.2} calls to the API server, \
         {:.2} reads and {:.2} writes at the service",
        took.as_secs_f64(),
        objects() as f64 / took.as_secs_f64(),
        usage("self"),
        each(cluster),
        each(reads),
        each(writes),
    );
}

/// CPU time and peak memory of a process.
fn usage(process: &str) -> String {
    let read = |file: &str| std::fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default();
    let stat = read("stat");
    // The name of the program may have spaces; numbers come after it.
    let fields: Vec<&str> = stat
        .rsplit_once(") ")
        .map_or(Vec::new(), |(_, rest)| rest.split(' ').collect());
    let ticks = |index: usize| fields.get(index).and_then(|text| text.parse::<u64>().ok());
    let ticks = ticks(11).unwrap_or_default() + ticks(12).unwrap_or_default();
    let status = read("status");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|text| text.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    format!(
        "{:.2} s of CPU time, {} MB at most",
        ticks as f64 / 100.0,
        peak.unwrap_or_default() / 1000
    )
}

/// Counts the calls to the API server that are not watches.
struct CountedCluster(KubeCluster, Arc<AtomicU64>);

impl CountedCluster {
    fn counted(&self) -> &KubeCluster {
        self.1.fetch_add(1, Ordering::Relaxed);
        &self.0
    }
}

impl Cluster for CountedCluster {
    async fn get(&self, what: &ObjectRef) -> Result<Option<Json>, ClusterError> {
        self.counted().get(what).await
    }

    async fn patch(&self, what: &ObjectRef, status: bool, patch: &Json) -> Result<Json, ClusterError> {
        self.counted().patch(what, status, patch).await
    }

    async fn create(&self, what: &ObjectRef, object: &Json) -> Result<Json, ClusterError> {
        self.counted().create(what, object).await
    }

    async fn event(&self, object: &Json, warning: bool, reason: &str, message: &str) {
        self.counted().event(object, warning, reason, message).await;
    }
}
