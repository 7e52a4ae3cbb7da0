//! `etcd` for envtest: answers health checks and stores nothing, because the API server keeps objects in memory.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use super::flags::{Given, Request, Table};
use crate::Outcome;
use crate::error::Error;
use crate::terminal::Terminal;

const FLAGS: Table = Table {
    program: "etcd",
    lines: include_str!("etcd_flags.txt"),
    effective: &[
        ("advertise-client-urls", "Accepted as given"),
        ("data-dir", "Nothing is written there"),
        ("initial-advertise-peer-urls", "Accepted as given"),
        ("initial-cluster", "Accepted as given"),
        ("listen-client-urls", "Where to answer health checks"),
        ("listen-peer-urls", "Nobody listens there"),
        ("name", "Accepted as given"),
        ("unsafe-no-fsync", "There is nothing to write"),
        ("version", "Show the version"),
    ],
    has_single_dashes: true,
};

const ABOUT: &str = "Answers health checks in place of etcd, for envtest. Nothing is stored.";

/// The response of `/version`, which tells the API server that this is not a real etcd.
pub(super) const NO_STORE: &str = r#"{"etcdserver":"kindsmith","etcdcluster":"kindsmith"}"#;

pub(super) fn run(words: &[String], terminal: &Terminal) -> Result<Outcome, Error> {
    match FLAGS.parse(words)? {
        Request::Help => terminal.print(&FLAGS.help(ABOUT))?,
        Request::Version => terminal.print(&format!("kindsmith {}\n", env!("CARGO_PKG_VERSION")))?,
        Request::Run(given) => {
            FLAGS
                .warnings(&given)
                .iter()
                .for_each(|warning| terminal.warn(warning));
            serve(&given, terminal)?;
        }
    }
    Ok(Outcome::Clean)
}

/// Answers on all addresses until a signal ends the process.
fn serve(given: &Given, terminal: &Terminal) -> Result<(), Error> {
    let mut urls = given.list("listen-client-urls");
    if urls.is_empty() {
        urls.push("http://localhost:2379");
    }
    let mut threads = Vec::new();
    for url in urls {
        let Some(address) = url.strip_prefix("http://") else {
            return Err(Error::usage(format!("cannot listen on {url}"))
                .hint("use http://HOST:PORT; nothing is stored"));
        };
        let address = address.trim_end_matches('/');
        let listener = TcpListener::bind(address)
            .map_err(|error| Error::environment(format!("cannot listen on {address}: {error}")))?;
        terminal.say(&format!("Answering health checks on {url}; nothing is stored"));
        threads.push(std::thread::spawn(move || accept(&listener)));
    }
    for thread in threads {
        // A thread ends only by a panic, which was printed.
        let _ = thread.join();
    }
    Ok(())
}

fn accept(listener: &TcpListener) {
    for stream in listener.incoming().flatten() {
        // A client that leaves early needs no answer.
        std::thread::spawn(move || answer(&stream).ok());
    }
}

/// Answers one request and closes the connection.
fn answer(stream: &TcpStream) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
    }
    let (status, body) = match path.split('?').next().unwrap_or_default() {
        "/health" => ("200 OK", r#"{"health":"true","reason":""}"#),
        "/livez" | "/readyz" => ("200 OK", "ok"),
        "/version" => ("200 OK", NO_STORE),
        _ => (
            "404 Not Found",
            "this etcd stores nothing: the API server keeps objects in memory",
        ),
    };
    let mut to = stream;
    write!(
        to,
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}
