//! A server with the CRDs that are generated for the kinds.

use kindsmith::apply::DryRun;
use kindsmith::local_api;
use kindsmith_checks::Profile;
use kindsmith_generate::controller_gen::{self, Options, Tags};
use kindsmith_server::{Gates, System};
use serde_json::Value as Json;

use super::SWITCHES;
use super::differences::entries;
use super::engine::Answer;
use super::kinds::Kinds;
use super::served::answer;

/// Rules that a CRD cannot express: a part of the message, and why.
const UNSAID: &str = include_str!("unsaid.txt");

/// A server accepts no CRD with a default that the field's own rules refuse.
const INVALID_DEFAULT: &str = "].default";

/// A CRD's schema ends at the second visit of a type, and a server accepts no schema without a type.
const RECURSIVE: &str = "must not be empty for specified";

pub(crate) struct Published {
    server: DryRun,
    /// Whether the server accepts the CRD of a kind.
    is_defined: Vec<bool>,
    /// Whether the CRD of a kind enforces all of its rules.
    says_all: Vec<bool>,
}

impl Published {
    pub(crate) fn new(kinds: &Kinds, profile: Profile) -> Self {
        let switches = SWITCHES.iter().map(|(name, on)| ((*name).to_owned(), *on));
        let options = Options {
            tags: Tags::All,
            switches: switches.collect(),
            profile,
            ..Options::default()
        };
        let server =
            DryRun::new(local_api::options(&Gates::default()), Box::new(System)).expect("a store in memory");
        let generated = controller_gen::definitions(&kinds.read.schema, &options);
        assert_eq!(generated.problems, [], "all is published");
        // In the order of the kinds.
        let is_defined = |index: usize| {
            let kind = kinds.name(index);
            let mut definitions = generated.definitions.iter();
            let definition = definitions.find(|one| *one.model.spec.names.kind == *kind);
            let definition = definition.expect("every kind has a CRD");
            if kinds.types[index].is_recursive() {
                let refused = local_api::define(server.api(), &definition.text);
                let error = refused.expect_err("no structural schema is recursive");
                assert!(
                    error.to_string().contains(RECURSIVE),
                    "{error}: {}",
                    definition.text
                );
                return false;
            }
            match local_api::define(server.api(), &definition.text) {
                Ok(()) => true,
                Err(error) if error.to_string().contains(INVALID_DEFAULT) => false,
                Err(error) => panic!("{error}: {}", definition.text),
            }
        };
        let is_defined: Vec<bool> = (0..kinds.types.len()).map(is_defined).collect();
        let says_all = kinds.ids().map(|id| {
            let (_, generated) = controller_gen::schema_of(&kinds.read.schema, id, &options);
            for problem in &generated.unenforced {
                let is_listed = entries(UNSAID).any(|rule| problem.message.contains(rule));
                assert!(
                    is_listed,
                    "not in unsaid.txt: {} {:?}",
                    problem.message, problem.place
                );
            }
            generated.unenforced.is_empty()
        });
        Self {
            says_all: says_all.collect(),
            is_defined,
            server,
        }
    }

    pub(crate) fn is_defined(&self, index: usize) -> bool {
        self.is_defined[index]
    }

    pub(crate) fn says_all(&self, index: usize) -> bool {
        self.says_all[index]
    }

    pub(crate) fn ask(&self, method: &str, path: &str, body: &str) -> Answer {
        let mut body: Json = serde_json::from_str(body).expect("JSON");
        if method == "PUT" {
            let stored = local_api::ask(self.server.api(), "GET", path, "");
            let stored: Json = serde_json::from_str(&stored.body).expect("JSON");
            body["metadata"]["resourceVersion"] = stored["metadata"]["resourceVersion"].clone();
        }
        answer(self.server.api(), method, path, &body.to_string())
    }
}
