//! What `kubectl get pods` shows: one word for the state of all containers (`printPod` in
//! pkg/printers/internalversion/printers.go).

use kindsmith_json::Value;
use kindsmith_object::Behavior;

use crate::field_check::{number, text, truth};
use crate::table::{Heading, Row, Table, age, column};

/// The table of pods.
pub(crate) const TABLE: Table = Table {
    headings: HEADINGS,
    cells,
};

/// Pods that ended, by their phase.
pub(crate) fn completion(pod: Value<'_>) -> Option<(&'static str, &'static str)> {
    match text(pod.lookup(&["status", "phase"])) {
        "Succeeded" => Some(("Succeeded", "The pod has completed successfully.")),
        "Failed" => Some(("Failed", "The pod failed.")),
        _ => None,
    }
}

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::in_words("Ready", "How many containers are ready, of how many."),
    column::in_words("Status", "What the containers are doing, in one word."),
    column::in_words(
        "Restarts",
        "How often containers started again, and when the last one did.",
    ),
    column::AGE,
    column::wide("IP", "core/v1.PodStatus.podIP"),
    column::wide("Node", "core/v1.PodSpec.nodeName"),
    column::wide("Nominated Node", "core/v1.PodStatus.nominatedNodeName"),
    column::wide("Readiness Gates", "core/v1.PodSpec.readinessGates"),
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let seen = Seen::of(row);
    let sidecars = row
        .items("spec.initContainers")
        .iter()
        .filter(|container| is_sidecar(container));
    let all = row.items("spec.containers").len() + sidecars.count();
    let restarts = match (seen.restarts, seen.last_restart) {
        (restarts, last) if restarts == 0 || last.is_empty() => restarts.to_string(),
        (restarts, last) => format!("{restarts} ({} ago)", age(last, row.now)),
    };
    let address = row.items("status.podIPs").first();
    let address = address.map_or("", |address| text(address.get("ip")));
    vec![
        row.name(),
        row.cell(&format!("{}/{all}", seen.ready)),
        row.cell(&seen.word),
        row.cell(&restarts),
        row.age(),
        or_none(address),
        or_none(row.text("spec.nodeName")),
        or_none(row.text("status.nominatedNodeName")),
        gates(row),
    ]
}

fn or_none(text: &str) -> Value<'_> {
    match text {
        "" => Value::Str("<none>"),
        text => Value::Str(text),
    }
}

fn gates<'a>(row: &Row<'a>) -> Value<'a> {
    let gates = row.items("spec.readinessGates");
    if gates.is_empty() {
        return Value::Str("<none>");
    }
    let open = gates
        .iter()
        .filter(|gate| is_true(row, text(gate.get("conditionType"))));
    row.cell(&format!("{}/{}", open.count(), gates.len()))
}

fn is_true(row: &Row<'_>, kind: &str) -> bool {
    let mut conditions = row.items("status.conditions").iter();
    let condition = conditions.find(|condition| text(condition.get("type")) == kind);
    condition.is_some_and(|condition| text(condition.get("status")) == "True")
}

fn is_sidecar(container: &Value<'_>) -> bool {
    text(container.get("restartPolicy")) == "Always"
}

/// What containers say together.
#[derive(Default)]
struct Seen<'a> {
    word: String,
    ready: usize,
    restarts: i64,
    last_restart: &'a str,
}

impl<'a> Seen<'a> {
    fn of(row: &Row<'a>) -> Self {
        let mut seen = Seen {
            word: first_word(row).to_owned(),
            ..Seen::default()
        };
        let sidecars: Vec<&str> = row
            .items("spec.initContainers")
            .iter()
            .filter(|container| is_sidecar(container))
            .map(|container| text(container.get("name")))
            .collect();
        let is_initializing = seen.initialize(row, &sidecars);
        if !is_initializing || is_true(row, "Initialized") {
            seen.run(row, &sidecars);
        }
        let phase = row.text("status.phase");
        if !row.text("metadata.deletionTimestamp").is_empty() {
            match (row.text("status.reason"), phase) {
                ("NodeLost", _) => "Unknown".clone_into(&mut seen.word),
                (_, "Succeeded" | "Failed") => {}
                _ => "Terminating".clone_into(&mut seen.word),
            }
        }
        seen
    }

