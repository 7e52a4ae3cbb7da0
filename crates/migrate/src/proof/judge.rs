//! Compares what functions and tags report for the same objects.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use kindsmith_engine::{Change, CompileOptions, OptionSet, Plan};
use kindsmith_go::Read;
use kindsmith_json::{Arena, parse_str};
use kindsmith_schema::{Owner, TypeId};

use super::cases::{Case, locations};
use super::program::sites;
use super::subjects::Subject;
use crate::edit::{self, Edited, Insert};
use crate::validation::{PathStep, Reading, Span};

/// Rounds of leaving out what is wrong.
const ROUNDS: usize = 12;

/// An error of a function.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Told {
    /// The number of the call that made it.
    pub site: Option<usize>,
    /// Its type, as `FieldValueRequired`.
    pub kind: String,
    /// Its field.
    pub field: String,
    /// Its origin; may be empty.
    pub origin: String,
}

/// What functions say to a write.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer {
    /// The gates and options that were named, and whether they were on: a locked gate stays as it is.
    pub on: BTreeMap<String, bool>,
    /// The object with its defaults, in JSON.
    pub new: Option<String>,
    /// The old object with its defaults.
    pub old: Option<String>,
    /// Errors of the function for new objects.
    pub created: Vec<Told>,
    /// Errors of the function for changed objects.
    pub updated: Vec<Told>,
    /// Errors of the function for new objects about the old one.
    pub before: Vec<Told>,
    /// Why there is no answer.
    pub failed: Option<String>,
}

/// An error of a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// Its type.
    pub kind: String,
    /// Its field.
    pub field: String,
    /// Its origin.
    pub origin: String,
    /// Whether it stops other checks.
    pub stops: bool,
    /// The tag that was written for it.
    pub tag: Option<Insert>,
}

/// Whether function and tags agree about a rule.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// They do.
    Proven {
        /// Objects that were tried.
        objects: usize,
        /// Objects that both refuse because of it.
        refused: usize,
        /// The origin of the tag's errors; may be empty.
        origin: String,
        /// Whether updates agree only if they are also validated as new objects.
        with_create: bool,
        /// Objects that the function refuses for an error above the field and leaves there, while the tag reports its own, too.
        beside: usize,
    },
    /// They do not.
    Refuted {
        /// The object, in JSON.
        new: String,
        /// The object before.
        old: Option<String>,
        /// What the function says.
        function: Vec<String>,
        /// What the tags say.
        tags: Vec<String>,
    },
    /// It was not tried.
    Untried(String),
}

/// Compares the answers of functions with those of tags. `read_with` reads the types with other texts for some files.
#[must_use]
pub fn judge(
    types: &Read,
    reading: &Reading,
    subjects: &[Subject],
    cases: &[Case],
    answers: &[Answer],
    read_with: &mut dyn FnMut(&BTreeMap<String, Edited>) -> Read,
) -> Vec<Verdict> {
    let mut verdicts: Vec<Option<Verdict>> = reading.rules.iter().map(|_| None).collect();
    let judging = Judging::new(types, reading, subjects, cases, answers);
    // A subject is judged anew if a tag that concerns it is left out.
    let mut known: HashMap<usize, Tally> = HashMap::new();
    for _ in 0..ROUNDS {
        let is_live = |index: usize| judging.is_tried[index] && verdicts[index].is_none();
        let inserts = edit::inserts(types, reading, &is_live);
        let edited = edit::edited(types, &inserts, &str::to_owned);
        let read = read_with(&edited);
        judging.round(&read, &edited, &is_live, &mut known);
        let mut changed: BTreeSet<usize> = BTreeSet::new();
        for (index, wrong) in known.values().flat_map(|tally| &tally.wrong) {
            if verdicts[*index].is_none() {
                verdicts[*index] = Some(wrong.clone());
                changed.insert(judging.group[*index]);
            }
        }
        if changed.is_empty() {
            let counts = merged(known.values());
            for (index, verdict) in verdicts.iter_mut().enumerate() {
                if verdict.is_none() {
                    *verdict = Some(judging.settled(index, &counts));
                }
            }
            break;
        }
        judging.forget(&changed, &mut known);
    }
    let unsettled = || Verdict::Untried("proposals contradict each other".to_owned());
    verdicts
        .into_iter()
        .map(|verdict| verdict.unwrap_or_else(unsettled))
        .collect()
}

#[derive(Debug, Clone, Default)]
struct Count {
    objects: usize,
    refused: usize,
    quiet: usize,
    origin: String,
    with_create: bool,
    beside: usize,
}

