//! Webhooks that hang, drip, flood, hang up or are gone, under load: other requests keep their pace, and when it is over no
//! thread and no connection is left.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use kindsmith_testkit::tool::say;
use serde_json::{Value, json};

use super::blocking::check_nothing_is_left;
use super::converting::ask;
use super::hooks::Hooks;
use super::running::Running;
use crate::waiting::until;

/// How many clients measure their requests at once, and how many requests each makes.
const CLIENTS: usize = 2;
const REQUESTS: usize = 100;
/// How many clients write what webhooks must be asked about.
const VICTIMS: usize = 8;
/// How many writes each of them makes at least.
const WRITES: usize = 4;
/// The timeout of the webhooks. A request that waits for one of them takes this long.
const TIMEOUT: Duration = Duration::from_secs(2);

/// What webhooks do, by name; one more is not there at all.
fn ways() -> [(&'static str, Value); 4] {
    [
        ("hang", json!({"hang": true})),
        (
            "drip",
            json!({"allowed": true, "dripMs": 50, "fill": [" ", 1000]}),
        ),
        ("flood", json!({"allowed": true, "fill": [" ", 40_000_000]})),
        ("close", json!({"close": true})),
    ]
}

/// The clients take turns; floods cost this machine most, so they are rare.
const TURNS: [&str; 7] = ["hang", "drip", "gone", "hang", "close", "drip", "flood"];

fn webhook(hooks: &Hooks, way: &str) -> Value {
    // Nobody listens on the discard port of loopback.
    let base = if way == "gone" {
        "https://127.0.0.1:9"
    } else {
        &hooks.base
    };
    json!({"name": format!("{way}.example.org"), "sideEffects": "None", "admissionReviewVersions": ["v1"],
        "timeoutSeconds": TIMEOUT.as_secs(), "objectSelector": {"matchLabels": {"way": way}},
        "clientConfig": {"url": format!("{base}/{way}"), "caBundle": hooks.bundle},
        "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "resources": ["configmaps"], "operations": ["CREATE"]}]})
}

fn configure(server: &Running, hooks: &Hooks) {
    for (way, answer) in ways() {
        hooks.load(Some(&json!({way: {"kind": "validating", "answers": [answer]}})));
    }
    let webhooks: Vec<Value> = ways()
        .iter()
        .map(|(way, _)| webhook(hooks, way))
        .chain([webhook(hooks, "gone")])
        .collect();
    let configuration = json!({"apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration", "metadata": {"name": "bad"}, "webhooks": webhooks});
    let path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    assert_eq!(ask(&mut server.client(), "POST", path, &configuration).0, 201);
}

/// The time under which 99 of 100 requests were answered that no webhook has to do with.
fn pace(server: &Running, name: &str) -> Duration {
    let measured = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| scope.spawn(move || measure(server, &format!("{name}-{client}"))))
            .collect();
        let measured = clients
            .into_iter()
            .flat_map(|client| client.join().expect("it is answered"));
        let mut measured: Vec<Duration> = measured.collect();
        measured.sort();
        measured
    });
    measured[measured.len() * 99 / 100]
}

fn measure(server: &Running, name: &str) -> Vec<Duration> {
    let mut client = server.client();
    let secrets = "/api/v1/namespaces/default/secrets";
    (0..REQUESTS)
        .map(|number| {
            let name = format!("{name}-{number}");
            let started = Instant::now();
            let (status, _) = match number % 2 {
                0 => ask(&mut client, "POST", secrets, &json!({"metadata": {"name": name}})),
                _ => ask(&mut client, "GET", secrets, &Value::Null),
            };
            assert!(status < 300, "{status}");
            started.elapsed()
        })
        .collect()
}

/// A client that writes to all webhooks in turn until it is told to stop.
fn victim(
    server: &Running,
    number: usize,
    stop: &'static AtomicBool,
    done: &'static AtomicUsize,
) -> JoinHandle<()> {
    let mut client = server.client();
    std::thread::spawn(move || {
        for turn in number.. {
            if turn - number >= WRITES && stop.load(Ordering::Relaxed) {
                return;
            }
            let way = TURNS[turn % TURNS.len()];
            let name = format!("{way}-{number}-{turn}");
            let map = json!({"metadata": {"name": name, "labels": {"way": way}}});
            let path = "/api/v1/namespaces/default/configmaps";
            assert_eq!(ask(&mut client, "POST", path, &map).0, 500, "{way}");
            done.fetch_add(1, Ordering::Relaxed);
        }
    })
}

/// How many entries a directory of `/proc` has for the server's process; none on systems without it.
fn counted(server: &Running, what: &str) -> usize {
    let path = format!("/proc/{}/{what}", server.id());
    Path::new(&path).read_dir().map_or(0, Iterator::count)
}

#[test]
fn other_requests_keep_their_pace() {
    static STOP: AtomicBool = AtomicBool::new(false);
    static DONE: AtomicUsize = AtomicUsize::new(0);
    let (server, hooks) = (Running::start(&[]), Hooks::start());
    configure(&server, &hooks);
    let alone = pace(&server, "alone");
    let (threads, files) = (counted(&server, "task"), counted(&server, "fd"));
    let victims: Vec<JoinHandle<()>> = (0..VICTIMS)
        .map(|number| victim(&server, number, &STOP, &DONE))
        .collect();
    until("webhooks are called", || hooks.count() >= VICTIMS / 2);
    let loaded = pace(&server, "loaded");
    STOP.store(true, Ordering::Relaxed);
    for victim in victims {
        victim.join().expect("it was refused");
    }
    // Whoever hangs is let go.
    hooks.load(None);
    say(&format!(
        "p99 of other requests: {alone:?} alone, {loaded:?} beside {} requests to bad webhooks",
        DONE.load(Ordering::Relaxed)
    ));
    assert!(loaded < alone * 10 + TIMEOUT / 2, "{alone:?} became {loaded:?}");
    check_nothing_is_left(&server, &hooks);
    // The runtime has a thread for each write that waits, and ends those that have nothing to do.
    until("all threads end", || counted(&server, "task") <= threads);
    until("all files and sockets are closed", || {
        counted(&server, "fd") <= files + 4
    });
}

/// A server whose environment names a proxy that is not there.
#[test]
fn proxies_of_the_environment_are_not_used() {
    let proxy = "http://127.0.0.1:9";
    let names = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "ALL_PROXY"];
    let (server, hooks) = (
        Running::start_with(&[], &names.map(|name| (name, proxy))),
        Hooks::start(),
    );
    let mut client = server.client();
    let mut hook = webhook(&hooks, "allow");
    hook["objectSelector"] = json!({});
    hooks.load(Some(
        &json!({"allow": {"kind": "validating", "answers": [{"allowed": true}]}}),
    ));
    let configuration = json!({"apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration", "metadata": {"name": "allow"}, "webhooks": [hook]});
    let path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    assert_eq!(ask(&mut client, "POST", path, &configuration).0, 201);
    let map = json!({"metadata": {"name": "a"}});
    assert_eq!(
        ask(&mut client, "POST", "/api/v1/namespaces/default/configmaps", &map).0,
        201
    );
    assert_eq!(hooks.count(), 1);
}
