//! Compares what functions and tags report for the same objects.

mod engine;
mod paths;
mod side;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use kindsmith_go::Read;
use kindsmith_schema::Owner;

use super::cases::{Case, locations};
use super::program::sites;
use super::subjects::Subject;
use crate::edit::{self, Edited, Insert};
use crate::validation::{PathStep, Reading, Span};
use engine::Engine;
use paths::{fits, parsed};
use side::Side;

pub use engine::Declared;

/// Rounds of leaving out what is wrong.
const ROUNDS: usize = 24;

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
    pub new: Option<Arc<str>>,
    /// The old object with its defaults.
    pub old: Option<Arc<str>>,
    /// Errors of the function for new objects.
    pub created: Vec<Told>,
    /// Errors of the function for changed objects.
    pub updated: Vec<Told>,
    /// Errors of the function for new objects about the old one.
    pub before: Vec<Told>,
    /// Why there is no answer.
    pub failed: Option<String>,
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

/// What a comparison says.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    /// By rule.
    pub verdicts: Vec<Verdict>,
    /// Errors of proven tags that functions leave out because they refuse something else first.
    pub besides: Vec<Beside>,
}

/// An error of a tag that a function leaves out: it refuses something above the field, or the discriminator that leads there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beside {
    /// The write, by its place in the list.
    pub case: usize,
    /// The rules that share the tag, by their first.
    pub group: usize,
    /// The field of the tag's error.
    pub field: String,
    /// The part of the object into which the function looks no further.
    pub root: String,
    /// The function's error: its field without indexes, and its type.
    pub by: String,
    /// Whether the function refuses nothing else on the way to the field.
    pub only: bool,
}

/// An object to try because an error was left out for another one.
#[derive(Debug, Clone, PartialEq)]
pub struct Repair {
    /// The write.
    pub case: Case,
    /// The error that was left out, by its place in the list.
    pub of: usize,
}

/// Reads the types with other texts for some files.
pub type ReadWith<'r> = dyn FnMut(&BTreeMap<String, Edited>) -> Read + 'r;

/// What is compared: functions and types as they were read, and what functions said to objects.
#[derive(Clone, Copy)]
pub struct Compared<'c> {
    /// The types.
    pub types: &'c Read,
    /// The functions.
    pub reading: &'c Reading,
    /// What was run.
    pub subjects: &'c [Subject],
    /// The writes.
    pub cases: &'c [Case],
    /// The answers of functions, one for each write.
    pub answers: &'c [Answer],
    /// Is called for every comparison.
    pub step: &'c dyn Fn(),
}

/// Compares the answers of functions with those of tags. Rules that are known to be wrong are left out from the beginning.
#[must_use]
pub fn judge(of: &Compared<'_>, wrong: Vec<Option<Verdict>>, read_with: &mut ReadWith<'_>) -> Judged {
    let (types, reading) = (of.types, of.reading);
    let mut verdicts = wrong;
    verdicts.resize(reading.rules.len(), None);
    let judging = Judging::new(of, false);
    let mut besides = Vec::new();
    // A subject is judged anew if a tag that concerns it is left out.
    let mut known: HashMap<usize, Tally> = HashMap::new();
    // Groups that the last round left out, and the writes that their tags refused: only those are judged until nothing else is
    // wrong, and then all of them. What a tag does without an error, as `+k8s:optional`, shows then.
    let mut changed: BTreeSet<usize> = BTreeSet::new();
    let mut touched: HashMap<usize, Vec<usize>> = HashMap::new();
    for _ in 0..ROUNDS {
        let is_live = |index: usize| judging.is_tried[index] && verdicts[index].is_none();
        let inserts = edit::inserts(types, reading, &is_live);
        let edited = edit::edited(types, &inserts, &str::to_owned);
        let read = read_with(&edited);
        let mut found = Vec::new();
        if !changed.is_empty() {
            let cases = changed.iter().filter_map(|group| touched.get(group));
            let cases: BTreeSet<usize> = cases.flatten().copied().collect();
            let mut some = HashMap::new();
            judging.round(&read, &edited, &is_live, Some(&cases), &mut some);
            found.extend(some.into_values().flat_map(|tally| tally.wrong));
        }
        if found.is_empty() {
            judging.round(&read, &edited, &is_live, None, &mut known);
            found.extend(known.values().flat_map(|tally| tally.wrong.iter().cloned()));
            touched.clear();
            for (group, cases) in known.values().flat_map(|tally| &tally.touched) {
                touched.entry(*group).or_default().extend(cases);
            }
        }
        changed.clear();
        for (index, wrong) in found {
            if verdicts[index].is_none() {
                verdicts[index] = Some(wrong);
                changed.insert(judging.group[index]);
            }
        }
        if changed.is_empty() {
            let counts = merged(known.values());
            for (index, verdict) in verdicts.iter_mut().enumerate() {
                if verdict.is_none() {
                    *verdict = Some(judging.settled(index, &counts));
                }
            }
            besides = known.into_values().flat_map(|tally| tally.besides).collect();
            break;
        }
        judging.forget(&changed, &mut known);
    }
    let unsettled = || Verdict::Untried("proposals contradict each other".to_owned());
    let verdicts: Vec<Verdict> = verdicts
        .into_iter()
        .map(|verdict| verdict.unwrap_or_else(unsettled))
        .collect();
    besides.retain(|beside: &Beside| {
        let mut own = judging.group.iter().zip(&verdicts);
        own.any(|(group, verdict)| *group == beside.group && !matches!(verdict, Verdict::Refuted { .. }))
    });
    besides.sort_by_key(|beside| beside.case);
    Judged { verdicts, besides }
}