#[derive(Default)]
struct Tally {
    wrong: Vec<(usize, Verdict)>,
    counts: HashMap<usize, Count>,
}

struct Judging<'j> {
    types: &'j Read,
    reading: &'j Reading,
    subjects: &'j [Subject],
    cases: &'j [Case],
    answers: &'j [Answer],
    sites: Vec<Span>,
    /// The rules of every call that makes errors.
    by_site: HashMap<Span, Vec<usize>>,
    is_tried: Vec<bool>,
    /// Rules that share a tag are one group, named after its first rule.
    group: Vec<usize>,
    /// By subject and rule: where the rule reports.
    patterns: HashMap<(usize, usize), Vec<Vec<PathStep>>>,
}

/// The counts of all subjects.
fn merged<'t>(tallies: impl Iterator<Item = &'t Tally>) -> HashMap<usize, Count> {
    let mut made: HashMap<usize, Count> = HashMap::new();
    for (index, own) in tallies.flat_map(|tally| &tally.counts) {
        let count = made.entry(*index).or_default();
        count.objects += own.objects;
        count.refused += own.refused;
        count.quiet += own.quiet;
        count.beside += own.beside;
        count.with_create |= own.with_create;
        if !own.origin.is_empty() {
            count.origin.clone_from(&own.origin);
        }
    }
    made
}

/// What one side reports: by group, type and field, with origin.
type Reported = BTreeMap<usize, BTreeMap<(String, String), String>>;

impl<'j> Judging<'j> {
    fn new(
        types: &'j Read,
        reading: &'j Reading,
        subjects: &'j [Subject],
        cases: &'j [Case],
        answers: &'j [Answer],
    ) -> Self {
        let mut patterns = HashMap::new();
        let mut is_tried = vec![false; reading.rules.len()];
        for (number, subject) in subjects.iter().enumerate() {
            for (index, rule) in reading.rules.iter().enumerate() {
                if !subject.reached.contains(&rule.emit.entry) {
                    continue;
                }
                let own = locations(&types.schema, subject.ty, &rule.emit);
                let own = own.into_iter().map(|mut location| {
                    location.extend(rule.emit.path.iter().cloned());
                    location
                });
                patterns.insert((number, index), own.collect());
                let has_new = rule
                    .tags
                    .as_ref()
                    .is_ok_and(|tags| tags.iter().any(|tag| !tag.present));
                is_tried[index] |= has_new;
            }
        }
        let mut by_site: HashMap<Span, Vec<usize>> = HashMap::new();
        for (index, rule) in reading.rules.iter().enumerate() {
            by_site.entry(rule.emit.site()).or_default().push(index);
        }
        Self {
            types,
            reading,
            subjects,
            cases,
            answers,
            by_site,
            sites: sites(reading),
            is_tried,
            group: groups(reading),
            patterns,
        }
    }

    fn settled(&self, index: usize, counts: &HashMap<usize, Count>) -> Verdict {
        if !self.is_tried[index] {
            return Verdict::Untried("no function that was run reaches it".to_owned());
        }
        match counts.get(&index) {
            Some(count) if count.refused > 0 && count.quiet > 0 => Verdict::Proven {
                objects: count.objects,
                refused: count.refused,
                origin: count.origin.clone(),
                with_create: count.with_create,
                beside: count.beside,
            },
            Some(_) => Verdict::Untried("no object was made for which the function reports it".to_owned()),
            None => {
                let failed = self.answers.iter().find_map(|answer| answer.failed.as_deref());
                Verdict::Untried(failed.unwrap_or("no object could be tried").to_owned())
            }
        }
    }

    /// One comparison of the cases of some subjects with the tags that are left.
    fn round(
        &self,
        read: &Read,
        edited: &BTreeMap<String, Edited>,
        is_live: &dyn Fn(usize) -> bool,
        known: &mut HashMap<usize, Tally>,
    ) {
        let by_tag = self.by_tag();
        for (number, subject) in self.subjects.iter().enumerate() {
            if known.contains_key(&number) {
                continue;
            }
            let name = &self.types.schema.ty(subject.ty).name;
            let Some(ty) = read.schema.find(name) else {
                continue;
            };
            let engine = Engine {
                plan: compiled(read, ty),
                read,
                edited,
                tags: RefCell::default(),
            };
            let mut side = Side {
                judging: self,
                number,
                subject,
                own: (0..self.reading.rules.len())
                    .filter(|rule| self.patterns.contains_key(&(number, *rule)))
                    .collect(),
                engine,
                by_tag: &by_tag,
                wrong_created: HashMap::new(),
                wrong_alone: HashMap::new(),
                wrong_with_create: HashMap::new(),
                counts: HashMap::new(),
            };
            for (case, answer) in self.cases.iter().zip(self.answers) {
                if case.subject == number && answer.failed.is_none() {
                    side.compare(answer);
                }
            }
            known.insert(number, side.conclude(is_live));
        }
    }

