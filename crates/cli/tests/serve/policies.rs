//! Recordings with admission policies: the answers over HTTP.
//!
//! `POLICY_SCENARIO=vap-basic cargo test -p kindsmith-cli --test it serve::policies` runs the scenarios that start so.

use std::collections::BTreeMap;

use kindsmith_conformance::warning_text;
use serde_json::{Value, json};

use super::client::Client;
use super::recorded::{Named, Older, Recorded, play};
use super::running::{Running, TOKEN};
use super::tidy::{Tidy, comparable};

/// How many scenarios are replayed at once; each has a namespace of its own.
const AT_ONCE: usize = 2;
/// How often a step is sent that waits for a policy: one that is written is in force.
const TRIES: usize = 2;

const RECORDED: Recorded = Recorded {
    folder: "policy",
    variable: "POLICY_SCENARIO",
    replay,
};

#[test]
fn recorded_policies() {
    RECORDED.check();
}

#[test]
fn recorded_policies_of_older_releases() {
    RECORDED.check_older();
}

fn replay(arguments: &[&str], scenarios: Named, older: &Older) -> Named {
    let server = Running::start(arguments);
    let player = || Player {
        client: server.client(),
        saved: Vec::new(),
    };
    play(arguments, scenarios, AT_ONCE, player, |player, name, text| {
        player.play(name, text, older.get(name))
    })
}

/// Plays scenarios over one connection.
struct Player {
    client: Client,
    saved: Vec<(String, String)>,
}

impl Player {
    /// How many steps were compared, and those that differ.
    fn play(
        &mut self,
        name: &str,
        text: &str,
        older: Option<&BTreeMap<usize, String>>,
    ) -> (usize, Vec<(String, String)>) {
        let mut scenario: Value = serde_json::from_str(text).expect("a scenario is JSON");
        for (index, line) in older.into_iter().flatten() {
            let mut answer: Value = serde_json::from_str(line).expect("an answer is JSON");
            let step = &mut scenario["steps"][*index];
            step["response"] = answer["response"].take();
            step["alternatives"] = Value::Null;
        }
        let bodies = bodies(text);
        self.saved.clear();
        let (mut count, mut differing) = (0, Vec::new());
        for (index, step) in scenario["steps"].as_array().into_iter().flatten().enumerate() {
            let (raw, answer) = self.send_until_done(step, bodies[index].as_deref());
            for (name, path) in step["save"].as_object().into_iter().flatten() {
                let path = path.as_str().unwrap_or_default().replace('.', "/");
                let value = raw.pointer(&format!("/{path}")).cloned();
                let value = value.unwrap_or_default();
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                self.saved.push((name.clone(), value));
            }
            if step["ignore"] == true {
                continue;
            }
            count += 1;
            let alternatives = step["alternatives"].as_array().into_iter().flatten();
            let mut recorded = std::iter::once(&step["response"]).chain(alternatives);
            let mine = parts(step, &answer);
            if !recorded.any(|recorded| parts(step, recorded) == mine) {
                let theirs = parts(step, &step["response"]);
                let text = format!("({}) answered {mine}\n  recorded {theirs}", step["name"]);
                differing.push((format!("{name}/{index}"), text));
            }
        }
        (count, differing)
    }

    /// Sends a step; one that waits for something is sent again.
    fn send_until_done(&mut self, step: &Value, body: Option<&str>) -> (Value, Value) {
        let mut answer = self.send(step, body);
        for _ in 1..TRIES {
            if is_reached(step, &answer.1) {
                break;
            }
            answer = self.send(step, body);
        }
        answer
    }

    /// The body that was answered, and the answer as recordings have it.
    fn send(&mut self, step: &Value, body: Option<&str>) -> (Value, Value) {
        let filled = |text: &str| {
            let mut text = text.to_owned();
            for (name, value) in &self.saved {
                text = text.replace(&format!("{{{{{name}}}}}"), value);
            }
            text
        };
        let body = body.map(filled);
        let path = filled(step["path"].as_str().unwrap_or_default());
        let authorization = format!("Bearer {TOKEN}");
        let mut headers = vec![
            ("Authorization", authorization.as_str()),
            ("Accept", step["accept"].as_str().unwrap_or("application/json")),
            ("User-Agent", "conformance/1"),
        ];
        if body.is_some() {
            let media = step["type"].as_str().unwrap_or("application/json");
            headers.push(("Content-Type", media));
        }
        for (name, value) in step["headers"].as_object().into_iter().flatten() {
            headers.push((name, value.as_str().unwrap_or_default()));
        }
        let method = step["method"].as_str().unwrap_or_default();
        let reply = self
            .client
            .send(method, &path, &headers, body.unwrap_or_default().as_bytes());
        let warnings = reply.headers.iter().filter(|(name, _)| name == "warning");
        let warnings: Vec<String> = warnings.filter_map(|(_, value)| warning_text(value)).collect();
        let text = reply.text();
        let parsed = serde_json::from_str(&text).unwrap_or(Value::String(text));
        let mut answer = json!({"status": reply.status, "body": Tidy::default().normal(&parsed)});
        if !warnings.is_empty() {
            answer["warnings"] = warnings.into();
        }
        (parsed, answer)
    }
}