    /// Looks at init containers, up to the first that is not done; whether there is one.
    fn initialize(&mut self, row: &Row<'a>, sidecars: &[&str]) -> bool {
        let all = row.items("spec.initContainers").len();
        for (index, status) in row.items("status.initContainerStatuses").iter().enumerate() {
            self.count(*status);
            let state = |name: &str| status.lookup(&["state", name]).filter(|state| !state.is_null());
            let is_sidecar = sidecars.contains(&text(status.get("name")));
            let ended = state("terminated");
            if ended.is_some_and(|ended| number(ended.get("exitCode")) == 0) {
                continue;
            }
            if is_sidecar && truth(status.get("started")) {
                self.ready += usize::from(truth(status.get("ready")));
                continue;
            }
            let waits_for = state("waiting").map_or("", |waiting| text(waiting.get("reason")));
            self.word = match (ended, waits_for) {
                (Some(ended), _) => format!("Init:{}", end(ended)),
                (None, "" | "PodInitializing") => format!("Init:{index}/{all}"),
                (None, reason) => format!("Init:{reason}"),
            };
            return true;
        }
        false
    }

    /// Looks at containers, the last one first. Of init containers, only restarts of sidecars count from now on.
    fn run(&mut self, row: &Row<'a>, sidecars: &[&str]) {
        (self.restarts, self.last_restart) = (0, "");
        for status in row.items("status.initContainerStatuses") {
            if sidecars.contains(&text(status.get("name"))) {
                self.count(*status);
            }
        }
        let (mut is_running, mut failure) = (false, None);
        for status in row.items("status.containerStatuses").iter().rev() {
            self.count(*status);
            let state = |name: &str| status.lookup(&["state", name]).filter(|state| !state.is_null());
            let waits_for = state("waiting").map_or("", |waiting| text(waiting.get("reason")));
            if !waits_for.is_empty() {
                waits_for.clone_into(&mut self.word);
            } else if let Some(ended) = state("terminated") {
                self.word = end(ended);
                if number(ended.get("exitCode")) != 0 {
                    failure = Some(self.word.clone());
                }
            } else if truth(status.get("ready")) && state("running").is_some() {
                is_running = true;
                self.ready += 1;
            }
        }
        if self.word == "Completed" {
            self.word = match (is_running, failure) {
                (true, _) if is_true(row, "Ready") => "Running".to_owned(),
                (_, Some(failure)) if row.release.has(Behavior::FailuresShown) => failure,
                (true, _) => "NotReady".to_owned(),
                (false, _) => "Completed".to_owned(),
            };
        }
    }

    fn count(&mut self, status: Value<'a>) {
        self.restarts += number(status.get("restartCount"));
        // Times of one form in UTC sort like their texts.
        let ended = text(status.lookup(&["lastState", "terminated", "finishedAt"]));
        self.last_restart = self.last_restart.max(ended);
    }
}

/// The word before containers have a say.
fn first_word<'a>(row: &Row<'a>) -> &'a str {
    let is_gated = |condition: &Value<'_>| {
        text(condition.get("type")) == "PodScheduled" && text(condition.get("reason")) == "SchedulingGated"
    };
    match (row.text("status.reason"), row.text("status.phase")) {
        _ if row.items("status.conditions").iter().any(is_gated) => "SchedulingGated",
        ("", phase) => phase,
        (reason, _) => reason,
    }
}

