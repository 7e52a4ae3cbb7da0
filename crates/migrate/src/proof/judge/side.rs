//! One subject in one round: where functions and tags differ.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::engine::{Declared, Engine};
use super::paths::{fits, is_within, parsed, plain};
use super::{Agreed, Answer, Beside, Count, Judging, Tally, Told, Verdict};
use crate::edit::Insert;
use crate::proof::subjects::Subject;
use crate::validation::PathStep;

/// Errors that a function leaves out for the same reason, of which objects are repaired.
const KEPT: usize = 3;

/// What one side reports: by group, type and field, with origin.
type Reported = BTreeMap<usize, BTreeMap<(String, String), String>>;

/// One subject in one round.
pub(super) struct Side<'s, 'j> {
    judging: &'s Judging<'j>,
    number: usize,
    subject: &'s Subject,
    /// The rules that concern it.
    own: Vec<usize>,
    /// Discriminators, with where the members are that depend on them.
    modes: Vec<(&'s str, &'s [Vec<PathStep>])>,
    engine: Engine<'s>,
    by_tag: &'s HashMap<Insert, usize>,
    wrong_created: HashMap<usize, Verdict>,
    wrong_alone: HashMap<usize, Verdict>,
    wrong_with_create: HashMap<usize, Verdict>,
    counts: HashMap<usize, Count>,
    besides: Vec<Beside>,
    agreed: Vec<Agreed>,
}

impl<'s, 'j> Side<'s, 'j> {
    pub(super) fn new(
        judging: &'s Judging<'j>,
        (number, subject): (usize, &'s Subject),
        engine: Engine<'s>,
        by_tag: &'s HashMap<Insert, usize>,
    ) -> Self {
        let rules = 0..judging.reading.rules.len();
        let modes = judging.discriminators.iter().filter_map(|(rule, name)| {
            let patterns = judging.patterns.get(&(number, *rule))?;
            Some((&**name, &patterns[..]))
        });
        Self {
            judging,
            number,
            subject,
            own: rules
                .filter(|rule| judging.patterns.contains_key(&(number, *rule)))
                .collect(),
            modes: modes.collect(),
            engine,
            by_tag,
            wrong_created: HashMap::new(),
            wrong_alone: HashMap::new(),
            wrong_with_create: HashMap::new(),
            counts: HashMap::new(),
            besides: Vec::new(),
            agreed: Vec::new(),
        }
    }

    pub(super) fn compare(&mut self, case: usize, answer: &Answer) {
        let Some(new) = &answer.new else { return };
        match &answer.old {
            None if self.subject.create.is_some() => {
                let declared = self.engine.errors(new, None, &answer.on);
                let told: Vec<&Told> = answer.created.iter().collect();
                let found = self.differences(&told, &declared, &BTreeSet::new(), (new, None));
                self.count(case, &told, &declared, (&found, &BTreeSet::new()));
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
                self.count(case, &both, &declared, (&both_wrong, &skipped));
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
                None => self.refusals(told, &key.1).is_empty(),
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

    fn count(
        &mut self,
        case: usize,
        told: &[&Told],
        declared: &[Declared],
        (wrong, skipped): (&HashMap<usize, Verdict>, &BTreeSet<usize>),
    ) {
        let tags = self.reported_by_tags(declared);
        let mut fired: BTreeSet<usize> = BTreeSet::new();
        let found = self.left_out(case, told, &tags);
        let found = found
            .into_iter()
            .filter(|one| !wrong.contains_key(&one.group) && !skipped.contains(&one.group));
        let found: Vec<Beside> = found.collect();
        let beside: BTreeSet<usize> = found.iter().map(|one| one.group).collect();
        for one in found {
            let is_alike = |other: &&Beside| {
                let is_same = other.group == one.group && other.by == one.by;
                is_same && (other.only || !one.only)
            };
            // What is refused for several errors is harder to repair.
            let most = if one.only { KEPT } else { 1 };
            if self.besides.iter().filter(is_alike).count() < most {
                self.besides.push(one);
            }
        }
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
                    let refused = self.refusals(told, &key.1);
                    self.agreed.push(Agreed {
                        case,
                        group,
                        refused: refused.iter().map(|(one, _)| named(one)).collect(),
                    });
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

    /// Errors of tags that the function leaves out because it refuses something else first.
    fn left_out(&self, case: usize, told: &[&Told], tags: &Reported) -> Vec<Beside> {
        let by_function = self.reported(told);
        let mut made = Vec::new();
        for (group, tags) in tags {
            let function = by_function.get(group);
            let is_told = |key| function.is_some_and(|function| function.contains_key(key));
            for key in tags.keys().filter(|key| !is_told(key)) {
                let refusals = self.refusals(told, &key.1);
                let only = refusals.len() == 1;
                made.extend(refusals.into_iter().map(|(one, root)| Beside {
                    case,
                    group: *group,
                    field: key.1.clone(),
                    root,
                    by: named(one),
                    only,
                }));
            }
        }
        made
    }

    /// Errors because of which the function may not look at a field, and the part into which it looks no further: it refuses
    /// something that has the field, or the discriminator of a member that is or has it.
    fn refusals<'t>(&self, told: &[&'t Told], field: &str) -> Vec<(&'t Told, String)> {
        let found = told.iter().filter_map(|one| {
            let above = plain(&one.field);
            if !above.is_empty() && above != field && is_within(field, &above) {
                return Some((*one, above));
            }
            let (holder, name) = above.rsplit_once('.').unwrap_or(("", &above));
            let is_decided = is_within(field, holder) && self.is_decided_by(name, holder, field);
            is_decided.then(|| (*one, holder.to_owned()))
        });
        found.collect()
    }

    /// Whether a member of an object is looked at, or the one that has a field, depending on a discriminator.
    fn is_decided_by(&self, discriminator: &str, holder: &str, field: &str) -> bool {
        if !self.modes.iter().any(|(name, _)| *name == discriminator) {
            return false;
        }
        let depth = parsed(holder).len();
        let member: Vec<PathStep> = parsed(field).into_iter().take(depth + 1).collect();
        if member.len() != depth + 1 {
            return false;
        }
        let mut modes = self.modes.iter();
        modes.any(|(name, patterns)| {
            *name == discriminator && patterns.iter().any(|pattern| fits(pattern, &member))
        })
    }

    pub(super) fn conclude(mut self, is_live: &dyn Fn(usize) -> bool) -> Tally {
        let mut tally = Tally {
            besides: std::mem::take(&mut self.besides),
            agreed: std::mem::take(&mut self.agreed),
            ..Tally::default()
        };
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

/// An error as errors of its kind are named: without indexes and keys.
fn named(told: &Told) -> String {
    let steps = parsed(&told.field).into_iter().map(|step| match step {
        PathStep::Child(name) => name,
        PathStep::Index | PathStep::Key => "[]".to_owned(),
    });
    let field = steps.collect::<Vec<_>>().join(".");
    format!("{field}: {}", told.kind)
}

/// Keeps the first difference of every group: cases begin with the smallest objects.
fn keep(known: &mut HashMap<usize, Verdict>, found: HashMap<usize, Verdict>) {
    for (group, verdict) in found {
        known.entry(group).or_insert(verdict);
    }
}
