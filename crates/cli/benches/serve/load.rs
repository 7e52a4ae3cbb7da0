//! Load: some clients send requests as fast as they can.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::server::Server;

const CLIENTS: usize = 16;
const PATH: &str = "/api/v1/namespaces/default/configmaps";
const WATCHERS: usize = 50;
const EVENTS: usize = 200;

/// Measures all requests on one store.
pub(crate) fn run(name: &str, store: &str) {
    let server = Server::start(store);
    let each = if name == "memory" { 500 } else { 100 };
    let named = |client: usize, number: usize| format!("bench-{client}-{number}");
    measure(name, "create", &server, each, |client, who, number| {
        let body = object(&named(who, number), number);
        assert_eq!(
            client.send("POST", PATH, "application/json", body.as_bytes()),
            201,
            "it is new"
        );
    });
    measure(name, "get", &server, each, |client, who, number| {
        let path = format!("{PATH}/{}", named(who, number));
        assert_eq!(
            client.send("GET", &path, "application/json", b""),
            200,
            "it is there"
        );
    });
    measure(name, "list of 500", &server, 5, |client, _, _| {
        let path = format!("{PATH}?limit=500");
        assert_eq!(
            client.send("GET", &path, "application/json", b""),
            200,
            "they are there"
        );
    });
    measure(name, "update", &server, each, |client, who, number| {
        let path = format!("{PATH}/{}", named(who, number));
        let body = object(&named(who, number), number + 1);
        assert_eq!(
            client.send("PUT", &path, "application/json", body.as_bytes()),
            200,
            "it is there"
        );
    });
    watch(name, &server);
}

/// A ConfigMap of about a kilobyte.
fn object(name: &str, number: usize) -> String {
    let filler = "x".repeat(800);
    format!(
        r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}"}},"data":{{"n":"{number}","filler":"{filler}"}}}}"#
    )
}

fn measure(
    store: &str,
    what: &str,
    server: &Server,
    each: usize,
    request: impl Fn(&mut Client, usize, usize) + Sync,
) {
    let ready = Barrier::new(CLIENTS + 1);
    let (started, mut times) = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..CLIENTS)
            .map(|who| {
                let (ready, request) = (&ready, &request);
                scope.spawn(move || {
                    let mut client = Client::connect(&server.address);
                    ready.wait();
                    let once = |number| {
                        let started = Instant::now();
                        request(&mut client, who, number);
                        started.elapsed()
                    };
                    (0..each).map(once).collect::<Vec<Duration>>()
                })
            })
            .collect();
        ready.wait();
        let started = Instant::now();
        let times: Vec<Duration> = threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("the client ends well"))
            .collect();
        (started.elapsed(), times)
    });
    print(
        store,
        what,
        times.len() as f64 / started.as_secs_f64(),
        &mut times,
    );
}

/// One writer, many watchers: how long each event takes to reach each watcher.
fn watch(store: &str, server: &Server) {
    let ready = Barrier::new(WATCHERS + 1);
    let written: Vec<std::sync::OnceLock<Instant>> =
        (0..EVENTS).map(|_| std::sync::OnceLock::new()).collect();
    let (took, mut times) = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..WATCHERS)
            .map(|_| {
                let (ready, written) = (&ready, &written);
                scope.spawn(move || {
                    let mut client = Client::connect(&server.address);
                    client.ask(
                        "GET",
                        "/api/v1/watch/namespaces/default/secrets?resourceVersion=0",
                        "",
                        b"",
                    );
                    client.head();
                    ready.wait();
                    let mut times = Vec::with_capacity(EVENTS);
                    while times.len() < EVENTS {
                        let line = client.line();
                        let Some((_, rest)) = line.split_once("\"name\":\"event-") else {
                            continue;
                        };
                        let number: usize = rest
                            .split('"')
                            .next()
                            .and_then(|text| text.parse().ok())
                            .unwrap_or(0);
                        let sent = written[number].get().copied().unwrap_or_else(Instant::now);
                        times.push(sent.elapsed());
                    }
                    times
                })
            })
            .collect();
        let mut writer = Client::connect(&server.address);
        ready.wait();
        let started = Instant::now();
        for (number, sent) in written.iter().enumerate() {
            let body =
                format!(r#"{{"apiVersion":"v1","kind":"Secret","metadata":{{"name":"event-{number}"}}}}"#);
            let _ = sent.set(Instant::now());
            let path = "/api/v1/namespaces/default/secrets";
            assert_eq!(
                writer.send("POST", path, "application/json", body.as_bytes()),
                201,
                "it is new"
            );
        }
        let times: Vec<Duration> = threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("the watcher ends well"))
            .collect();
        (started.elapsed(), times)
    });
    let what = format!("watch by {WATCHERS}");
    print(store, &what, times.len() as f64 / took.as_secs_f64(), &mut times);
}

fn print(store: &str, what: &str, rate: f64, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |share: f64| {
        let index = ((times.len() as f64 * share) as usize).min(times.len() - 1);
        format!("{:.2} ms", times[index].as_secs_f64() * 1000.0)
    };
    println!(
        "{store:<8} {what:<22} {rate:>10.0} {:>10} {:>10}",
        at(0.5),
        at(0.99)
    );
}