/// How a container ended.
fn end(ended: Value<'_>) -> String {
    match (text(ended.get("reason")), number(ended.get("signal"))) {
        ("", 0) => format!("ExitCode:{}", number(ended.get("exitCode"))),
        ("", signal) => format!("Signal:{signal}"),
        (reason, _) => reason.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kindsmith_json::{Arena, parse_str};
    use kindsmith_object::Release;

    /// Ready, status and restarts of a pod; the time is 1970-01-01T00:01:00Z.
    #[track_caller]
    fn check(pod: &str, expected: [&str; 3]) {
        let arena = Arena::new();
        let object = parse_str(&arena, pod).expect("JSON");
        let row = Row {
            arena: &arena,
            object,
            now: 60_000_000_000,
            release: Release::NEWEST,
        };
        let cells = cells(&row);
        let shown: Vec<&str> = cells[1..4].iter().filter_map(|cell| cell.as_str()).collect();
        assert_eq!(shown, expected, "{pod}");
    }

    fn pod(status: &str) -> String {
        format!(
            r#"{{"spec":{{"containers":[{{"name":"a"}},{{"name":"b"}}],"initContainers":[{{"name":"i"}},{{"name":"s","restartPolicy":"Always"}}]}},"status":{{{status}}}}}"#
        )
    }

    #[test]
    fn pods_that_ended_are_marked() {
        let reason = |status: &str| {
            let arena = Arena::new();
            let text = pod(status);
            completion(parse_str(&arena, &text).expect("JSON")).map(|(reason, _)| reason)
        };
        assert_eq!(reason(r#""phase":"Running""#), None);
        assert_eq!(reason(r#""phase":"Succeeded""#), Some("Succeeded"));
        assert_eq!(reason(r#""phase":"Failed""#), Some("Failed"));
    }

    #[test]
    fn pods_are_shown_by_what_their_containers_do() {
        check(&pod(r#""phase":"Pending""#), ["0/3", "Pending", "0"]);
        check(
            &pod(r#""phase":"Pending","conditions":[{"type":"PodScheduled","reason":"SchedulingGated"}]"#),
            ["0/3", "SchedulingGated", "0"],
        );
        check(
            &pod(r#""phase":"Pending","initContainerStatuses":[{"name":"i","state":{"running":{}}}]"#),
            ["0/3", "Init:0/2", "0"],
        );
        check(
            &pod(
                r#""phase":"Pending","initContainerStatuses":[{"name":"i","restartCount":2,"state":{"terminated":{"exitCode":3}}}]"#,
            ),
            ["0/3", "Init:ExitCode:3", "2"],
        );
        let running = r#"{"ready":true,"state":{"running":{}}}"#;
        let done = r#"{"name":"i","state":{"terminated":{"exitCode":0}}}"#;
        let beside = r#"{"name":"s","started":true,"ready":true,"restartCount":1,"state":{"running":{}}}"#;
        check(
            &pod(&format!(
                r#""phase":"Running","initContainerStatuses":[{done},{beside}],"containerStatuses":[{running},{running}]"#
            )),
            ["3/3", "Running", "1"],
        );
        check(
            &pod(&format!(
                r#""phase":"Running","containerStatuses":[{running},{{"restartCount":4,"lastState":{{"terminated":{{"finishedAt":"1970-01-01T00:00:30Z"}}}},"state":{{"waiting":{{"reason":"CrashLoopBackOff"}}}}}}]"#
            )),
            ["1/3", "CrashLoopBackOff", "4 (30s ago)"],
        );
        let completed = r#"{"state":{"terminated":{"reason":"Completed","exitCode":0}}}"#;
        check(
            &pod(&format!(
                r#""phase":"Running","containerStatuses":[{completed},{running}]"#
            )),
            ["1/3", "NotReady", "0"],
        );
        check(
            &pod(r#""phase":"Running""#).replacen(
                '{',
                r#"{"metadata":{"deletionTimestamp":"1970-01-01T00:00:00Z"},"#,
                1,
            ),
            ["0/3", "Terminating", "0"],
        );
    }
}
