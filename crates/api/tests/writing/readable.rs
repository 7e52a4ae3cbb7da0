//! Whatever a write path stores can be read, listed and deleted.

use super::server::Server;
use super::{GADGETS, gadget};

const JSON: &str = "application/json-patch+json";
const MERGE: &str = "application/merge-patch+json";
const APPLY: &str = "application/apply-patch+yaml";

fn nested(depth: usize, inner: &str) -> String {
    format!("{}{inner}{}", r#"{"a":"#.repeat(depth), "}".repeat(depth))
}

/// Writes to an object that is 5,000 levels deep, and expects a status; then whatever is stored must be readable.
fn check(method: &str, media: &str, body: &str, expected: u16) {
    let server = Server::default();
    let target = format!("{GADGETS}/a");
    server.post(GADGETS, &gadget(r#"{"name":"a"}"#, &nested(5_000, "1")), 201);
    let separator = if media == APPLY {
        "?fieldManager=m&force=true"
    } else {
        ""
    };
    let (status, answer) = server.ask(method, &format!("{target}{separator}"), media, body);
    assert_eq!(status, expected, "{media}: {answer:.200}");
    for read in [&target, GADGETS] {
        let (status, answer) = server.ask("GET", read, "", "");
        assert_eq!(status, 200, "{read} after {media}: {answer:.200}");
    }
    let (status, answer) = server.ask("DELETE", &target, "", "");
    assert_eq!(status, 200, "{media}: {answer:.200}");
}

/// Walks over values use the stack, of which the threads of a server have as much.
fn with_stack(work: fn()) {
    let thread = std::thread::Builder::new().stack_size(16 << 20).spawn(work);
    thread.expect("a thread").join().expect("no panic");
}

#[test]
fn what_a_write_stores_can_be_read() {
    with_stack(|| {
        let path = "/a".repeat(5_000);
        let added = |depth| {
            format!(
                r#"[{{"op":"add","path":"/spec{path}","value":{}}}]"#,
                nested(depth, "1")
            )
        };
        check("PATCH", JSON, &added(4_999), 200);
        check("PATCH", JSON, &added(5_000), 400);
        check("PATCH", JSON, &added(6_000), 400);
        let copied = format!(r#"[{{"op":"copy","from":"/spec","path":"/spec{path}"}}]"#);
        check("PATCH", JSON, &copied, 400);
        let spec = |depth| format!(r#"{{"spec":{}}}"#, nested(depth, "1"));
        check("PATCH", MERGE, &spec(9_999), 200);
        check("PATCH", MERGE, &spec(10_000), 400);
        let applied = |depth| gadget(r#"{"name":"a"}"#, &nested(depth, "1"));
        check("PATCH", APPLY, &applied(10_000), 400);
    });
}