/// Rules that are wrong after all: an error was left out, and among the [`repairs`](super::repairs) that lack what the function
/// refused is one about which both differ, or none about which they agree. Other verdicts stay; none where rules are to be judged
/// with all objects.
#[must_use]
pub fn unexplained(
    first: &Compared<'_>,
    judged: &Judged,
    repairs: &[Repair],
    answers: &[Answer],
    read_with: &mut ReadWith<'_>,
) -> Vec<Option<Verdict>> {
    let cases: Vec<Case> = repairs.iter().map(|repair| repair.case.clone()).collect();
    let judging = Judging::new(
        &Compared {
            cases: &cases,
            answers,
            ..*first
        },
        true,
    );
    let tried: BTreeSet<usize> = judged.besides.iter().map(|beside| beside.group).collect();
    let is_live = |index: usize| match &judged.verdicts[index] {
        Verdict::Proven { .. } => true,
        // Objects may have been missing for which the function looks that far.
        Verdict::Untried(_) => judging.is_tried[index] && tried.contains(&judging.group[index]),
        Verdict::Refuted { .. } => false,
    };
    let inserts = edit::inserts(first.types, first.reading, &is_live);
    let edited = edit::edited(first.types, &inserts, &str::to_owned);
    let mut known = HashMap::new();
    judging.round(&read_with(&edited), &edited, &is_live, None, &mut known);
    let mut wrong: HashMap<usize, Verdict> = HashMap::new();
    for (index, verdict) in known.values().flat_map(|tally| &tally.wrong) {
        wrong.entry(judging.group[*index]).or_insert(verdict.clone());
    }
    let key = |beside: &Beside| (first.cases[beside.case].subject, beside.group, beside.by.clone());
    let agreed: BTreeSet<_> = known
        .values()
        .flat_map(|tally| &tally.agreed)
        .map(|one| (&judged.besides[repairs[one.case].of], one))
        .filter(|(beside, one)| beside.group == one.group && !one.refused.contains(&beside.by))
        .map(|(beside, _)| key(beside))
        .collect();
    for beside in judged
        .besides
        .iter()
        .filter(|beside| !agreed.contains(&key(beside)))
    {
        let answer = &first.answers[beside.case];
        wrong.entry(beside.group).or_insert_with(|| Verdict::Refuted {
            new: answer.new.as_deref().unwrap_or_default().to_owned(),
            old: answer.old.as_deref().map(str::to_owned),
            function: vec![beside.by.clone()],
            tags: vec![beside.field.clone()],
        });
    }
    let all = 0..first.reading.rules.len();
    all.map(|index| {
        let is_open = is_live(index);
        let other = || judged.verdicts[index].clone();
        let wrong = wrong.get(&judging.group[index]).filter(|_| is_open);
        wrong.cloned().or_else(|| (!is_open).then(other))
    })
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
    /// By group: the writes that its tags refuse.
    touched: HashMap<usize, Vec<usize>>,
    besides: Vec<Beside>,
    agreed: Vec<Agreed>,
}

