//! Requests that are refused: they hold no memory, and can be found in the audit log and in metrics.

use std::io::{self, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kindsmith_server::{Audit, Limits, Settings};
use kindsmith_store::Memory;

use super::bounds::{CONTINUE, connect, status, wanted};
use super::{MAPS, SECRETS, ask, secret, serve_settings, settings};

const MOMENT: Duration = Duration::from_millis(300);

/// A log that the test reads.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics with it").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Shared {
    fn lines(&self) -> Vec<String> {
        let bytes = self.0.lock().expect("nobody panics with it").clone();
        let text = String::from_utf8(bytes).expect("it is text");
        text.lines().map(str::to_owned).collect()
    }
}

fn serve(limits: Limits) -> (SocketAddr, Shared) {
    let log = Shared::default();
    let settings = Settings {
        audit: Some(Audit::new(Box::new(log.clone()))),
        ..settings(limits)
    };
    (serve_settings(Arc::new(Memory::new()), settings), log)
}

/// Starts a write, and sends only a part of its body.
fn start(address: SocketAddr, more: &str, length: usize) -> TcpStream {
    let mut stream = connect(address);
    let head = format!(
        "POST {SECRETS} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{more}\
         Content-Length: {length}\r\n\r\n{{"
    );
    stream.write_all(head.as_bytes()).expect("the server reads");
    stream
}

const MODEST: &str = "Authorization: Bearer modest\r\n";

#[test]
fn whoever_may_not_write_needs_no_memory() {
    let (address, _) = serve(Limits {
        memory: 64 << 10,
        patience: MOMENT,
        stall: MOMENT,
        ..Limits::default()
    });
    let held = wanted(start(address, &format!("{MODEST}{CONTINUE}"), 64 << 10));
    assert_eq!(
        status(&mut start(address, MODEST, 64 << 10)),
        429,
        "it is all taken"
    );
    // The answer comes though their bodies never do.
    assert_eq!(status(&mut start(address, "", 64 << 10)), 403);
    let stranger = "Authorization: Bearer unknown\r\n";
    assert_eq!(status(&mut start(address, stranger, 64 << 10)), 401);
    drop(held);
}

#[test]
fn refused_requests_are_recorded() {
    let (address, log) = serve(Limits {
        memory: 64 << 10,
        body: 60 << 10,
        patience: MOMENT,
        stall: MOMENT,
        request: 4 * MOMENT,
        ..Limits::default()
    });
    let mut slow = wanted(start(address, &format!("{MODEST}{CONTINUE}"), 60 << 10));
    assert_eq!(status(&mut start(address, MODEST, 60 << 10)), 429);
    assert_eq!(status(&mut slow), 408);
    assert_eq!(ask(address, "nobody-knows", "DELETE", SECRETS, "").0, 401);
    assert_eq!(status(&mut start(address, "", 10)), 403);
    assert_eq!(
        ask(address, "modest", "POST", SECRETS, &secret("a", 100_000)).0,
        413
    );
    let (code, metrics) = ask(address, "modest", "GET", "/metrics", "");
    assert_eq!(code, 200);
    let lines = log.lines();
    for code in [401, 403, 408, 413, 429] {
        let audited = format!("\"responseStatus\":{{\"code\":{code}}}");
        assert!(
            lines.iter().any(|line| line.contains(&audited)),
            "{code} in {lines:#?}"
        );
        let counted = metrics.lines().any(|line| {
            line.starts_with("apiserver_request_total{") && line.contains(&format!("code=\"{code}\""))
        });
        assert!(counted, "{code} in {metrics}");
    }
}

#[test]
fn the_audit_log_names_who_and_what() {
    let (address, log) = serve(Limits::default());
    let map = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"made-"}}"#;
    let maps = MAPS.replace("v1/", "v1/namespaces/default/");
    assert_eq!(ask(address, "modest", "POST", SECRETS, &secret("a", 1)).0, 201);
    assert_eq!(ask(address, "modest", "POST", SECRETS, &secret("a", 1)).0, 409);
    assert_eq!(ask(address, "modest", "POST", &maps, map).0, 201);
    let other = format!("{MODEST}Impersonate-User: ann\r\nImpersonate-Group: system:masters\r\n");
    let mut stream = start(address, &other, 2);
    stream.write_all(b"}").expect("the server reads");
    assert_eq!(status(&mut stream), 422);
    let lines = log.lines();
    assert_eq!(lines.len(), 4, "{lines:#?}");
    let parts = [
        r#""name":"a""#,
        r#""name":"a""#,
        r#""name":"made-"#,
        r#""impersonatedUser":{"username":"ann","groups":["system:masters""#,
    ];
    for (line, part) in lines.iter().zip(parts) {
        assert!(line.contains(part), "{part} in {line}");
        assert!(line.contains(r#""user":{"username":"modest""#), "{line}");
    }
}
