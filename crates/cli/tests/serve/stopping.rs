//! A server that is asked to stop ends soon, whatever clients do.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use super::running::{Running, TOKEN};
use crate::waiting::until;

/// Longer than any server may take here, and shorter than it would wait for a body.
const SOON: Duration = Duration::from_secs(20);

/// A client whose body never comes; the server waits for it.
fn hold(server: &Running) -> TcpStream {
    let mut stream = TcpStream::connect(&server.address).expect("the server listens");
    let head = format!(
        "POST /api/v1/namespaces/default/secrets HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {TOKEN}\r\n\
         Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n",
        server.address
    );
    stream.write_all(head.as_bytes()).expect("the server reads");
    stream.set_read_timeout(Some(SOON)).expect("it is not zero");
    let mut line = [0; 12];
    stream
        .read_exact(&mut line)
        .expect("the server asks for the body");
    assert_eq!(&line, b"HTTP/1.1 100");
    stream
}

#[test]
fn running_requests_do_not_hold_a_server_for_long() {
    let server = Running::start(&["--insecure-http", "--limit", "drain-time=300ms"]);
    let held = hold(&server);
    let start = Instant::now();
    assert!(server.stop(), "it ends well");
    assert!(start.elapsed() < SOON, "it took {:?}", start.elapsed());
    drop(held);
}

#[test]
fn a_second_signal_ends_at_once() {
    let server = Running::start(&["--insecure-http", "--limit", "drain-time=10m"]);
    let held = hold(&server);
    let start = Instant::now();
    let asked = Command::new("kill").arg(server.id().to_string()).status();
    assert!(asked.is_ok_and(|status| status.success()));
    until("it accepts no more connections", || {
        TcpStream::connect(&server.address).is_err()
    });
    assert!(!server.stop(), "it was cut short");
    assert!(start.elapsed() < SOON, "it took {:?}", start.elapsed());
    drop(held);
}
