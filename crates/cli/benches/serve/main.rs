//! What `kindsmith serve` costs with each store: time to ready, memory, requests per second and their 99th percentile.
//!
//! `cargo bench -p kindsmith-cli --bench serve`. Requests use plain HTTP on loopback, so the figures do not include
//! TLS; clients and server share the machine. etcd is measured if it is installed.
#![allow(clippy::print_stdout, reason = "the figures are for people")]
#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads its input and the clock"
)]

mod client;
mod load;
mod server;

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use client::Client;
use server::Server;

/// How many CRDs a large server has.
const DEFINITIONS: usize = 1000;

fn main() {
    let scratch = Scratch::new();
    start(&scratch);
    println!();
    println!(
        "{:<8} {:<22} {:>10} {:>10} {:>10}",
        "store", "request", "per second", "p50", "p99"
    );
    load::run("memory", "memory");
    load::run("disk", &scratch.path("load"));
    match Etcd::start(&scratch) {
        Some(etcd) => load::run("etcd", &format!("etcd://127.0.0.1:{}", etcd.port)),
        None => println!("left out: etcd (not installed)"),
    }
}

/// Time to ready and memory, without CRDs and with many.
fn start(scratch: &Scratch) {
    let empty = (0..10)
        .map(|_| Server::start("memory"))
        .map(|server| (server.ready, server.resident()));
    report("0 definitions, memory", empty.min().expect("there are ten"));
    let many = scratch.path("many");
    define_many(&Server::start(&many));
    let many = (0..5)
        .map(|_| Server::start(&many))
        .map(|server| (server.ready, server.resident()));
    report(
        &format!("{DEFINITIONS} definitions, disk"),
        many.min().expect("there are five"),
    );
}

fn report(what: &str, (ready, resident): (Duration, u64)) {
    let millis = ready.as_secs_f64() * 1000.0;
    println!(
        "{what:<28} ready {millis:>7.1} ms   resident {:>6.1} MB",
        resident as f64 / 1024.0
    );
}

/// Creates CRDs of typical size.
fn define_many(server: &Server) {
    let text = include_str!("../../../../fixtures/gate/crd.yaml");
    let mut client = Client::connect(&server.address);
    let started = Instant::now();
    for number in 0..DEFINITIONS {
        let text = text.replace("example.org", &format!("group{number}.example.org"));
        let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        let status = client.send("POST", path, "application/yaml", text.as_bytes());
        assert_eq!(status, 201, "a definition is taken");
    }
    println!(
        "{DEFINITIONS} definitions created in {:.1} s",
        started.elapsed().as_secs_f64()
    );
}

/// A directory that is removed when the benchmark ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("kindsmith-bench-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("there is room");
        Scratch(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("it is text").to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A real etcd with one member.
struct Etcd {
    child: Child,
    port: u16,
}

impl Etcd {
    fn start(scratch: &Scratch) -> Option<Self> {
        let free = || {
            Some(
                std::net::TcpListener::bind("127.0.0.1:0")
                    .ok()?
                    .local_addr()
                    .ok()?
                    .port(),
            )
        };
        let (port, peer) = (free()?, free()?);
        let (url, peer) = (
            format!("http://127.0.0.1:{port}"),
            format!("http://127.0.0.1:{peer}"),
        );
        let child = Command::new("etcd")
            .args(["--data-dir", &scratch.path("etcd"), "--log-level", "error"])
            .args(["--listen-client-urls", &url, "--advertise-client-urls", &url])
            .args([
                "--listen-peer-urls",
                &peer,
                "--initial-advertise-peer-urls",
                &peer,
            ])
            .args(["--initial-cluster", &format!("default={peer}")])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        Some(Etcd { child, port })
    }
}

impl Drop for Etcd {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
