//! The engine's answers, which the others are compared with.

use kindsmith_checks::Profile;
use kindsmith_engine::{Change, CompileOptions, OptionSet, Plan};
use kindsmith_json::{Arena, Value, parse_str, to_string};
use kindsmith_object::FieldError;
use kindsmith_schema::{Schema, TypeId};
use serde_json::{Value as Json, json};

use super::SWITCHES;

/// What became of a write.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    /// The stored spec.
    Accepted(Json),
    /// Errors with their fields, sorted.
    Refused(Vec<String>),
}

impl Answer {
    pub(crate) fn is_accepted(&self) -> bool {
        matches!(self, Self::Accepted(_))
    }

    pub(crate) fn text(&self) -> String {
        match self {
            Self::Accepted(spec) => spec.to_string(),
            Self::Refused(errors) => errors.join("; "),
        }
    }

    pub(crate) fn refused(mut errors: Vec<String>) -> Self {
        errors.sort();
        Self::Refused(errors)
    }
}

pub(crate) fn switches() -> OptionSet {
    let mut options = OptionSet::default();
    SWITCHES.iter().for_each(|(name, on)| options.set(*name, *on));
    options
}

pub(crate) struct Engine {
    plan: Plan,
    options: OptionSet,
}

impl Engine {
    pub(crate) fn new(schema: &Schema, id: TypeId, profile: Profile) -> Self {
        let options = CompileOptions {
            profile,
            ..CompileOptions::default()
        };
        Self {
            plan: Plan::compile_with(schema, id, &options),
            options: switches(),
        }
    }

    /// An object as it is checked.
    fn filled<'a>(&'a self, arena: &'a Arena, object: &str) -> Value<'a> {
        let value = parse_str(arena, arena.alloc_str(object)).expect("JSON");
        let filled = self.plan.default(arena, self.plan.decoded(arena, value));
        self.plan.decoded(arena, filled)
    }

    fn errors(&self, new: Value<'_>, old: Option<Value<'_>>) -> Vec<FieldError> {
        let mut change = match old {
            Some(old) => Change::update(new, old),
            None => Change::create(new),
        };
        change.options = Some(&self.options);
        let mut errors = self.plan.validate(&change);
        errors.retain(|error| error.is_enforced(true));
        errors
    }

    pub(crate) fn answer(&self, new: &str, old: Option<&str>) -> Answer {
        let arena = Arena::new();
        let new = self.filled(&arena, new);
        let errors = self.errors(new, old.map(|old| self.filled(&arena, old)));
        if errors.is_empty() {
            Answer::Accepted(spec(&to_string(self.plan.encoded(&arena, new))))
        } else {
            Answer::refused(errors.iter().map(ToString::to_string).collect())
        }
    }

    /// The same answer, with an accepted object as Go's encoder writes it.
    pub(crate) fn answer_in_go(&self, new: &str, old: Option<&str>) -> Answer {
        match self.answer(new, old) {
            Answer::Accepted(stored) => {
                let arena = Arena::new();
                let object = json!({ "spec": stored }).to_string();
                let object = parse_str(&arena, &object).expect("JSON");
                Answer::Accepted(spec(&self.plan.encode(object)))
            }
            refused @ Answer::Refused(_) => refused,
        }
    }

    /// The two objects as Go's encoder writes them.
    pub(crate) fn as_sent_by_go(&self, new: &str, old: &str) -> [String; 2] {
        [new, old].map(|object| {
            let arena = Arena::new();
            self.plan.encode(parse_str(&arena, object).expect("JSON"))
        })
    }
}

/// The spec of an object.
pub(crate) fn spec(object: &str) -> Json {
    let object: Json = serde_json::from_str(object).expect("JSON");
    object.get("spec").cloned().unwrap_or(json!(null))
}
