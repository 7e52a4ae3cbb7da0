//! An API server inside a test, for any client that speaks HTTP: `cargo run --example test_server`.

#![allow(clippy::disallowed_methods, reason = "an example reads what it shows")]
#![allow(clippy::print_stdout, reason = "an example prints what it found")]

use std::io::{Read, Write};
use std::net::TcpStream;

use kindsmith::test_server::TestServer;

fn main() -> std::io::Result<()> {
    let server = TestServer::start([include_str!("../fixtures/gate/crd.yaml")])?;
    println!("listening on {}", server.url());
    let gate = r#"{"apiVersion":"park.example.org/v1","kind":"Gate","metadata":{"name":"north"},"spec":{"name":"North"}}"#;
    let answer = post(
        &server,
        "/apis/park.example.org/v1/namespaces/default/gates",
        gate,
    )?;
    let (_, object) = answer.split_once("\r\n\r\n").unwrap_or_default();
    println!("{object}");
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
    Ok(())
}

/// A real test would use kube-rs or any other client.
fn post(server: &TestServer, path: &str, body: &str) -> std::io::Result<String> {
    let host = server.url().replace("http://", "");
    let mut connection = TcpStream::connect(&host)?;
    write!(
        connection,
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )?;
    let mut answer = String::new();
    connection.read_to_string(&mut answer)?;
    Ok(answer)
}
