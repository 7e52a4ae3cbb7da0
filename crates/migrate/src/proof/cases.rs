//! Objects to try: for every rule values at its edge in small, full and random objects, created and updated.

mod place;
mod values;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use kindsmith_schema::{Schema, TypeId, TypeRef};
use serde_json::{Map, Value as Json, json};

use super::objects::{Draw, Fill, Maker, Pools, TEXTS};
use super::subjects::Subject;
use crate::validation::{Cond, PathStep, Place, Reading, Rule, Step, Target, flat, targets};
use place::mix;
use values::{Dimension, bare, combinations, maps_of, numbered, with};

pub(super) use place::locations;

/// Longer lists and texts are not made.
const LONGEST: usize = 1_100;
/// Objects of all subjects, which share them by their rules.
const MOST: usize = 48_000;
/// Objects for one rule of a subject: at least and at most.
const SHARE: (usize, usize) = (12, 200);
/// Bytes of all objects of one subject.
const MOST_BYTES: usize = 8 << 20;
/// Bytes that every rule of a subject may use.
const RULE_BYTES: usize = 96 << 10;
/// Objects that are too large before no more are made for a rule.
const MISSES: usize = 3;
/// Full objects above this size are tried with a few values of a rule only.
const SMALL_BASE: usize = 2 << 10;
/// Longer lists have empty items.
const FULL_ITEMS: usize = 40;
/// Combinations of values for one rule.
const COMBINATIONS: usize = 32;
/// Random objects of one subject.
const RANDOM: usize = 60;

/// A write to try.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The subject, by its place in the list.
    pub subject: usize,
    /// The object, in JSON.
    pub new: Arc<str>,
    /// The object before, on update.
    pub old: Option<Arc<str>>,
    /// The gates and options that concern the subject, and whether they are on.
    pub on: BTreeMap<String, bool>,
}

/// The gates and options that rules refer to.
pub(super) fn switches(reading: &Reading) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for rule in &reading.rules {
        for condition in flat(&rule.emit.conditions) {
            if let Cond::Gate(name, _) = condition {
                found.insert(name);
            }
        }
    }
    found
}

/// The writes to try for all subjects.
#[must_use]
pub fn cases(schema: &Schema, reading: &Reading, subjects: &[Subject]) -> Vec<Case> {
    let concerned: Vec<Vec<&Rule>> = subjects
        .iter()
        .map(|subject| {
            let rules = reading.rules.iter();
            rules
                .filter(|rule| rule.tags.is_ok() && subject.reached.contains(&rule.emit.entry))
                .collect()
        })
        .collect();
    let settings: Vec<Settings> = concerned.iter().map(|rules| settings(rules)).collect();
    let pairs = concerned.iter().zip(&settings);
    let pairs: usize = pairs.map(|(rules, settings)| rules.len() * settings.len()).sum();
    let share = (MOST / pairs.max(1)).clamp(SHARE.0, SHARE.1);
    let mut made = Vec::new();
    for (index, subject) in subjects.iter().enumerate() {
        if concerned[index].is_empty() {
            continue;
        }
        let mut writer = Writer {
            subject,
            index,
            maker: Maker {
                schema,
                pools: Pools::new(),
                draw: Draw(7),
            },
            seen: HashSet::new(),
            bytes: 0,
            on: BTreeMap::new(),
            made: Vec::new(),
            limit: Limit::default(),
        };
        let dimensions: Vec<Vec<Dimension>> = concerned[index]
            .iter()
            .map(|rule| writer.dimensions(rule))
            .collect();
        for on in &settings[index] {
            writer.on.clone_from(on);
            for dimensions in &dimensions {
                writer.limit = Limit::new(share, RULE_BYTES);
                writer.rule(dimensions);
            }
            writer.limit = Limit::new(2 * RANDOM, MOST_BYTES);
            writer.random();
        }
        made.append(&mut writer.made);
    }
    made
}

/// Gates and options, and whether they are on.
type Settings = Vec<BTreeMap<String, bool>>;

/// The gates and options of rules: all off, then all on.
fn settings(rules: &[&Rule]) -> Settings {
    let names: BTreeSet<String> = rules.iter().flat_map(|rule| gates_of(rule)).collect();
    let all = |on: bool| names.iter().map(|name| (name.clone(), on)).collect();
    if names.is_empty() {
        vec![BTreeMap::new()]
    } else {
        vec![all(false), all(true)]
    }
}

