//! Replays scenarios and counts the results.

use std::collections::BTreeMap;
use std::fmt;

use kindsmith_json::read::{BigIntegers, Options};
use kindsmith_json::{Arena, Value};

use crate::compare::difference;
use crate::{Answer, Known, Scenario, Sent, Step, Transport};

/// The result of a replay.
#[derive(Debug, Default)]
pub struct Report {
    /// How many steps are equal, excused and different, by area, such as `api`.
    pub areas: BTreeMap<String, [usize; 3]>,
    /// The steps that differ and how: `SCENARIO/INDEX`.
    pub differing: Vec<(String, String)>,
}

impl Report {
    /// The scenarios with steps that differ.
    #[must_use]
    pub fn scenarios(&self) -> Vec<&str> {
        let names = self.differing.iter().filter_map(|(id, _)| id.rsplit_once('/'));
        let mut names: Vec<&str> = names.map(|(name, _)| name).collect();
        names.dedup();
        names
    }

    /// Adds the result of another replay.
    pub fn add(&mut self, other: Report) {
        for (area, counts) in other.areas {
            let sums = self.areas.entry(area).or_default();
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        self.differing.extend(other.differing);
    }

    fn count(&mut self, scenario: &str, kind: usize) {
        let area = scenario.split('-').next().unwrap_or_default();
        self.areas.entry(area.to_owned()).or_default()[kind] += 1;
    }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (area, [equal, excused, differing]) in &self.areas {
            writeln!(
                out,
                "{area:<12} {equal:>5} equal, {excused:>3} differ on purpose, {differing:>4} differ"
            )?;
        }
        Ok(())
    }
}

/// Replays one scenario; each step sees the state that earlier steps left.
pub fn replay(name: &str, transport: &mut dyn Transport, known: &mut Known, report: &mut Report) {
    let mut excuses = |index: usize| known.excuses(&format!("{name}/{index}"));
    replay_as(name, &BTreeMap::new(), transport, &mut excuses, report);
}

/// Replays one scenario as a release answers it; `excuses` says whether a step differs on purpose.
pub fn replay_as(
    name: &str,
    older: &BTreeMap<usize, String>,
    transport: &mut dyn Transport,
    excuses: &mut dyn FnMut(usize) -> bool,
    report: &mut Report,
) {
    let arena = Arena::new();
    let mut saved: Vec<(&str, String)> = Vec::new();
    for (index, step) in Scenario::read(&arena, name).steps().enumerate() {
        let step = older.get(&index).map_or(step, |line| step.answered(&arena, line));
        let answer = transport.send(&request(step, &saved));
        if step.lets_time_pass() {
            transport.pause();
        }
        let body = body(&arena, &answer);
        for (name, path) in step.saves() {
            let value = body.lookup(&path).and_then(Value::as_str);
            saved.retain(|(known, _)| *known != name);
            saved.push((name, value.unwrap_or_default().to_owned()));
        }
        if step.is_ignored() {
            continue;
        }
        let id = format!("{name}/{index}");
        match difference(&arena, step, answer.status, body, &answer.warnings) {
            None => report.count(name, 0),
            Some(_) if excuses(index) => report.count(name, 1),
            Some(difference) => {
                report.count(name, 2);
                let what = format!("{} {} ({})", step.method(), step.path(), step.name());
                report.differing.push((id, format!("{what}\n{difference}")));
            }
        }
    }
}

/// The request of a step, with saved values in place of `{{name}}`.
fn request(step: Step<'_>, saved: &[(&str, String)]) -> Sent {
    let fill = |text: &str| {
        saved.iter().fold(text.to_owned(), |text, (name, value)| {
            text.replace(&format!("{{{{{name}}}}}"), value)
        })
    };
    let mut headers = vec![("User-Agent".to_owned(), "conformance/1".to_owned())];
    let accept = match step.accept() {
        "" => "application/json",
        accept => accept,
    };
    headers.push(("Accept".to_owned(), accept.to_owned()));
    if let Some(media) = step.media() {
        headers.push(("Content-Type".to_owned(), media.to_owned()));
    }
    let more = step.headers().into_iter();
    headers.extend(more.map(|(name, value)| (name.to_owned(), value.to_owned())));
    Sent {
        method: step.method().to_owned(),
        target: fill(step.path()),
        headers,
        body: fill(&step.body().unwrap_or_default()).into_bytes(),
    }
}

/// The body as in recordings: JSON as a value, anything else as text.
fn body<'a>(arena: &'a Arena, answer: &Answer) -> Value<'a> {
    let text: &'a str = arena.alloc_str(&String::from_utf8_lossy(&answer.body));
    let options = Options::default().big_integers(BigIntegers::Exact);
    match kindsmith_json::read::read(arena, text.as_bytes(), options) {
        Ok(read) => read.value,
        Err(_) => Value::Str(text),
    }
}