/// The bodies of all steps, with their keys in the recorded order.
fn bodies(text: &str) -> Vec<Option<String>> {
    let arena = kindsmith_json::Arena::new();
    let scenario = kindsmith_json::parse_str(&arena, text).expect("a scenario is JSON");
    let steps = scenario.get("steps").and_then(kindsmith_json::Value::as_array);
    let body = |step: &kindsmith_json::Value<'_>| match step.get("body")? {
        kindsmith_json::Value::Null => None,
        kindsmith_json::Value::Str(text) => Some(text.to_owned()),
        body => Some(kindsmith_json::to_string(body)),
    };
    steps.unwrap_or_default().iter().map(body).collect()
}

/// Whether an answer is the one that a step waits for.
fn is_reached(step: &Value, answer: &Value) -> bool {
    let until = &step["until"];
    let body = answer["body"].to_string();
    let has = |key: &str| {
        until[key]
            .as_str()
            .is_none_or(|text| body.contains(&text.replace("\": ", "\":")))
    };
    let lacks = until["lacks"].as_str().is_none_or(|text| !body.contains(text));
    let status = until
        .get("status")
        .is_none_or(|status| *status == answer["status"]);
    status && has("contains") && lacks
}

/// The parts of an answer that a step compares.
fn parts(step: &Value, answer: &Value) -> Value {
    let mut answer = comparable(answer);
    if let Some(members) = answer.as_object_mut() {
        let kept = step["compare"].as_array();
        members.retain(|key, _| key != "audit" && kept.is_none_or(|kept| kept.contains(&json!(key))));
        if let Some(body) = members.get_mut("body") {
            // Managers of one second are in no fixed order, and only this server masks uids in texts.
            *body = Tidy::default().normal(body);
        }
        if let Some(warnings) = members.get_mut("warnings").and_then(Value::as_array_mut) {
            warnings
                .iter_mut()
                .for_each(|warning| *warning = as_utf8(warning).into());
        }
    }
    answer
}

/// Recordings read headers byte by byte.
fn as_utf8(warning: &Value) -> String {
    let text = warning.as_str().unwrap_or_default();
    let bytes: Option<Vec<u8>> = text.chars().map(|letter| u8::try_from(letter).ok()).collect();
    let decoded = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    decoded.unwrap_or_else(|| text.to_owned())
}

const POLICY: &str = r#"
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: short.static.k8s.io}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
  validations:
  - expression: size(object.metadata.name) < 4
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: short.static.k8s.io}
spec: {policyName: short.static.k8s.io, validationActions: [Deny]}
"#;

/// A folder with one file, which goes with the test.
struct Folder(std::path::PathBuf);

impl Folder {
    fn with(name: &str, text: &str) -> Self {
        let folder = format!("kindsmith-admission-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        std::fs::create_dir_all(&folder).expect("there is room");
        std::fs::write(folder.join("file.yaml"), text).expect("it can be written");
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn policies_in_files_are_in_force() {
    let folder = Folder::with("policy", POLICY);
    let path = folder.0.display().to_string();
    let server = Running::start(&["--admission", &path]);
    let mut client = server.client();
    let headers = [
        ("Authorization", "Bearer test-token"),
        ("Content-Type", "application/json"),
    ];
    let mut create = |name: &str| {
        let body = json!({"metadata": {"name": name}}).to_string();
        let path = "/api/v1/namespaces/default/configmaps";
        client.send("POST", path, &headers, body.as_bytes())
    };
    assert_eq!(create("abc").status, 201);
    let refused = create("abcd");
    assert_eq!(refused.status, 422);
    let message = "denied request: failed expression: size(object.metadata.name)";
    assert!(refused.text().contains(message), "{}", refused.text());
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let cases = [
        (
            "kind: Secret\nmetadata: {name: a}\n",
            "Secret a is no admission configuration",
        ),
        (
            &POLICY.replace("size(", "length(")[..],
            "undeclared reference to 'length'",
        ),
        (
            &POLICY.replace("policyName: short", "policyName: other")[..],
            "which is in no file",
        ),
    ];
    for (index, (text, expected)) in cases.into_iter().enumerate() {
        let folder = Folder::with(&format!("bad-{index}"), text);
        let path = folder.0.display();
        let run = crate::binary::kindsmith(&format!(
            "serve --store memory --listen 127.0.0.1:0 --admission {path}"
        ));
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
}
