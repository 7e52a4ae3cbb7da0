//! Replays recordings with webhooks: compares the responses, and the calls that the webhooks received.
//!
//! `ADMISSION_SCENARIO=admission-deny cargo test -p kindsmith-cli --test it serve::hooked` runs the scenarios whose name
//! starts so.

use std::time::Duration;

use kindsmith_conformance::warning_text;
use serde_json::{Value, json};

use super::client::Client;
use super::conversion;
use super::hooks::Hooks;
use super::recorded::{Named, Older, Recorded, play};
use super::running::{Running, TOKEN};
use super::tidy::{Tidy, blurred, comparable};

/// How many scenarios are replayed at once; some wait for webhooks that are slow on purpose.
const AT_ONCE: usize = 6;

const RECORDED: Recorded = Recorded {
    folder: "admission",
    variable: "ADMISSION_SCENARIO",
    replay,
};

#[test]
fn recorded_webhooks() {
    RECORDED.check();
}

#[test]
fn recorded_webhooks_of_older_releases() {
    RECORDED.check_older();
}

fn replay(arguments: &[&str], scenarios: Named, older: &Older) -> Named {
    // Starting a server takes longer than most scenarios; each has names of its own and removes its webhooks.
    let player = || None;
    play(arguments, scenarios, AT_ONCE, player, |server, name, text| {
        let server = server.get_or_insert_with(|| Running::start(arguments));
        let mut scenario: Value = serde_json::from_str(text).expect("a scenario is JSON");
        for (index, line) in older.get(name).into_iter().flatten() {
            let mut answer: Value = serde_json::from_str(line).expect("an answer is JSON");
            let step = &mut scenario["steps"][*index];
            step["response"] = answer["response"].take();
            step["calls"] = match answer["calls"].take() {
                Value::Null => json!([]),
                calls => calls,
            };
        }
        Player::new(server).play(name, &scenario)
    })
}

/// Replays one scenario with its own webhooks.
struct Player {
    client: Client,
    hooks: Hooks,
    saved: Vec<(String, String)>,
    tidy: Tidy,
}

impl Player {
    fn new(server: &Running) -> Self {
        Player {
            client: server.client(),
            hooks: Hooks::start(),
            saved: Vec::new(),
            tidy: Tidy::default(),
        }
    }

    /// Returns how many steps were compared, and those that differ.
    fn play(mut self, name: &str, scenario: &Value) -> (usize, Vec<(String, String)>) {
        self.hooks.load(scenario.get("hooks"));
        let (mut count, mut differing) = (0, Vec::new());
        for (index, step) in scenario["steps"].as_array().into_iter().flatten().enumerate() {
            self.hooks.load(step.get("hooks"));
            self.tidy.learn(&self.hooks);
            self.hooks.take_calls();
            let (status, body, warnings) = self.send_until_done(step);
            for (name, path) in step["save"].as_object().into_iter().flatten() {
                let path = path.as_str().unwrap_or_default().replace('.', "/");
                let value = body.pointer(&format!("/{path}")).cloned().unwrap_or_default();
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                self.saved.push((name.clone(), value));
            }
            if step["ignore"] != "calls" {
                let mut recorded = step["calls"].as_array().into_iter().flatten();
                self.hooks
                    .settle(status == 201 && recorded.any(conversion::is_one));
            }
            if step["ignore"] == true {
                continue;
            }
            count += 1;
            let calls = self.hooks.take_calls();
            self.tidy.learn_names(&body);
            calls.iter().for_each(|call| self.tidy.learn_names(call));
            let mut answer = json!({"status": status, "body": self.tidy.normal(&body)});
            if !warnings.is_empty() {
                answer["warnings"] = warnings.iter().map(|text| self.tidy.text(text)).collect();
            }
            let calls: Vec<Value> = calls.iter().map(|call| self.tidy.normal(call)).collect();
            if let Some(difference) = difference(step, &answer, self.ordered(calls)) {
                differing.push((
                    format!("{name}/{index}"),
                    format!("({}) {difference}", step["name"]),
                ));
            }
        }
        (count, differing)
    }

    /// Sends a step, repeatedly if it waits for something.
    fn send_until_done(&mut self, step: &Value) -> (u16, Value, Vec<String>) {
        let is_expected = step["response"]["status"]
            .as_u64()
            .is_some_and(|status| status < 400);
        let tries = if is_expected {
            step["retry"].as_u64().unwrap_or(1)
        } else {
            1
        };
        for _ in 1..tries {
            let answer = self.send(step);
            if answer.0 < 400 {
                return answer;
            }
            self.hooks.take_calls();
            std::thread::sleep(Duration::from_millis(200));
        }
        self.send(step)
    }

