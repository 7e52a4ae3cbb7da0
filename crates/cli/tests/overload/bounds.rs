//! What one client may hold: headers, connections, streams, time.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use kindsmith_server::Limits;
use kindsmith_store::Memory;

use super::http2::{Http2, request};
use super::{MAPS, SECRETS, ask, secret, serve_with};
use crate::waiting::{until, until_some};

const MOMENT: Duration = Duration::from_millis(300);
const LONG: Duration = Duration::from_secs(30);

fn serve(limits: Limits) -> SocketAddr {
    serve_with(Arc::new(Memory::new()), limits)
}

pub(crate) fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("the server listens");
    stream.set_read_timeout(Some(LONG)).expect("it is not zero");
    stream
}

/// The status of the next answer; 0 if the connection is closed.
pub(crate) fn status(stream: &mut TcpStream) -> u16 {
    let mut line = [0; 12];
    match stream.read_exact(&mut line) {
        Ok(()) => String::from_utf8_lossy(&line[9..])
            .parse()
            .expect("it is a number"),
        Err(error) => {
            let waited = [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind());
            assert!(!waited, "the connection stays open");
            0
        }
    }
}

fn with_header(bytes: usize) -> String {
    let value = "x".repeat(bytes);
    format!("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: {value}\r\n\r\n")
}

#[test]
fn headers_are_bounded() {
    let address = serve(Limits {
        header_bytes: 32 << 10,
        ..Limits::default()
    });
    for (bytes, expected) in [(20 << 10, 200), (40 << 10, 431)] {
        let mut stream = connect(address);
        // The server may close the connection before it has read everything.
        let _ = stream.write_all(with_header(bytes).as_bytes());
        assert_eq!(status(&mut stream), expected, "{bytes} bytes");
    }
    let many: String = (0..200).map(|number| format!("X-{number}: a\r\n")).collect();
    let mut stream = connect(address);
    let head = format!("GET /healthz HTTP/1.1\r\nHost: localhost\r\n{many}\r\n");
    stream.write_all(head.as_bytes()).expect("the server reads");
    assert_eq!(status(&mut stream), 431);
}