    /// Forgets what is known of subjects that one of these groups concerns.
    fn forget(&self, groups: &BTreeSet<usize>, known: &mut HashMap<usize, Tally>) {
        let concerns = |number: usize| {
            let mut rules = 0..self.reading.rules.len();
            rules
                .any(|rule| groups.contains(&self.group[rule]) && self.patterns.contains_key(&(number, rule)))
        };
        known.retain(|number, _| !concerns(*number));
    }

    /// The group of every tag.
    fn by_tag(&self) -> HashMap<Insert, usize> {
        let mut made = HashMap::new();
        for (index, rule) in self.reading.rules.iter().enumerate() {
            for tag in rule.tags.iter().flatten() {
                if let Some((file, line)) = edit::place(self.types, tag.owner) {
                    let text = tag.text.clone();
                    made.insert(Insert { file, line, text }, self.group[index]);
                }
            }
        }
        made
    }

    /// The rules that an error of a function belongs to.
    fn rules_of(&self, number: usize, told: &Told) -> Vec<usize> {
        let Some(site) = told.site.and_then(|site| self.sites.get(site)) else {
            return Vec::new();
        };
        let steps = parsed(&told.field);
        let rules = self.by_site.get(site).map_or(&[][..], Vec::as_slice);
        let own = rules.iter().copied().filter(|index| {
            let patterns = self.patterns.get(&(number, *index));
            let fits = |pattern: &Vec<PathStep>| fits(pattern, &steps);
            patterns.is_some_and(|patterns| patterns.iter().any(fits))
        });
        own.collect()
    }
}

/// Rules that share a tag, or the call and field of an error.
fn groups(reading: &Reading) -> Vec<usize> {
    #[derive(PartialEq, Eq, Hash)]
    enum Shared<'r> {
        Tag(Owner, &'r str),
        Error(Span, String, &'r str),
    }
    let mut group: Vec<usize> = (0..reading.rules.len()).collect();
    let mut first: HashMap<Shared<'_>, usize> = HashMap::new();
    for (index, rule) in reading.rules.iter().enumerate() {
        let tags = rule.tags.as_deref().unwrap_or_default();
        if tags.is_empty() {
            continue;
        }
        let emit = &rule.emit;
        let error = Shared::Error(emit.site(), format!("{:?}", emit.path), &emit.entry);
        let shared = tags.iter().map(|tag| Shared::Tag(tag.owner, &tag.text));
        for one in shared.chain([error]) {
            let other = *first.entry(one).or_insert(index);
            let (from, to) = (group[index], group[other]);
            if from != to {
                let (from, to) = (from.max(to), from.min(to));
                group
                    .iter_mut()
                    .filter(|one| **one == from)
                    .for_each(|one| *one = to);
            }
        }
    }
    group
}

fn compiled(read: &Read, ty: TypeId) -> Plan {
    Plan::compile_with(&read.schema, ty, &CompileOptions::default())
}

struct Engine<'e> {
    plan: Plan,
    read: &'e Read,
    edited: &'e BTreeMap<String, Edited>,
    /// By file and byte: the tag that was written there. Lines are counted once, not for every error.
    tags: RefCell<HashMap<(String, u32), Option<Insert>>>,
}

impl Engine<'_> {
    fn errors(&self, new: &str, old: Option<&str>, on: &BTreeMap<String, bool>) -> Vec<Declared> {
        let arena = Arena::new();
        let value = |text: &str| {
            let parsed = parse_str(&arena, arena.alloc_str(text)).unwrap_or_default();
            self.plan.decoded(&arena, parsed)
        };
        let mut change = match old {
            Some(old) => Change::update(value(new), value(old)),
            None => Change::create(value(new)),
        };
        let options: OptionSet = on.iter().map(|(name, on)| (name.as_str(), *on)).collect();
        change.options = Some(&options);
        let errors = self.plan.validate(&change).into_iter();
        errors
            .map(|error| Declared {
                kind: error.kind.name().to_owned(),
                field: plain(&error.path.to_string()),
                origin: error.origin.to_string(),
                stops: error.short_circuit,
                tag: error.rule.and_then(|place| self.tag(&place)),
            })
            .collect()
    }

    /// The tag that was written where a rule is.
    fn tag(&self, place: &kindsmith_schema::Place) -> Option<Insert> {
        let span = self.read.origins.span(place)?;
        let file = self.read.sources.file(span.file);
        let edited = self.edited.get(file.name())?;
        let mut tags = self.tags.borrow_mut();
        let found = tags
            .entry((file.name().to_owned(), span.start))
            .or_insert_with(|| {
                let line = file.text()[..span.start as usize].matches('\n').count();
                edited.added.get(&line).cloned()
            });
        found.clone()
    }
}

