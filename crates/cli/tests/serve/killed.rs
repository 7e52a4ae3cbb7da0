//! Servers killed under load: whatever was acknowledged over HTTP is there after the next start, and no resource version
//! was given twice.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use super::running::{Running, TOKEN};

const MAPS: &str = "/api/v1/namespaces/default/configmaps";
const WRITERS: usize = 4;
/// How many objects each writer writes again and again.
const NAMES: usize = 5;

/// Acknowledged writes: the resource version and value of each object, and all resource versions.
#[derive(Default)]
struct Acknowledged {
    newest: HashMap<String, (u64, u64)>,
    versions: Vec<u64>,
}

fn kills() -> usize {
    let given = std::env::var("KINDSMITH_KILLS").ok();
    given.and_then(|kills| kills.parse().ok()).unwrap_or(10)
}

fn headers() -> [(&'static str, String); 2] {
    [
        ("Authorization", format!("Bearer {TOKEN}")),
        ("Content-Type", "application/json".to_owned()),
    ]
}

/// Writes objects until the server is gone.
fn write(server: &Running, writer: usize, counter: &AtomicUsize, acknowledged: &Mutex<Acknowledged>) {
    let headers = headers();
    let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
    let mut client = server.client();
    loop {
        let number = counter.fetch_add(1, Ordering::SeqCst);
        let name = format!("map-{writer}-{}", number % NAMES);
        let map = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name},
            "data": {"number": number.to_string(), "fill": "x".repeat(number * 37 % 3_000)}});
        let body = map.to_string();
        let target = format!("{MAPS}/{name}");
        let Ok(mut reply) = client.try_send("PUT", &target, &headers, body.as_bytes()) else {
            return;
        };
        if reply.status == 404 {
            match client.try_send("POST", MAPS, &headers, body.as_bytes()) {
                Ok(created) => reply = created,
                Err(_) => return,
            }
        }
        assert!(
            matches!(reply.status, 200 | 201),
            "{}: {}",
            reply.status,
            reply.text()
        );
        let object: Value = serde_json::from_slice(&reply.body).expect("it is JSON");
        let version = object["metadata"]["resourceVersion"].as_str().unwrap_or_default();
        let version: u64 = version.parse().expect("it is a number");
        let mut acknowledged = acknowledged.lock().expect("nobody panics with it");
        acknowledged.newest.insert(name, (version, number as u64));
        acknowledged.versions.push(version);
    }
}

fn check(server: &Running, acknowledged: &Acknowledged) {
    let mut client = server.client();
    let headers = headers();
    let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
    for (name, (version, number)) in &acknowledged.newest {
        let reply = client.send("GET", &format!("{MAPS}/{name}"), &headers, b"");
        assert_eq!(reply.status, 200, "{name} at {version} is lost");
        let object: Value = serde_json::from_slice(&reply.body).expect("it is JSON");
        let stored: u64 = object["data"]["number"]
            .as_str()
            .unwrap_or_default()
            .parse()
            .expect("it is a number");
        // A write that was on its way may have been stored.
        assert!(
            stored >= *number,
            "{name} is {stored}, {number} was acknowledged at {version}"
        );
    }
    let mut versions = acknowledged.versions.clone();
    versions.sort_unstable();
    versions.dedup();
    assert_eq!(
        versions.len(),
        acknowledged.versions.len(),
        "a resource version was given twice"
    );
}

#[test]
fn nothing_acknowledged_is_lost_when_a_server_is_killed() {
    let folder = tempfile::tempdir().expect("a directory for the test");
    let path = folder.path().display().to_string();
    let (acknowledged, counter) = (Mutex::default(), AtomicUsize::new(0));
    for kill in 0..kills() {
        let server = Running::start(&["--store", &path]);
        check(&server, &acknowledged.lock().expect("nobody panics with it"));
        let before = counter.load(Ordering::SeqCst);
        std::thread::scope(|scope| {
            for writer in 0..WRITERS {
                let (server, counter, acknowledged) = (&server, &counter, &acknowledged);
                scope.spawn(move || write(server, writer, counter, acknowledged));
            }
            // Each time after another number of writes, so that the moment differs.
            while counter.load(Ordering::SeqCst) < before + 20 + kill * 7 {
                std::thread::park_timeout(Duration::from_millis(1));
            }
            server.kill();
        });
    }
    let server = Running::start(&["--store", &path]);
    let acknowledged = acknowledged.into_inner().expect("nobody panics with it");
    check(&server, &acknowledged);
    assert!(acknowledged.versions.len() > kills() * 10);
}
