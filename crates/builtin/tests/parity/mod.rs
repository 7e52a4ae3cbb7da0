//! Tags of built-in kinds and their hand-written twins agree: on all recorded requests, and on objects made from them.
//!
//! `PARITY_OBJECTS=1000000 cargo test -p kindsmith-builtin --test it made_up -- --nocapture` tries that many,
//! other ones with another `PARITY_SEED`.

pub(crate) mod edit;
mod recorded;
mod seeds;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::sample::Random;
use crate::server::Server;
use kindsmith_builtin::{Declarative, Lifecycle, Tally};
use recorded::{Answer, Case};

/// Differences, each with the object on which it was seen first.
#[derive(Default, Clone)]
struct Seen(Arc<Mutex<Vec<String>>>);

impl Seen {
    fn server(&self, lifecycle: Lifecycle) -> Server {
        let lines = Arc::clone(&self.0);
        let tally = Tally::with_log(move |line| lines.lock().expect("no test panics").push(line.to_owned()));
        let mut server = Server::at(100);
        server.declarative = Arc::new(Declarative { lifecycle, tally });
        server.is_plain = true;
        server
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().expect("no test panics"))
    }
}

/// Kinds whose code does not look at the template if the selector cannot be read (`ValidateReplicaSetSpec` and others in
/// pkg/apis/apps/validation). Their tags do, so Kubernetes has this difference too.
const TEMPLATES: &[&str] = &["daemonset_", "deployment_", "replicaset_", "statefulset_"];

fn is_known(line: &str, answer: &Answer) -> bool {
    // Code for new budgets does not look at metadata (`ValidatePodDisruptionBudget` in pkg/apis/policy/validation).
    let is_of_budget = line.starts_with("poddisruptionbudget_create: a tag finds");
    if is_of_budget && line.contains("field=\"metadata.") {
        return true;
    }
    let is_below_template = line.contains("a tag finds") && line.contains("field=\"spec.template.spec.");
    is_below_template
        && TEMPLATES.iter().any(|kind| line.starts_with(kind))
        && answer.has_cause("FieldValueInvalid", "spec.selector")
}

/// Differences by what they are about, with numbers in paths left out.
#[derive(Default)]
struct Differences {
    new: BTreeMap<String, (u64, String)>,
    /// Those that Kubernetes has too.
    known: u64,
}

impl Differences {
    fn add(&mut self, lines: Vec<String>, answer: &Answer, example: impl Fn() -> String) {
        for line in lines {
            if is_known(&line, answer) {
                self.known += 1;
                continue;
            }
            let about = line.split(" (").next().unwrap_or(&line);
            let about: String = about.chars().filter(|sign| !sign.is_ascii_digit()).collect();
            let entry = self.new.entry(about).or_insert_with(|| (0, example()));
            entry.0 += 1;
        }
    }

    fn assert_none(&self) {
        let text: Vec<String> = self
            .new
            .iter()
            .map(|(about, (count, example))| format!("{count} times {about}\n    {example}"))
            .collect();
        assert!(text.is_empty(), "{} differ:\n{}", text.len(), text.join("\n"));
    }
}

#[test]
fn tags_and_code_agree_on_recorded_requests() {
    let seen = Seen::default();
    let mut differences = Differences::default();
    for case in recorded::all() {
        let mut server = seen.server(Lifecycle::default());
        case.prepare(&mut server);
        let answer = case.send(&mut server, case.body.clone());
        differences.add(seen.take(), &answer, || format!("{} {}", case.path, case.body));
    }
    differences.assert_none();
}

/// How many objects a run makes up if `PARITY_OBJECTS` does not say.
const OBJECTS: u64 = 6_000;

#[test]
#[allow(clippy::print_stdout, reason = "the counts of a long run are for people")]
fn tags_and_code_agree_on_made_up_objects() {
    let number = std::env::var("PARITY_OBJECTS").ok();
    let number: u64 = number.and_then(|text| text.parse().ok()).unwrap_or(OBJECTS);
    let seen = Seen::default();
    let mut differences = Differences::default();
    let seed = std::env::var("PARITY_SEED").ok();
    let mut random = Random(seed.and_then(|text| text.parse().ok()).unwrap_or(19));
    let mut counts = BTreeMap::<u16, u64>::new();
    let kinds = seeds::by_kind(recorded::all());
    let each = number / kinds.len() as u64 + 1;
    let mut tried = 0;
    for cases in kinds.values() {
        let prepared: Vec<(Server, &Case)> = cases
            .iter()
            .map(|case| {
                let mut server = seen.server(Lifecycle::default());
                case.prepare(&mut server);
                (server, case)
            })
            .collect();
        seen.take();
        for _ in 0..each {
            let (server, case) = &prepared[random.below(prepared.len() as u64) as usize];
            let body = edit::edited(&case.body, &mut random);
            let answer = case.send(&mut server.clone(), body.clone());
            *counts.entry(answer.status).or_default() += 1;
            tried += 1;
            differences.add(seen.take(), &answer, || format!("{} {body}", case.path));
        }
    }
    let known = differences.known;
    println!(
        "{tried} objects of {} kinds: {counts:?} by status; {known} known differences",
        kinds.len()
    );
    differences.assert_none();
}
