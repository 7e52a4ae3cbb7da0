//! A server that serves the kinds as `serve --types` does.

use kindsmith::apply::DryRun;
use kindsmith::local_api::{self, ask};
use kindsmith_api::Api;
use kindsmith_builtin::Settings;
use kindsmith_checks::Profile;
use kindsmith_schema::Schema;
use kindsmith_server::{Gates, System};
use serde_json::Value as Json;

use super::engine::{Answer, spec, switches};

pub(crate) struct Served(DryRun);

impl Served {
    pub(crate) fn new(schema: &Schema, profile: Profile) -> Self {
        let mut options = local_api::options(&Gates::default());
        let settings = Settings {
            profile,
            options: switches(),
            ..Settings::default()
        };
        local_api::add_kinds(&mut options, schema.clone(), &settings).expect("there are kinds");
        Self(DryRun::new(options, Box::new(System)).expect("a store in memory"))
    }

    pub(crate) fn ask(&self, method: &str, path: &str, body: &str) -> Answer {
        answer(self.0.api(), method, path, body)
    }
}

/// A server's answer to a write.
pub(crate) fn answer(api: &Api, method: &str, path: &str, body: &str) -> Answer {
    let answer = ask(api, method, path, body);
    if answer.status < 300 {
        return Answer::Accepted(spec(&answer.body));
    }
    let status: Json = serde_json::from_str(&answer.body).expect("a Status");
    let text = |cause: &Json, key: &str| cause[key].as_str().unwrap_or_default().to_owned();
    let causes = status["details"]["causes"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    assert!(
        answer.status == 422 && !causes.is_empty(),
        "{method} {path} {body}: {status}"
    );
    let errors = causes
        .iter()
        .map(|cause| format!("{}: {}", text(cause, "field"), text(cause, "message")));
    Answer::refused(errors.collect())
}
