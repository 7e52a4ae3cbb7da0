//! One subject in one round: where functions and tags differ.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::engine::{Declared, Engine};
use super::paths::{is_within, plain};
use super::{Answer, Count, Judging, Tally, Told, Verdict};
use crate::edit::Insert;
use crate::proof::subjects::Subject;

/// What one side reports: by group, type and field, with origin.
type Reported = BTreeMap<usize, BTreeMap<(String, String), String>>;

/// One subject in one round.
pub(super) struct Side<'s, 'j> {
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

impl<'s, 'j> Side<'s, 'j> {
    pub(super) fn new(
        judging: &'s Judging<'j>,
        (number, subject): (usize, &'s Subject),
        engine: Engine<'s>,
        by_tag: &'s HashMap<Insert, usize>,
    ) -> Self {
        let rules = 0..judging.reading.rules.len();
        Self {
            judging,
            number,
            subject,
            own: rules
                .filter(|rule| judging.patterns.contains_key(&(number, *rule)))
                .collect(),
            engine,
            by_tag,
            wrong_created: HashMap::new(),
            wrong_alone: HashMap::new(),
            wrong_with_create: HashMap::new(),
            counts: HashMap::new(),
        }
    }

    pub(super) fn compare(&mut self, answer: &Answer) {
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

    pub(super) fn conclude(mut self, is_live: &dyn Fn(usize) -> bool) -> Tally {
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