/// One subject in one round.
struct Side<'s, 'j> {
    judging: &'s Judging<'j>,
    number: usize,
    subject: &'s Subject,
    /// The rules that concern it.
    own: Vec<usize>,
    engine: Engine<'s>,
    by_tag: &'s HashMap<Insert, usize>,
    wrong_created: HashMap<usize, Verdict>,
    wrong_alone: HashMap<usize, Verdict>,
    wrong_with_create: HashMap<usize, Verdict>,
    counts: HashMap<usize, Count>,
}

impl Side<'_, '_> {
    fn compare(&mut self, answer: &Answer) {
        let Some(new) = &answer.new else { return };
        match &answer.old {
            None if self.subject.create.is_some() => {
                let declared = self.engine.errors(new, None, &answer.on);
                let told: Vec<&Told> = answer.created.iter().collect();
                let found = self.differences(&told, &declared, &BTreeSet::new(), (new, None));
                self.count(&told, &declared, &found);
                keep(&mut self.wrong_created, found);
            }
            None => {}
            Some(old) => {
                let before = self.engine.errors(old, None, &answer.on);
                let mut skipped: BTreeSet<usize> = self.reported_by_tags(&before).into_keys().collect();
                let told: Vec<&Told> = answer.before.iter().collect();
                skipped.extend(self.reported(&told).into_keys());
                let declared = self.engine.errors(new, Some(old), &answer.on);
                let alone: Vec<&Told> = answer.updated.iter().collect();
                let both: Vec<&Told> = answer.updated.iter().chain(&answer.created).collect();
                let both_wrong = self.differences(&both, &declared, &skipped, (new, Some(old)));
                if self.subject.update.is_some() {
                    let wrong = self.differences(&alone, &declared, &skipped, (new, Some(old)));
                    keep(&mut self.wrong_alone, wrong);
                } else {
                    keep(&mut self.wrong_alone, both_wrong.clone());
                }
                self.count(&both, &declared, &both_wrong);
                keep(&mut self.wrong_with_create, both_wrong);
            }
        }
    }

    fn reported(&self, told: &[&Told]) -> Reported {
        let mut made = Reported::new();
        for one in told {
            for rule in self.judging.rules_of(self.number, one) {
                if self.judging.reading.rules[rule].tags.is_ok() {
                    made.entry(self.judging.group[rule])
                        .or_default()
                        .insert((one.kind.clone(), plain(&one.field)), one.origin.clone());
                }
            }
        }
        made
    }

    fn reported_by_tags(&self, declared: &[Declared]) -> Reported {
        let mut made = Reported::new();
        for one in declared {
            if let Some(group) = one.tag.as_ref().and_then(|tag| self.by_tag.get(tag)) {
                made.entry(*group)
                    .or_default()
                    .insert((one.kind.clone(), one.field.clone()), one.origin.clone());
            }
        }
        made
    }

    /// Groups about which the two sides differ.
    fn differences(
        &self,
        told: &[&Told],
        declared: &[Declared],
        skipped: &BTreeSet<usize>,
        object: (&str, Option<&str>),
    ) -> HashMap<usize, Verdict> {
        let (by_function, by_tags) = (self.reported(told), self.reported_by_tags(declared));
        let none = BTreeMap::new();
        let mut wrong = HashMap::new();
        let groups: BTreeSet<usize> = by_function.keys().chain(by_tags.keys()).copied().collect();
        for group in groups {
            if skipped.contains(&group) {
                continue;
            }
            let function = by_function.get(&group).unwrap_or(&none);
            let tags = by_tags.get(&group).unwrap_or(&none);
            let is_stopped = |field: &str| {
                let above = |one: &&Declared| one.stops && is_within(field, &one.field);
                declared.iter().find(above).is_some()
            };
            let missing = function
                .keys()
                .any(|key| !tags.contains_key(key) && !is_stopped(&key.1));
            let extra = tags.iter().any(|(key, origin)| match function.get(key) {
                None => !is_refused_above(told, &key.1),
                Some(own) => !own.is_empty() && !origin.is_empty() && own != origin,
            });
            if missing || extra {
                let shown = |all: &BTreeMap<(String, String), String>| {
                    let lines = all.keys().map(|(kind, field)| format!("{field}: {kind}"));
                    lines.collect::<Vec<_>>()
                };
                wrong.insert(
                    group,
                    Verdict::Refuted {
                        new: object.0.to_owned(),
                        old: object.1.map(str::to_owned),
                        function: shown(function),
                        tags: shown(tags),
                    },
                );
            }
        }
        wrong
    }

