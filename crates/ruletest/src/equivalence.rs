//! Compares two descriptions of one API: objects are made up until the two answer differently or the budget is used up.
//! The object that is reported is the smallest one found. The same seed gives the same result.

use serde_json::{Map, Value as Json, json};

use crate::explore::{Answer, Kind};
use crate::sample::{Random, candidates};

/// Changes that are made to one object at most.
const MAX_CHANGES: usize = 4;
/// Steps toward a smaller object: large numbers would take very many.
const MAX_SHRINKS: usize = 300;

/// How much to try.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// The number of objects.
    pub objects: u64,
    /// The seed.
    pub seed: u64,
}

/// The result of a comparison.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// How many objects were tried.
    pub tried: u64,
    /// The smallest object on which the two differ.
    pub difference: Option<Difference>,
}

/// Two answers to one write.
#[derive(Debug, Clone)]
pub struct Difference {
    /// The object before an update; `None` on create.
    pub old: Option<Json>,
    /// The object.
    pub object: Json,
    /// The first answer.
    pub left: Answer,
    /// The second answer.
    pub right: Answer,
}

/// Compares two kinds. Objects get each kind's own `apiVersion` and `kind` and a fixed name; fields are
/// the same by name.
#[must_use]
pub fn compare(left: &Kind<'_>, right: &Kind<'_>, budget: Budget) -> Comparison {
    let pair = Pair {
        left,
        right,
        drops_status: left.has_status() || right.has_status(),
    };
    let mut random = Random::new(budget.seed);
    let bases = [left.smallest(), right.smallest()];
    let mut pool: Vec<Json> = bases.to_vec();
    for base in &bases {
        for kind in [left, right] {
            pool.extend(
                candidates(&kind.schema, base)
                    .into_iter()
                    .map(|candidate| candidate.object),
            );
        }
    }
    let mut accepted: Vec<Json> = Vec::new();
    let mut tried = 0;
    while tried < budget.objects {
        // First every object at an edge by itself, then mixtures of them.
        let object = match pool.get(tried as usize) {
            Some(object) => object.clone(),
            None => mixture(&pool, &mut random),
        };
        let old = match random.below(2) {
            0 => None,
            _ => random.choose(&accepted).cloned(),
        };
        tried += 1;
        let found = pair.difference(&object, old.as_ref());
        if let Some(found) = found {
            return Comparison {
                tried,
                difference: Some(pair.shrunk(found)),
            };
        }
        if old.is_none() && accepted.len() < 500 && pair.accepts(&object) {
            accepted.push(object);
        }
    }
    Comparison {
        tried,
        difference: None,
    }
}

/// Parts of several objects put together.
fn mixture(pool: &[Json], random: &mut Random) -> Json {
    let mut object = random.choose(pool).cloned().unwrap_or_default();
    for _ in 0..=random.below(MAX_CHANGES) {
        if let Some(other) = random.choose(pool) {
            mix(&mut object, other, random);
        }
    }
    object
}

fn mix(object: &mut Json, other: &Json, random: &mut Random) {
    match (object, other) {
        (Json::Object(members), Json::Object(others)) => {
            for (key, value) in others {
                match members.get_mut(key) {
                    Some(known) if known.is_object() && value.is_object() => mix(known, value, random),
                    Some(known) if random.below(2) == 0 => known.clone_from(value),
                    None if random.below(3) > 0 => drop(members.insert(key.clone(), value.clone())),
                    _ => {}
                }
            }
        }
        (object, other) => object.clone_from(other),
    }
}

struct Pair<'p, 's> {
    left: &'p Kind<'s>,
    right: &'p Kind<'s>,
    /// Whether a create drops the status on one side; then it is on neither.
    drops_status: bool,
}

impl Pair<'_, '_> {
    fn left(&self, object: &Json, old: Option<&Json>) -> Answer {
        ask(self.left, object, old, self.drops_status)
    }

    fn right(&self, object: &Json, old: Option<&Json>) -> Answer {
        ask(self.right, object, old, self.drops_status)
    }

    fn accepts(&self, object: &Json) -> bool {
        self.left(object, None).errors.is_empty()
    }