/// A write for which both sides report the same error.
struct Agreed {
    case: usize,
    group: usize,
    /// What the function refuses on the way to the field, too.
    refused: Vec<String>,
}

struct Judging<'j> {
    types: &'j Read,
    reading: &'j Reading,
    subjects: &'j [Subject],
    answers: &'j [Answer],
    step: &'j dyn Fn(),
    /// Whether it is asked for which writes both sides agree.
    keeps_agreed: bool,
    /// By subject: the writes.
    by_subject: Vec<Vec<usize>>,
    sites: Vec<Span>,
    /// The rules of every call that makes errors.
    by_site: HashMap<Span, Vec<usize>>,
    is_tried: Vec<bool>,
    /// Rules that share a tag are one group, named after its first rule.
    group: Vec<usize>,
    /// By subject and rule: where the rule reports.
    patterns: HashMap<(usize, usize), Vec<Vec<PathStep>>>,
    /// By rule: the member that decides which other members are looked at, by its name in JSON.
    discriminators: HashMap<usize, String>,
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

impl<'j> Judging<'j> {
    fn new(of: &Compared<'j>, keeps_agreed: bool) -> Self {
        let Compared {
            types,
            reading,
            subjects,
            cases,
            answers,
            step,
        } = *of;
        let mut by_subject = vec![Vec::new(); subjects.len()];
        for (index, (case, answer)) in cases.iter().zip(answers).enumerate() {
            if answer.failed.is_none() {
                by_subject[case.subject].push(index);
            }
        }
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
            answers,
            step,
            keeps_agreed,
            by_subject,
            by_site,
            sites: sites(reading),
            is_tried,
            group: groups(reading),
            patterns,
            discriminators: discriminators(types, reading),
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

    /// One comparison of the writes of some subjects, perhaps of some writes only, with the tags that are left.
    fn round(
        &self,
        read: &Read,
        edited: &BTreeMap<String, Edited>,
        is_live: &dyn Fn(usize) -> bool,
        only: Option<&BTreeSet<usize>>,
        known: &mut HashMap<usize, Tally>,
    ) {
        let by_tag = self.by_tag();
        for (number, subject) in self.subjects.iter().enumerate() {
            let is_wanted = |case: &&usize| only.is_none_or(|only| only.contains(case));
            let mut cases = self.by_subject[number].iter().filter(is_wanted).peekable();
            if known.contains_key(&number) || only.is_some() && cases.peek().is_none() {
                continue;
            }
            let name = &self.types.schema.ty(subject.ty).name;
            let Some(ty) = read.schema.find(name) else {
                continue;
            };
            let engine = Engine::new(read, ty, edited);
            let mut side = Side::new(self, (number, subject), engine, &by_tag, is_live);
            for case in cases {
                side.compare(*case, &self.answers[*case]);
                (self.step)();
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

/// The discriminators of rules about members that depend on one.
fn discriminators(types: &Read, reading: &Reading) -> HashMap<usize, String> {
    let mut made = HashMap::new();
    for (index, rule) in reading.rules.iter().enumerate() {
        let mut tags = rule.tags.iter().flatten();
        let tag = tags.find(|tag| tag.text.ends_with("+k8s:modeDiscriminator"));
        if let Some(Owner::Field(field)) = tag.map(|tag| tag.owner)
            && let Some(name) = types.schema.field(field).json_name()
        {
            made.insert(index, name.to_owned());
        }
    }
    made
}

/// Rules that share a tag, or the call and field of an error.
fn groups(reading: &Reading) -> Vec<usize> {
    #[derive(PartialEq, Eq, Hash)]
    enum Shared<'r> {
        Tag(Owner, &'r str),
        /// All that is said about updates of a field makes one error.
        Update(Owner, &'r str),
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
        let shared = tags.iter().map(|tag| match tag.text.rfind("+k8s:update=") {
            Some(at) => Shared::Update(tag.owner, &tag.text[..at]),
            None => Shared::Tag(tag.owner, &tag.text),
        });
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
