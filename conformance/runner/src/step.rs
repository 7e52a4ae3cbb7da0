//! Recorded scenarios: files of steps, each a request with Kubernetes' response.

use kindsmith_json::read::{BigIntegers, Options};
use kindsmith_json::{Arena, Value};

use crate::files::{conformance, text};

/// A recorded scenario.
#[derive(Debug, Clone, Copy)]
pub struct Scenario<'a>(Value<'a>);

impl<'a> Scenario<'a> {
    /// Reads the scenario of this name.
    ///
    /// # Panics
    ///
    /// If there is no such scenario.
    #[must_use]
    pub fn read(arena: &'a Arena, name: &str) -> Self {
        let text = text(&conformance("api").join(format!("{name}.json")));
        // Integers are sent as recorded.
        let options = Options::default().big_integers(BigIntegers::Exact);
        let read = kindsmith_json::read::read(arena, arena.alloc_str(&text).as_bytes(), options);
        Scenario(read.expect("a scenario is JSON").value)
    }

    /// Its steps, in order.
    pub fn steps(self) -> impl Iterator<Item = Step<'a>> {
        let steps = self.0.get("steps").and_then(Value::as_array);
        steps.unwrap_or_default().iter().copied().map(Step)
    }
}

/// One request with its recorded response.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a>(Value<'a>);

impl<'a> Step<'a> {
    fn field(self, key: &str) -> &'a str {
        self.0.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    /// The same with the `response` of a line.
    pub(crate) fn answered(self, arena: &'a Arena, line: &str) -> Self {
        let options = Options::default().big_integers(BigIntegers::Exact);
        let read = kindsmith_json::read::read(arena, arena.alloc_str(line).as_bytes(), options);
        let answer = read.expect("an answer is JSON").value.get("response");
        let mut step = self.0;
        step.set(arena, &["response"], answer.unwrap_or_default());
        Step(step)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'a str {
        self.field("name")
    }

    /// The method.
    #[must_use]
    pub fn method(self) -> &'a str {
        self.field("method")
    }

    /// Path and query.
    #[must_use]
    pub fn path(self) -> &'a str {
        self.field("path")
    }

    /// The content type of the body; `None` without a body.
    #[must_use]
    pub fn media(self) -> Option<&'a str> {
        match self.0.get("type") {
            Some(media) => media.as_str(),
            None => self.0.get("body").map(|_| "application/json"),
        }
    }

    /// The `Accept` header; anything if it is absent.
    #[must_use]
    pub fn accept(self) -> &'a str {
        self.field("accept")
    }

    /// More headers.
    #[must_use]
    pub fn headers(self) -> Vec<(&'a str, &'a str)> {
        let headers = self.0.get("headers").and_then(Value::as_object);
        let headers = headers.unwrap_or_default();
        headers
            .iter()
            .map(|(name, value)| (name, value.as_str().unwrap_or_default()))
            .collect()
    }

    /// Whether Kubernetes' response is not stable.
    #[must_use]
    pub fn is_ignored(self) -> bool {
        self.0.get("ignore") == Some(Value::Bool(true))
    }

    /// Whether the step only let time pass: it was repeated without effect.
    #[must_use]
    pub fn lets_time_pass(self) -> bool {
        self.0.get("retry").is_some() && self.method() == "GET" && self.status() >= 400
    }

    /// The body as sent.
    #[must_use]
    pub fn body(self) -> Option<String> {
        self.0.get("body").map(|body| match body {
            Value::Str(text) => text.to_owned(),
            other => sent(other),
        })
    }

    /// Values of the response that later steps use: a name and a dotted path each.
    #[must_use]
    pub fn saves(self) -> Vec<(&'a str, Vec<&'a str>)> {
        let saves = self.0.get("save").and_then(Value::as_object).unwrap_or_default();
        let path = |path: Value<'a>| path.as_str().unwrap_or_default().split('.').collect();
        saves.iter().map(|(name, at)| (name, path(at))).collect()
    }

    /// The recorded status.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[must_use]
    pub fn status(self) -> i64 {
        let status = self.0.lookup(&["response", "status"]).and_then(Value::as_i64);
        status.expect("every step has a status")
    }

    /// The recorded body: JSON as a value, anything else as a string.
    #[must_use]
    pub fn answer(self) -> Value<'a> {
        self.0.lookup(&["response", "body"]).unwrap_or_default()
    }

    /// The recorded warnings.
    #[must_use]
    pub fn warnings(self) -> Vec<&'a str> {
        let warnings = self.0.lookup(&["response", "warnings"]).and_then(Value::as_array);
        let warnings = warnings.unwrap_or_default().iter();
        warnings.filter_map(|text| text.as_str()).collect()
    }
}

/// JSON with a space after colons and commas, as bodies were sent.
fn sent(value: Value<'_>) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().copied().map(sent).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(object) => {
            let members = object.iter();
            let members: Vec<String> = members
                .map(|(key, value)| format!("{}: {}", kindsmith_json::to_string(key.into()), sent(value)))
                .collect();
            format!("{{{}}}", members.join(", "))
        }
        // A float keeps its point, or it would arrive as an integer.
        Value::Float(number) => format!("{number:?}"),
        scalar => kindsmith_json::to_string(scalar),
    }
}
