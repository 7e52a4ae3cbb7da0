//! Replays all recorded requests over HTTP against the running server.
//!
//! `API_SCENARIO=api-crud cargo test -p kindsmith-cli --test it serve::replay` runs the scenarios with that prefix.

use std::sync::Mutex;
use std::time::SystemTime;

use kindsmith_conformance::{Answer, Known, Report, Sent, Transport, replay, scenarios, warning_text};

use super::client::Client;
use super::running::{Running, TOKEN};
use crate::waiting::until;

/// A connection to a server.
struct Outside {
    client: Client,
}

impl Transport for Outside {
    fn send(&mut self, sent: &Sent) -> Answer {
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

    fn pause(&mut self) {
        // Managed fields are ordered by the second, so the next write is in the next one.
        let second = || SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_secs());
        let now = second();
        until("the clock runs", || second() != now);
    }
}

/// How many scenarios are replayed at once; mostly they wait for the next second.
const AT_ONCE: usize = 6;

#[test]
#[allow(clippy::print_stdout, reason = "the test prints how many answers it compared")]
fn recorded_answers() {
    let only = std::env::var("API_SCENARIO").ok();
    let names = Mutex::new(scenarios(&[only.as_deref().unwrap_or_default()]));
    let mut report = Report::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(|| work(&names))).collect();
        for worker in workers {
            report.add(worker.join().expect("it compares"));
        }
    });
    println!("{report}");
    let texts = report
        .differing
        .iter()
        .map(|(id, difference)| format!("{id} {difference}"));
    let differing: Vec<String> = texts.collect();
    assert!(
        differing.is_empty(),
        "{} differ:\n\n{}",
        differing.len(),
        differing.join("\n\n")
    );
}

/// Replays scenarios until none is left, most of them on one server: starting it takes longer than most scenarios.
fn work(names: &Mutex<Vec<String>>) -> Report {
    let mut known = Known::read("api.steps");
    let mut all = Report::default();
    let mut server = Running::start(&[]);
    loop {
        let Some(name) = names.lock().expect("nobody panics with it").pop() else {
            return all;
        };
        // Managers are ordered by the second: if a second passes between two steps, the order differs from the
        // recording. Lists of the whole cluster show what other scenarios left. A real difference appears again in the
        // next attempt, on a server of its own.
        for last in [false, false, true] {
            let mut outside = Outside {
                client: server.client(),
            };
            let mut report = Report::default();
            replay(&name, &mut outside, &mut known, &mut report);
            if last || report.differing.is_empty() {
                all.add(report);
                break;
            }
            server = Running::start(&[]);
        }
    }
}