    fn count(&mut self, told: &[&Told], declared: &[Declared], wrong: &HashMap<usize, Verdict>) {
        let tags = self.reported_by_tags(declared);
        let mut fired: BTreeSet<usize> = BTreeSet::new();
        let by_function = self.reported(told);
        let beside: BTreeSet<usize> = tags
            .iter()
            .filter(|(group, tags)| {
                let function = by_function.get(group);
                let is_told = |key| function.is_some_and(|function| function.contains_key(key));
                tags.keys().any(|key| !is_told(key)) && !wrong.contains_key(group)
            })
            .map(|(group, _)| *group)
            .collect();
        for one in told {
            for rule in self.judging.rules_of(self.number, one) {
                let group = self.judging.group[rule];
                let key = (one.kind.clone(), plain(&one.field));
                if let Some(origin) = tags.get(&group).and_then(|tags| tags.get(&key))
                    && !wrong.contains_key(&group)
                    && fired.insert(rule)
                {
                    let count = self.counts.entry(rule).or_default();
                    count.refused += 1;
                    count.origin.clone_from(origin);
                }
            }
        }
        for index in &self.own {
            let count = self.counts.entry(*index).or_default();
            count.objects += 1;
            count.beside += usize::from(beside.contains(&self.judging.group[*index]));
            count.quiet += usize::from(!fired.contains(index));
        }
    }

    fn conclude(mut self, is_live: &dyn Fn(usize) -> bool) -> Tally {
        let mut tally = Tally::default();
        for index in self.own {
            if !is_live(index) {
                continue;
            }
            let group = self.judging.group[index];
            let alone = self.wrong_alone.get(&group);
            let with_create = self.wrong_with_create.get(&group);
            let updated = alone.filter(|_| with_create.is_some() || self.subject.create.is_none());
            if let Some(wrong) = self.wrong_created.get(&group).or(updated) {
                tally.wrong.push((index, wrong.clone()));
                continue;
            }
            if let Some(mut count) = self.counts.remove(&index) {
                count.with_create = alone.is_some() && self.subject.update.is_some();
                tally.counts.insert(index, count);
            }
        }
        tally
    }
}

/// Whether the function refuses something that has the field, so that it looks at nothing inside.
fn is_refused_above(told: &[&Told], field: &str) -> bool {
    told.iter().any(|one| {
        let above = plain(&one.field);
        !above.is_empty() && above != field && is_within(field, &above)
    })
}

/// Keeps the first difference of every group: cases begin with the smallest objects.
fn keep(known: &mut HashMap<usize, Verdict>, found: HashMap<usize, Verdict>) {
    for (group, verdict) in found {
        known.entry(group).or_insert(verdict);
    }
}

/// The path of an object itself is empty.
fn plain(field: &str) -> String {
    if field == "<nil>" {
        String::new()
    } else {
        field.to_owned()
    }
}

/// Whether a field is another or inside it.
fn is_within(field: &str, other: &str) -> bool {
    match field.strip_prefix(other) {
        Some("") => true,
        Some(rest) => other.is_empty() || rest.starts_with(['.', '[']),
        None => false,
    }
}

/// The steps of a field's path; keys and indexes are alike.
fn parsed(field: &str) -> Vec<PathStep> {
    let mut made = Vec::new();
    let mut rest = field;
    while !rest.is_empty() && rest != "<nil>" {
        if let Some(inside) = rest.strip_prefix('[') {
            let end = inside.find(']').unwrap_or(inside.len());
            made.push(PathStep::Key);
            rest = inside.get(end + 1..).unwrap_or_default();
        } else {
            let name = rest.strip_prefix('.').unwrap_or(rest);
            let end = name.find(['.', '[']).unwrap_or(name.len());
            made.push(PathStep::Child(name[..end].to_owned()));
            rest = &name[end..];
        }
    }
    made
}

fn fits(pattern: &[PathStep], steps: &[PathStep]) -> bool {
    let is_alike = |pair: (&PathStep, &PathStep)| match pair {
        (PathStep::Child(one), PathStep::Child(two)) => one == two,
        (PathStep::Child(_), _) | (_, PathStep::Child(_)) => false,
        _ => true,
    };
    pattern.len() == steps.len() && pattern.iter().zip(steps).all(is_alike)
}
