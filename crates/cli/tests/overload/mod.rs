//! One user's heavy work does not stop others, and a store without room says so.

mod bounds;
mod gated;
mod http2;
mod refused;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;

use gated::Gated;
use kindsmith_api::{Api, Options, User};
use kindsmith_server::{Gates, Identity, Limits, Log, Server, Settings, System};
use kindsmith_store::{Memory, Store};
use tokio::net::TcpListener;

/// How many lists are made at once.
const HEAVY: usize = 2;

/// Serves a store until the test ends; every user may do everything.
fn serve(store: Arc<dyn Store>) -> SocketAddr {
    let limits = Limits {
        heavy: HEAVY,
        ..Limits::default()
    };
    serve_with(store, limits)
}

fn serve_with(store: Arc<dyn Store>, limits: Limits) -> SocketAddr {
    serve_settings(store, settings(limits))
}

fn serve_settings(store: Arc<dyn Store>, settings: Settings) -> SocketAddr {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        // A single thread receives requests: whoever blocks it stops everybody.
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build();
        runtime.expect("threads can be started").block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
            let api = Api::open(store, Box::new(System), Options::default());
            let api = Arc::new(api.expect("the store opens"));
            let server = Server::new(listener, api, settings).expect("there is no TLS");
            sender
                .send(server.address().expect("it listens"))
                .expect("the test waits");
            server.run(std::future::pending()).await;
        });
    });
    receiver.recv().expect("the server starts")
}

fn settings(limits: Limits) -> Settings {
    let mut identity = Identity::default();
    for name in ["greedy", "modest"] {
        let user = User {
            name: name.to_owned(),
            groups: vec!["system:masters".to_owned()],
            ..User::default()
        };
        identity.add_token(name, user);
    }
    Settings {
        identity,
        tls: None,
        limits,
        gates: Gates::default(),
        audit: None,
        log: Log::Nothing,
        webhook_metrics: None,
        is_slow: false,
        trusts_everybody: false,
    }
}

/// Sends a request as a user; returns the status and the body.
fn ask(address: SocketAddr, user: &str, method: &str, path: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {user}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).expect("the server reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the server answers");
    let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok());
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (status.unwrap_or_default(), body.to_owned())
}

fn secret(name: &str, bytes: usize) -> String {
    let data = "x".repeat(bytes);
    format!(
        r#"{{"apiVersion":"v1","kind":"Secret","metadata":{{"name":"{name}"}},"stringData":{{"k":"{data}"}}}}"#
    )
}

const MAPS: &str = "/api/v1/configmaps";
const SECRETS: &str = "/api/v1/namespaces/default/secrets";

#[test]
fn a_greedy_lister_stops_nobody() {
    let store = Arc::new(Gated::new(b"/registry/configmaps/"));
    let address = serve(Arc::clone(&store) as _);
    let lists: Vec<JoinHandle<u16>> = (0..3 * HEAVY)
        .map(|_| std::thread::spawn(move || ask(address, "greedy", "GET", MAPS, "").0))
        .collect();
    store.wait_for(HEAVY);
    for number in 0..10 {
        assert_eq!(ask(address, "modest", "GET", "/healthz", "").0, 200);
        let created = ask(
            address,
            "modest",
            "POST",
            SECRETS,
            &secret(&format!("s{number}"), 10),
        );
        assert_eq!(created.0, 201, "{}", created.1);
        let path = format!("{SECRETS}/s{number}");
        assert_eq!(ask(address, "modest", "GET", &path, "").0, 200);
    }
    assert_eq!(store.most(), HEAVY, "no more lists than threads for them");
    // A list of somebody else waits for its turn, not for all lists that were there before.
    let modest = std::thread::spawn(move || ask(address, "modest", "GET", SECRETS, "").0);
    while !modest.is_finished() {
        let unfinished = lists.iter().filter(|list| !list.is_finished()).count();
        assert!(unfinished > 1, "the greedy ones were all first");
        store.let_one_pass();
    }
    assert_eq!(modest.join().ok(), Some(200));
    store.open();
    for list in lists {
        assert_eq!(list.join().ok(), Some(200));
    }
}

#[test]
fn a_store_without_room_refuses_writes_with_the_cause() {
    let mut limits = kindsmith_store::Limits::default();
    limits.quota_bytes = 3 << 20;
    let store = Arc::new(Memory::with(limits));
    let address = serve(Arc::clone(&store) as _);
    let send = |number: usize| {
        ask(
            address,
            "modest",
            "POST",
            SECRETS,
            &secret(&format!("s{number}"), 600_000),
        )
    };
    let refused = (0..9).map(send).find(|(status, _)| *status != 201);
    let (status, body) = refused.expect("the room is used up");
    assert_eq!(status, 507, "{body}");
    for part in [
        r#""reason":"InsufficientStorage""#,
        r#""message":"mvcc: database space exceeded: "#,
    ] {
        assert!(body.contains(part), "{body}");
    }
    assert_eq!(ask(address, "modest", "GET", MAPS, "").0, 200, "reads go on");
    assert_eq!(
        ask(address, "modest", "DELETE", &format!("{SECRETS}/s0"), "").0,
        200
    );
    let to = store.overfull().expect("old states are in the way");
    store.compact(to).expect("it is a revision");
    assert_eq!(send(9).0, 201);
}

#[test]
fn a_store_that_fails_is_not_healthy() {
    let store = Arc::new(Gated::new(b"/registry/configmaps/"));
    let address = serve(Arc::clone(&store) as _);
    assert_eq!(ask(address, "modest", "GET", "/readyz", "").0, 200);
    store.fail(true);
    for path in ["/readyz", "/healthz", "/livez", "/healthz/etcd"] {
        assert_eq!(ask(address, "modest", "GET", path, "").0, 500, "{path}");
    }
    let (_, told) = ask(address, "modest", "GET", "/api/v1/componentstatuses/etcd-0", "");
    let expected = r#""conditions":[{"type":"Healthy","status":"False","error":"the disk is full"}]"#;
    assert!(told.contains(expected), "{told}");
    store.fail(false);
    assert_eq!(ask(address, "modest", "GET", "/readyz", "").0, 200);
}
