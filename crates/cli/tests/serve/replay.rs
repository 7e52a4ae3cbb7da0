//! All recorded requests, over HTTP, against the running server.
//!
//! `API_SCENARIO=api-crud cargo test -p kindsmith-cli --test serve replay` runs the scenarios that start so.

use kindsmith_conformance::{
    Answer, Known, Report, Sent, Transport, conformance, replay, scenarios, warning_text,
};

use crate::client::Client;
use crate::running::{Running, TOKEN};

/// A server of one scenario.
struct Outside {
    client: Client,
    _server: Running,
}

impl Transport for Outside {
    fn send(&mut self, sent: &Sent) -> Answer {
        // Recordings ask for a page that is not there, again and again, to let a second pass.
        if sent.target.starts_with("/pause-here") {
            std::thread::sleep(std::time::Duration::from_millis(1100));
        }
        let authorization = format!("Bearer {TOKEN}");
        let mut headers: Vec<(&str, &str)> = sent
            .headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        if sent.header("authorization").is_none() {
            headers.push(("Authorization", &authorization));
        }
        let reply = self.client.send(&sent.method, &sent.target, &headers, &sent.body);
        let warnings = reply
            .headers
            .iter()
            .filter(|(name, _)| name == "warning")
            .filter_map(|(_, value)| warning_text(value));
        Answer {
            status: reply.status,
            warnings: warnings.collect(),
            body: reply.body,
        }
    }

    fn pause(&mut self) {}
}

#[test]
#[allow(clippy::print_stdout, reason = "the counts of a replay are for people")]
fn recorded_answers() {
    let only = std::env::var("API_SCENARIO").ok();
    let mut known = Known::read("api.steps");
    let mut report = Report::default();
    for name in scenarios(&[only.as_deref().unwrap_or_default()]) {
        let server = Running::start(&[]);
        let mut outside = Outside {
            client: server.client(),
            _server: server,
        };
        replay(&name, &mut outside, &mut known, &mut report);
    }
    println!("{report}");
    let pending =
        std::fs::read_to_string(conformance("../crates/api/tests/replay/pending.txt")).unwrap_or_default();
    let is_pending = |id: &str| {
        let name = id.rsplit_once('/').map_or(id, |(name, _)| name);
        only.is_none() && pending.lines().any(|line| line == name)
    };
    let differing: Vec<String> = report
        .differing
        .iter()
        .filter(|(id, _)| !is_pending(id))
        .map(|(id, difference)| format!("{id} {difference}"))
        .collect();
    assert!(
        differing.is_empty(),
        "{} differ:\n\n{}",
        differing.len(),
        differing.join("\n\n")
    );
}