/// A write with a long header whose body never comes.
fn slow(address: SocketAddr, user: &str, kilobytes: usize) -> TcpStream {
    let mut stream = connect(address);
    let value = "x".repeat(kilobytes << 10);
    let head = format!(
        "POST {SECRETS} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {user}\r\n\
         Content-Type: application/json\r\nX-Long: {value}\r\n{CONTINUE}Content-Length: 10\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).expect("the server reads");
    stream
}

/// Asks the server to say when it waits for the body, which is when the request has its memory.
pub(crate) const CONTINUE: &str = "Expect: 100-continue\r\n";

/// Waits until the server wants the body of a request.
pub(crate) fn wanted(mut stream: TcpStream) -> TcpStream {
    let mut answer = *b"HTTP/1.1 100 Continue\r\n\r\n";
    let expected = answer;
    stream.read_exact(&mut answer).expect("the server answers");
    assert_eq!(answer, expected);
    stream
}

#[test]
fn headers_of_all_requests_are_bounded_together() {
    // An eighth is for connections that were not authorized before. Beside three requests, it has room to receive a fourth, but not for
    // that request itself.
    let address = serve(Limits {
        memory: (8 * 476) << 10,
        request: LONG,
        ..Limits::default()
    });
    let held: Vec<TcpStream> = (0..3).map(|_| wanted(slow(address, "modest", 120))).collect();
    assert_eq!(status(&mut slow(address, "modest", 120)), 429);
    let mut small = connect(address);
    small
        .write_all(with_header(10).as_bytes())
        .expect("the server reads");
    assert_eq!(status(&mut small), 200, "others are answered");
    drop(held);
    let mut stream = until_some("there is room again", || {
        let mut stream = slow(address, "modest", 120);
        (status(&mut stream) == 100).then_some(stream)
    });
    let mut rest = [0; b" Continue\r\n\r\n".len()];
    stream.read_exact(&mut rest).expect("the server answers");
    stream.write_all(b"0123456789").expect("the server reads");
    assert_eq!(status(&mut stream), 400);
}

#[test]
fn bodies_that_do_not_come_hold_nothing() {
    // Half of it is for bodies: announced ones would take it four times.
    let address = serve(Limits {
        memory: 2 << 20,
        request: LONG,
        patience: MOMENT,
        ..Limits::default()
    });
    let announce = || {
        let mut stream = connect(address);
        let head = format!(
            "POST {SECRETS} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer greedy\r\n\
             Content-Type: application/json\r\n{CONTINUE}Content-Length: 1000000\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).expect("the server reads");
        wanted(stream)
    };
    let _silent: Vec<TcpStream> = (0..4).map(|_| announce()).collect();
    for user in ["modest", "greedy"] {
        let created = ask(address, user, "POST", SECRETS, &secret(user, 500_000));
        assert_eq!(created.0, 201, "{}", created.1);
    }
}

/// Whether the server has answered or closed a connection.
fn is_over(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).expect("it is open");
    !matches!(stream.peek(&mut [0]), Err(error) if error.kind() == ErrorKind::WouldBlock)
}

#[test]
fn strangers_hold_nothing() {
    let address = serve(Limits {
        memory: (8 * 400) << 10,
        patience: MOMENT,
        ..Limits::default()
    });
    // Whoever is refused is refused at once if the headers are long, though the body is still to come.
    for _ in 0..8 {
        assert_eq!(status(&mut slow(address, "nobody-knows", 120)), 401);
    }
    // Headers without an end are counted too.
    let mut endless: Vec<TcpStream> = (0..8).map(|_| connect(address)).collect();
    for stream in &mut endless {
        let head = with_header(120 << 10);
        stream
            .write_all(&head.as_bytes()[..head.len() - 4])
            .expect("buffers take it");
    }
    until("there is no more memory for strangers", || {
        endless.iter().any(is_over)
    });
    let created = super::ask(address, "modest", "POST", SECRETS, &super::secret("a", 1_000_000));
    assert_eq!(created.0, 201, "those who may write have their own memory");
}

#[test]
fn connections_are_bounded() {
    let address = serve(Limits {
        connections: 2,
        ..Limits::default()
    });
    let ask = |stream: &mut TcpStream| {
        let question = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
        stream
            .write_all(question)
            .expect("it is sent, if only to the queue");
    };
    let mut first = connect(address);
    ask(&mut first);
    assert_eq!(status(&mut first), 200);
    let second = connect(address);
    let mut third = connect(address);
    ask(&mut third);
    third.set_read_timeout(Some(MOMENT)).expect("it is not zero");
    let early = third.read(&mut [0]);
    assert!(early.is_err(), "it waits to be accepted");
    drop(second);
    third.set_read_timeout(Some(LONG)).expect("it is not zero");
    assert_eq!(status(&mut third), 200);
}

#[test]
fn streams_of_a_connection_are_bounded() {
    const STREAMS: u32 = 3;
    let address = serve(Limits {
        streams: STREAMS,
        ..Limits::default()
    });
    let mut client = Http2::connect(address);
    let watch = format!("{MAPS}?watch=1");
    let watch = request("GET", &watch, "Bearer modest");
    let start =
        |client: &mut Http2, what: &[(&str, &str)]| client.start(what, true).expect("the server reads");
    let open: Vec<u32> = (0..STREAMS).map(|_| start(&mut client, &watch)).collect();
    for stream in &open {
        assert!(client.first(*stream).is_answer());
    }
    let health = request("GET", "/healthz", "Bearer modest");
    let more = start(&mut client, &health);
    assert!(client.first(more).is_refusal(), "all are taken");
    client.reset(open[0]).expect("the server reads");
    let next = start(&mut client, &health);
    assert!(client.first(next).is_answer());
}

#[test]
fn streams_that_are_reset_at_once_end_the_connection() {
    let address = serve(Limits::default());
    let mut client = Http2::connect(address);
    let list = request("GET", MAPS, "Bearer greedy");
    let start = Instant::now();
    while client
        .start(&list, true)
        .and_then(|stream| client.reset(stream))
        .is_ok()
    {
        assert!(start.elapsed() < LONG, "the connection stays");
    }
    assert_eq!(super::ask(address, "modest", "GET", "/healthz", "").0, 200);
}

#[test]
fn time_for_headers_is_bounded() {
    let limits = Limits {
        headers: MOMENT,
        ..Limits::default()
    };
    let address = serve(limits);
    let starts: [&[u8]; 4] = [
        b"",
        b"GET /healthz HTTP/1.1\r\nHost:",
        b"PRI * HTTP",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ];
    for start in starts {
        let mut stream = connect(address);
        stream.write_all(start).expect("the server reads");
        let before = Instant::now();
        let mut rest = Vec::new();
        let end = stream.read_to_end(&mut rest);
        assert!(before.elapsed() < LONG / 2, "{start:?} is held: {end:?}");
    }
}

#[test]
fn connections_between_requests_are_closed() {
    let limits = Limits {
        idle: MOMENT,
        ..Limits::default()
    };
    let mut client = Http2::connect(serve(limits));
    let stream = client.start(&request("GET", "/healthz", "Bearer modest"), true);
    let stream = stream.expect("the server reads");
    assert!(client.first(stream).is_answer());
    let before = Instant::now();
    while client.frame().is_some() {}
    assert!(before.elapsed() < LONG / 2, "it stays open");
}

#[test]
fn time_for_a_body_is_bounded() {
    let limits = Limits {
        request: MOMENT,
        ..Limits::default()
    };
    let mut stream = connect(serve(limits));
    let head = format!(
        "POST {SECRETS} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer modest\r\n\
         Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{{"
    );
    stream.write_all(head.as_bytes()).expect("the server reads");
    assert_eq!(status(&mut stream), 408);
}

#[test]
fn time_of_a_watch_is_bounded() {
    let limits = Limits {
        watch: MOMENT,
        ..Limits::default()
    };
    let mut stream = connect(serve(limits));
    let head = format!(
        "GET {MAPS}?watch=1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer modest\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).expect("the server reads");
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).expect("it ends");
    assert!(rest.starts_with(b"HTTP/1.1 200"));
}