/// What may still be made for a rule.
#[derive(Debug, Clone, Copy, Default)]
struct Limit {
    objects: usize,
    bytes: usize,
    /// Objects that were too large.
    misses: usize,
}

impl Limit {
    fn new(objects: usize, bytes: usize) -> Self {
        Self {
            objects,
            bytes,
            misses: 0,
        }
    }

    /// Whether nothing more is made. Objects are not even put together then: large ones cost more than all that are tried.
    fn is_reached(self) -> bool {
        self.objects == 0 || self.misses >= MISSES
    }
}

fn gates_of(rule: &Rule) -> Vec<String> {
    let conditions = flat(&rule.emit.conditions).into_iter();
    let names = conditions.filter_map(|condition| match condition {
        Cond::Gate(name, _) => Some(name),
        _ => None,
    });
    names.collect()
}

struct Writer<'s> {
    subject: &'s Subject,
    index: usize,
    maker: Maker<'s>,
    /// Hashes of what was made.
    seen: HashSet<u64>,
    bytes: usize,
    on: BTreeMap<String, bool>,
    made: Vec<Case>,
    limit: Limit,
}

impl Writer<'_> {
    /// Where a rule looks, and values at its edge.
    fn dimensions(&mut self, rule: &Rule) -> Vec<Dimension> {
        let schema = self.maker.schema;
        let mut made: Vec<Dimension> = Vec::new();
        let Some(location) = locations(schema, self.subject.ty, &rule.emit).into_iter().next() else {
            return made;
        };
        for condition in &rule.emit.conditions {
            for (place, mut values) in self.values(condition) {
                let target = targets(schema, &place)
                    .into_iter()
                    .find(|target| same_package(schema, target, self.subject.ty));
                let Some(target) = target else { continue };
                let is_key = place.steps.last() == Some(&Step::Key);
                let pool = self
                    .maker
                    .pools
                    .entry((target.innermost, target.trail.clone()))
                    .or_default();
                for value in &values {
                    if !value.is_null() && !pool.contains(value) {
                        pool.push(value.clone());
                    }
                }
                if is_key {
                    values = maps_of(&mut self.maker, schema, &place, &values);
                }
                let path: Vec<PathStep> = location.iter().chain(&target.path).cloned().collect();
                match made.iter_mut().find(|known| known.path == path) {
                    Some(known) => {
                        for value in values {
                            if !known.values.contains(&value) {
                                known.values.push(value);
                            }
                        }
                    }
                    None => made.push(Dimension { path, values }),
                }
            }
        }
        made
    }

    /// The places of a condition with values at its edge.
    fn values(&mut self, condition: &Cond) -> Vec<(Place, Vec<Json>)> {
        let schema = self.maker.schema;
        let ty = |place: &Place| targets(schema, place).into_iter().next().map(|target| target.ty);
        match condition {
            Cond::Zero(place)
            | Cond::Set(place)
            | Cond::Changed(place)
            | Cond::Unchanged(place)
            | Cond::OldSet(place)
            | Cond::OldZero(place)
            | Cond::Fresh(place) => {
                let Some(of) = ty(place) else { return Vec::new() };
                vec![(place.clone(), self.samples(&of))]
            }
            Cond::Number(place, _, bound) => {
                let around = [bound - 1, *bound, bound + 1, 0, 1, -1, 2];
                let numbers = around.iter().filter_map(|number| i64::try_from(*number).ok());
                vec![(place.clone(), numbers.map(|number| json!(number)).collect())]
            }
            Cond::Length(place, _, bound) | Cond::Characters(place, _, bound) => {
                let Some(of) = ty(place) else { return Vec::new() };
                let mut values = self.lengths(&of, *bound);
                values.extend(self.samples(&of));
                vec![(place.clone(), values)]
            }
            Cond::In(place, texts) | Cond::NotIn(place, texts) => {
                let mut values: Vec<Json> = texts.iter().map(|text| json!(text)).collect();
                if let Some(of) = ty(place) {
                    values.extend(self.samples(&of));
                }
                values.extend([json!("Bogus"), json!("")]);
                vec![(place.clone(), values)]
            }
            Cond::NotFormat(place, _) => {
                let mut values: Vec<Json> = TEXTS.iter().map(|text| json!(text)).collect();
                for length in [32, 33, 63, 64, 253, 254] {
                    values.push(json!("a".repeat(length)));
                }
                values.push(json!(format!("example.com/{}", "a".repeat(63))));
                values.push(json!(format!("example.com/{}", "a".repeat(64))));
                vec![(place.clone(), values)]
            }
            Cond::Seen(place) => self.repeated(place),
            Cond::Count(places, ..) => {
                let all = places
                    .iter()
                    .filter_map(|place| Some((place.clone(), ty(place)?)));
                let all: Vec<(Place, TypeRef)> = all.collect();
                all.into_iter()
                    .map(|(place, of)| (place, self.samples(&of)))
                    .collect()
            }
            Cond::Any(parts) | Cond::All(parts) => parts.iter().flat_map(|part| self.values(part)).collect(),
            Cond::Gate(..) | Cond::Reported | Cond::Unknown => Vec::new(),
        }
    }

    /// Some values of a type, and none.
    fn samples(&mut self, ty: &TypeRef) -> Vec<Json> {
        let mut made = vec![Json::Null];
        for fill in [Fill::Full, Fill::Small, Fill::Random, Fill::Random] {
            made.push(self.maker.value(ty, None, fill, 2));
        }
        if let TypeRef::Named(id) = bare(ty) {
            made.extend(self.maker.constants(id));
        }
        let is_text = made.iter().any(Json::is_string);
        if is_text {
            made.extend([json!(""), json!("abc"), json!("xyz")]);
        } else if made.iter().any(Json::is_number) {
            made.extend([json!(0), json!(3)]);
        }
        let mut distinct: Vec<Json> = Vec::new();
        for value in made {
            if !distinct.contains(&value) {
                distinct.push(value);
            }
        }
        distinct
    }

    fn lengths(&mut self, ty: &TypeRef, bound: i128) -> Vec<Json> {
        let bound = usize::try_from(bound).unwrap_or(0);
        let counts = [bound.saturating_sub(1), bound, bound + 1];
        let counts = counts.into_iter().filter(|count| *count <= LONGEST);
        let sample = self.maker.value(ty, None, Fill::Full, 2);
        match &sample {
            Json::String(_) => counts
                .flat_map(|count| {
                    [
                        json!("a".repeat(count)),
                        json!("é".repeat(count)),
                        json!("é".repeat(count / 2)),
                    ]
                })
                .collect(),
            Json::Array(items) => counts
                .map(|count| {
                    let is_struct = items.first().is_some_and(Json::is_object);
                    let item = items.first().filter(|_| !is_struct || count <= FULL_ITEMS);
                    let items = (0..count).map(|index| numbered(item, index));
                    Json::Array(items.collect())
                })
                .collect(),
            Json::Object(members) => counts
                .map(|count| {
                    let value = members.values().next().cloned().unwrap_or(json!({}));
                    let entries = (0..count).map(|index| (format!("k{index}"), value.clone()));
                    Json::Object(entries.collect::<Map<_, _>>())
                })
                .collect(),
            _ => Vec::new(),
        }
    }

    /// A list with items that occur twice.
    fn repeated(&mut self, place: &Place) -> Vec<(Place, Vec<Json>)> {
        let schema = self.maker.schema;
        let Some(at) = place.steps.iter().rposition(|step| *step == Step::Item) else {
            return Vec::new();
        };
        let list = Place {
            root: place.root.clone(),
            steps: place.steps[..at].to_vec(),
        };
        let Some(target) = targets(schema, &list).into_iter().next() else {
            return Vec::new();
        };
        let full = self.maker.value(&target.ty, None, Fill::Full, 2);
        let Json::Array(items) = &full else {
            return Vec::new();
        };
        let one = items.first();
        let list_of = |numbers: &[usize]| Json::Array(numbers.iter().map(|n| numbered(one, *n)).collect());
        let mut values = vec![
            Json::Null,
            full.clone(),
            list_of(&[0, 0]),
            list_of(&[0, 1]),
            list_of(&[0, 1, 0, 1]),
        ];
        values.push(list_of(&[0, 1, 2]));
        if let Some(first @ Json::Object(members)) = one {
            // The same key with other members, and other keys with the same members.
            for (name, value) in members {
                if let Json::String(_) = value {
                    let mut other = first.clone();
                    other[name.as_str()] = json!("other");
                    values.push(json!([first, other]));
                }
            }
        }
        vec![(list, values)]
    }

    /// Tries a rule: every combination of its values in a small object, created and updated, then some in full and random ones.
    fn rule(&mut self, dimensions: &[Dimension]) {
        let combinations = combinations(dimensions, &mut self.maker.draw);
        let step = combinations.len().div_ceil(6).max(1);
        let few: Vec<Vec<usize>> = combinations.iter().step_by(step).cloned().collect();
        let small = self.base(Fill::Small);
        // Half for new objects, the rest for changed and larger ones.
        let whole = self.limit;
        self.limit.objects = whole.objects / 2;
        self.created(&small, dimensions, &combinations);
        self.limit.objects += whole.objects - whole.objects / 2;
        self.limit.misses = 0;
        self.updated(&small, dimensions, &few);
        if let Some(first) = combinations.first() {
            let first = with(&small, dimensions, first);
            for new in combinations.iter().step_by(2) {
                if self.limit.is_reached() {
                    break;
                }
                self.push(with(&small, dimensions, new), Some(first.clone()));
            }
        }
        for fill in [Fill::Full, Fill::Random] {
            self.limit.misses = 0;
            let base = self.base(fill);
            let is_small = base.to_string().len() <= SMALL_BASE;
            self.created(&base, dimensions, if is_small { &combinations } else { &few });
            if fill == Fill::Full {
                self.updated(&base, dimensions, &few);
            }
        }
    }

    fn created(&mut self, base: &Json, dimensions: &[Dimension], combinations: &[Vec<usize>]) {
        for combination in combinations {
            if self.limit.is_reached() {
                return;
            }
            self.push(with(base, dimensions, combination), None);
        }
    }

    fn updated(&mut self, base: &Json, dimensions: &[Dimension], combinations: &[Vec<usize>]) {
        for old in combinations {
            for new in combinations {
                if self.limit.is_reached() {
                    return;
                }
                self.push(with(base, dimensions, new), Some(with(base, dimensions, old)));
            }
        }
    }

    fn random(&mut self) {
        for _ in 0..RANDOM {
            let old = self.base(Fill::Random);
            let other = self.base(Fill::Random);
            let mut new = old.clone();
            // One or two parts come from elsewhere.
            for _ in 0..2 {
                mix(&mut new, &other, &mut self.maker.draw, 0);
            }
            self.push(old.clone(), None);
            self.push(new, Some(old));
        }
    }

    fn base(&mut self, fill: Fill) -> Json {
        self.maker.object(self.subject.ty, fill, 0)
    }

    fn push(&mut self, mut new: Json, mut old: Option<Json>) {
        if self.subject.without_status {
            for object in std::iter::once(&mut new).chain(old.as_mut()) {
                if let Json::Object(members) = object {
                    members.remove("status");
                }
            }
        }
        if self.subject.is_status {
            let Some(Json::Object(old)) = &old else { return };
            let status = new.get("status").cloned();
            new = Json::Object(old.clone());
            new["status"] = status.unwrap_or_else(|| json!({}));
        }
        let (new, old) = (new.to_string(), old.map(|old| old.to_string()));
        let size = new.len() + old.as_ref().map_or(0, String::len);
        let is_full = self.limit.objects == 0 || size > self.limit.bytes || self.bytes + size > MOST_BYTES;
        let mut hasher = DefaultHasher::new();
        (&new, &old, &self.on).hash(&mut hasher);
        self.limit.misses += usize::from(is_full);
        if is_full || !self.seen.insert(hasher.finish()) {
            return;
        }
        self.bytes += size;
        self.limit.objects -= 1;
        self.limit.bytes -= size;
        self.made.push(Case {
            subject: self.index,
            new: new.into(),
            old: old.map(Arc::from),
            on: self.on.clone(),
        });
    }
}

fn same_package(schema: &Schema, target: &Target<'_>, ty: TypeId) -> bool {
    schema.ty(target.field.owner).name.package == schema.ty(ty).name.package
}
