//! Errors of a CRD that the server tells only after others are fixed: it looks at defaults once a schema is structural, and
//! at rules once its defaults are right. What an error is about is put right here, and the CRD is validated again.

use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::{Arena, Value};
use kindsmith_object::Release;

use super::refusals;
use crate::review::Rejection;
use crate::value_edit::replaced;

/// How often a CRD is validated again.
const ROUNDS: usize = 4;

/// The errors that the server would tell after these.
pub(super) fn later<'a>(
    release: Release,
    arena: &'a Arena,
    object: Value<'a>,
    told: &[Rejection],
) -> Vec<Rejection> {
    let mut repair = Repair {
        arena,
        object,
        places: Vec::new(),
        is_guessed: false,
    };
    let (mut later, mut news) = (Vec::<Rejection>::new(), told.to_vec());
    for _ in 0..ROUNDS {
        let before = repair.places.len();
        news.iter().for_each(|error| repair.fix(error));
        if repair.places.len() == before {
            break;
        }
        news = refusals(release, repair.object);
        news.retain(|error| {
            let mut known = told.iter().chain(&later);
            !known.any(|known| known.message == error.message) && repair.leaves(error)
        });
        later.extend(news.iter().cloned());
    }
    later
}

/// A CRD whose errors are put right.
struct Repair<'a> {
    arena: &'a Arena,
    object: Value<'a>,
    /// What was changed.
    places: Vec<PathBuf>,
    /// Whether a type had to be made up.
    is_guessed: bool,
}

impl<'a> Repair<'a> {
    /// Removes what an error is about, or adds the type that is missing.
    fn fix(&mut self, error: &Rejection) {
        let steps = error.path.steps();
        let Some((Step::Field(last), node)) = steps.split_last() else {
            return;
        };
        let is_in = |name: &str| steps.iter().any(|step| is_field(step, name));
        let Some(schema) = node.iter().try_fold(self.object, Value::step) else {
            return;
        };
        // Rules come last.
        if !is_in("openAPIV3Schema") || is_in("x-kubernetes-validations") {
            return;
        }
        if **last == *"type" && schema.get("type").is_none() {
            let (key, value) = missing_type(schema);
            self.is_guessed = true;
            self.replace(node, key, Some(value));
        } else if schema.get(last).is_some() {
            let key = last.clone();
            self.replace(node, &key, None);
        }
    }

    fn replace(&mut self, node: &[Step], key: &str, value: Option<Value<'a>>) {
        let place: PathBuf = node.iter().cloned().chain([Step::Field(key.into())]).collect();
        self.object = replaced(self.arena, self.object, place.steps(), value);
        self.places.push(node.iter().cloned().collect());
    }

    /// Whether an error does not come from what was changed.
    fn leaves(&self, error: &Rejection) -> bool {
        let is_cost = self.is_guessed && error.is_about_cost();
        let is_rule = error
            .path
            .steps()
            .iter()
            .any(|step| is_field(step, "x-kubernetes-validations"));
        let mut places = self.places.iter();
        let is_own = places.any(|place| error.path.steps().starts_with(place.steps()));
        !is_cost && (is_rule || !is_own)
    }
}

fn is_field(step: &Step, name: &str) -> bool {
    matches!(step, Step::Field(field) if **field == *name)
}

/// The type that a schema without one probably has: rules take a value that may be an integer or a string for anything.
fn missing_type(schema: Value<'_>) -> (&'static str, Value<'_>) {
    let has = |key: &str| schema.get(key).is_some();
    if has("properties") || has("additionalProperties") {
        ("type", "object".into())
    } else if has("items") {
        ("type", "array".into())
    } else {
        ("x-kubernetes-int-or-string", true.into())
    }
}
