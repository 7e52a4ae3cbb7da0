//! Whole HTTP connections, without TLS: whatever is sent, no request panics, and the next connection is answered.

#![no_main]

#[macro_use]
#[path = "shared/score.rs"]
mod score;

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::{Arc, LazyLock, mpsc};
use std::time::Duration;

use kindsmith_api::{Api, Options};
use kindsmith_server::{Gates, Identity, Limits, Log, Server, Settings, System};
use kindsmith_store::Memory;

/// Where the server listens; all inputs share it.
static ADDRESS: LazyLock<SocketAddr> = LazyLock::new(|| {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("threads can be started");
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
                .await
                .expect("a port is free");
            let api = Api::open(Arc::new(Memory::new()), Box::new(System), Options::default());
            let server =
                Server::new(listener, Arc::new(api.expect("it opens")), settings()).expect("there is no TLS");
            sender
                .send(server.address().expect("it listens"))
                .expect("somebody waits");
            server.run(std::future::pending()).await;
        });
    });
    receiver.recv().expect("the server starts")
});

fn settings() -> Settings {
    Settings {
        identity: Identity::default(),
        tls: None,
        limits: Limits {
            body: 4096,
            request: Duration::from_millis(300),
            headers: Duration::from_millis(300),
            stall: Duration::from_millis(300),
            watch: Duration::from_millis(5),
            ..Limits::default()
        },
        gates: Gates::default(),
        audit: None,
        log: Log::Nothing,
        webhook_metrics: None,
        is_slow: false,
        trusts_everybody: true,
    }
}

/// Sends bytes and reads until the server closes the connection. A client that ends its side takes its request back.
fn exchange(data: &[u8], ends: bool) -> Vec<u8> {
    let mut stream = TcpStream::connect(*ADDRESS).expect("the server listens");
    let patience = Some(Duration::from_secs(2));
    stream.set_read_timeout(patience).expect("it is not zero");
    stream.set_write_timeout(patience).expect("it is not zero");
    let mut answer = Vec::new();
    // The server may close the connection before it has read everything.
    if stream.write_all(data).is_ok() && (!ends || stream.shutdown(Shutdown::Write).is_ok()) {
        let _ = stream.read_to_end(&mut answer);
    }
    answer
}

fuzz_target!(|data: &[u8]| {
    let answer = exchange(data, true);
    let panicked = b"caused apiserver to panic";
    assert!(!answer.windows(panicked.len()).any(|part| part == panicked));
    let question = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let healthy = exchange(question, false);
    assert!(
        healthy.starts_with(b"HTTP/1.1 200 "),
        "{}",
        String::from_utf8_lossy(&healthy)
    );
});