    /// Both answers, if they differ: one accepts and one refuses, or they store different objects.
    fn difference(&self, object: &Json, old: Option<&Json>) -> Option<Difference> {
        let (left, right) = (self.left(object, old), self.right(object, old));
        (left.object != right.object).then(|| Difference {
            old: old.cloned(),
            object: object.clone(),
            left,
            right,
        })
    }

    /// The smallest object near a difference that still differs.
    fn shrunk(&self, mut found: Difference) -> Difference {
        if found.old.is_some()
            && let Some(simpler) = self.difference(&found.object, None)
        {
            found = simpler;
        }
        for _ in 0..MAX_SHRINKS {
            let smaller = |whole: &Json| simpler(whole);
            let new = smaller(&found.object)
                .into_iter()
                .map(|object| (found.old.clone(), object));
            let old = found
                .old
                .iter()
                .flat_map(smaller)
                .map(|old| (Some(old), found.object.clone()));
            let steps: Vec<(Option<Json>, Json)> = new.chain(old).collect();
            let next = steps.into_iter().find_map(|(old, object)| {
                // An old object must be one that could have been stored.
                let stored = old.as_ref().is_none_or(|old| {
                    self.left(old, None).errors.is_empty() && self.right(old, None).errors.is_empty()
                });
                stored.then(|| self.difference(&object, old.as_ref())).flatten()
            });
            match next {
                Some(next) => found = next,
                None => break,
            }
        }
        found
    }
}

/// Asks one side, with its own `apiVersion` and `kind` and a fixed name; the stored object comes back without them.
fn ask(kind: &Kind<'_>, object: &Json, old: Option<&Json>, drops_status: bool) -> Answer {
    let own = |object: &Json| {
        let mut object = object.clone();
        if object.is_object() {
            object["apiVersion"] = Json::from(&*kind.api_version);
            object["kind"] = Json::from(&*kind.kind);
            // Types by themselves have no rules for metadata.
            object["metadata"] = json!({"name": "sample"});
            if drops_status && let Some(members) = object.as_object_mut() {
                members.remove("status");
            }
        }
        object
    };
    let mut answer = kind.review(&own(object), old.map(own).as_ref(), &mut |_| ());
    if let Some(Json::Object(members)) = &mut answer.object {
        members.remove("apiVersion");
        members.remove("kind");
        members.remove("metadata");
        // Go writes empty structs where CRDs leave them out.
        without_nothing(members);
    }
    answer
}

/// Drops members that say nothing: null, and objects and lists without content.
fn without_nothing(members: &mut Map<String, Json>) {
    for value in members.values_mut() {
        match value {
            Json::Object(below) => without_nothing(below),
            Json::Array(list) => list
                .iter_mut()
                .filter_map(Json::as_object_mut)
                .for_each(without_nothing),
            _ => {}
        }
    }
    members.retain(|_, value| match value {
        Json::Null => false,
        Json::Object(below) => !below.is_empty(),
        Json::Array(list) => !list.is_empty(),
        _ => true,
    });
}

/// Values with one thing less.
fn simpler(value: &Json) -> Vec<Json> {
    let mut all = Vec::new();
    match value {
        Json::Object(members) => {
            for key in members.keys() {
                let mut less = members.clone();
                less.remove(key);
                all.push(Json::Object(less));
            }
            for (key, below) in members {
                for smaller in simpler(below) {
                    let mut changed = members.clone();
                    changed.insert(key.clone(), smaller);
                    all.push(Json::Object(changed));
                }
            }
        }
        Json::Array(list) => {
            for index in 0..list.len() {
                let mut less = list.clone();
                less.remove(index);
                all.push(Json::Array(less));
            }
            for (index, below) in list.iter().enumerate() {
                for smaller in simpler(below) {
                    let mut changed = list.clone();
                    changed[index] = smaller;
                    all.push(Json::Array(changed));
                }
            }
        }
        Json::String(text) if !text.is_empty() => {
            let half: String = text.chars().take(text.chars().count() / 2).collect();
            let less: String = text.chars().take(text.chars().count() - 1).collect();
            all.extend([half, less].map(Json::from));
        }
        Json::Number(number) => {
            if let Some(number) = number.as_i64().filter(|number| *number != 0) {
                all.extend([number / 2, number - number.signum()].map(Json::from));
            }
        }
        _ => {}
    }
    all
}