    fn send(&mut self, step: &Value) -> (u16, Value, Vec<String>) {
        let body = step.get("body");
        let body = body.map(|body| body.as_str().map_or_else(|| body.to_string(), str::to_owned));
        let (path, body) = (
            self.filled(step["path"].as_str().unwrap_or_default()),
            body.map(|body| self.filled(&body)),
        );
        let authorization = format!("Bearer {TOKEN}");
        let mut headers = vec![
            ("Authorization", authorization.as_str()),
            ("Accept", step["accept"].as_str().unwrap_or("application/json")),
            ("User-Agent", "conformance/1"),
        ];
        if body.is_some() {
            headers.push((
                "Content-Type",
                step["type"].as_str().unwrap_or("application/json"),
            ));
        }
        for (name, value) in step["headers"].as_object().into_iter().flatten() {
            headers.push((name, value.as_str().unwrap_or_default()));
        }
        let method = step["method"].as_str().unwrap_or_default();
        let reply = self
            .client
            .send(method, &path, &headers, body.unwrap_or_default().as_bytes());
        let warnings = reply.headers.iter().filter(|(name, _)| name == "warning");
        let warnings = warnings.filter_map(|(_, value)| warning_text(value)).collect();
        let text = reply.text();
        let parsed = if path.contains("watch=") && reply.status == 200 {
            events(&text)
        } else {
            serde_json::from_str(&text).unwrap_or(Value::String(text))
        };
        (reply.status, parsed, warnings)
    }

    /// A text with this run's addresses, certificates and saved values.
    fn filled(&self, text: &str) -> String {
        let mut text = text
            .replace("{{caBundle}}", &self.hooks.bundle)
            .replace("{{otherCABundle}}", &self.hooks.other)
            .replace("{{hookBase}}", &self.hooks.base);
        for name in self.hooks.names() {
            text = text.replace(
                &format!("{{{{hook:{name}}}}}"),
                &format!("{}/{name}", self.hooks.base),
            );
        }
        for (name, value) in &self.saved {
            text = text.replace(&format!("{{{{{name}}}}}"), value);
        }
        text
    }

    /// Calls in recorded order: neighbors that run at the same time are sorted.
    fn ordered(&self, calls: Vec<Value>) -> Vec<Value> {
        let is_validating = |call: &Value| {
            self.hooks
                .is_validating(call["hook"].as_str().unwrap_or_default())
        };
        let mut ordered: Vec<Value> = Vec::new();
        let mut start = 0;
        for call in calls {
            if !is_validating(&call) {
                start = ordered.len() + 1;
            }
            ordered.push(call);
            if start < ordered.len() {
                ordered[start..].sort_by_key(|call| (call["hook"].to_string(), call.to_string()));
            }
        }
        ordered
    }
}

/// The events of a watch.
fn events(text: &str) -> Value {
    let lines = text.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| serde_json::from_str::<Value>(line).unwrap_or_else(|_| line.into()))
        .collect()
}

/// How an answer and its calls differ from the recorded ones.
fn difference(step: &Value, answer: &Value, calls: Vec<Value>) -> Option<String> {
    let mut found = Vec::new();
    let (mine, theirs) = if step["ignore"] == "body" {
        (answer["status"].clone(), step["response"]["status"].clone())
    } else {
        (
            blurred(&comparable(answer)),
            blurred(&comparable(&step["response"])),
        )
    };
    if mine != theirs && !conversion::is_same_failure(&mine, &theirs) {
        found.push(format!("answered {mine}\n  recorded {theirs}"));
    }
    if step["ignore"] == "calls" {
        return (!found.is_empty()).then(|| found.join("\n"));
    }
    let headers = step["headers"].as_object();
    let has_uid = headers.is_some_and(|headers| {
        headers
            .keys()
            .any(|key| key.eq_ignore_ascii_case("impersonate-uid"))
    });
    let recorded = step["calls"].as_array().cloned().unwrap_or_default();
    let (converting, calls) = conversion::split(calls);
    let (wanted, recorded) = conversion::split(recorded);
    found.extend(conversion::difference(step, &converting, &wanted));
    let bare = |mut call: Value| {
        // The UID of the administrator's token differs between servers.
        if let Some(user) = call
            .pointer_mut("/review/request/userInfo")
            .and_then(Value::as_object_mut)
            && !has_uid
        {
            user.remove("uid");
        }
        call
    };
    let (mine, theirs): (Vec<Value>, Vec<Value>) = (
        calls.into_iter().map(bare).collect(),
        recorded.into_iter().map(bare).collect(),
    );
    if mine != theirs {
        let show = |calls: &[Value]| {
            calls
                .iter()
                .map(Value::to_string)
                .collect::<Vec<_>>()
                .join("\n    ")
        };
        found.push(format!(
            "asked\n    {}\n  recorded\n    {}",
            show(&mine),
            show(&theirs)
        ));
    }
    (!found.is_empty()).then(|| found.join("\n"))
}
