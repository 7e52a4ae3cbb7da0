//! One subject in one round: where functions and tags differ.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::engine::{Declared, Engine};
use super::paths::{fits, is_within, parsed, plain};
use super::{Agreed, Answer, Beside, Count, Judging, Tally, Told, Verdict};
use crate::edit::Insert;
use crate::proof::subjects::Subject;
use crate::validation::PathStep;

/// Errors that a function leaves out for the same reason, of which objects are repaired.
const KEPT: usize = 3;

/// What one side reports: by group, type and field, with origin.
type Reported<'r> = BTreeMap<usize, BTreeMap<(&'r str, &'r str), &'r str>>;

/// An error of a function, and the rules that it belongs to.
#[derive(Clone)]
struct Heard<'t> {
    told: &'t Told,
    rules: Rc<[usize]>,
}

/// What both sides report for one write.
struct Both<'r> {
    told: &'r [Heard<'r>],
    declared: &'r [Declared],
    by_function: Reported<'r>,
    by_tags: Reported<'r>,
    /// Groups about which nothing is compared.
    skipped: &'r BTreeSet<usize>,
}

impl Both<'_> {
    /// Whether the function reports the error of a tag in a call that no tag is proposed for: then it has the same origin.
    fn is_told(&self, (kind, field): (&str, &str), origin: &str) -> bool {
        let is_same = |one: &Told| one.kind == kind && plain(&one.field) == field && one.origin == origin;
        !origin.is_empty() && self.told.iter().any(|one| is_same(one.told))
    }
}

/// One subject in one round.
pub(super) struct Side<'s, 'j> {
    judging: &'s Judging<'j>,
    number: usize,
    subject: &'s Subject,
    /// The rules that concern it.
    own: Vec<usize>,
    /// Groups of which tags are still there.
    live: HashSet<usize>,
    /// Discriminators, with where the members are that depend on them.
    modes: Vec<(&'s str, &'s [Vec<PathStep>])>,
    engine: Engine<'s>,
    by_tag: &'s HashMap<Insert, usize>,
    /// The rules of errors that were seen before, by call and field.
    heard: HashMap<usize, HashMap<String, Rc<[usize]>>>,
    /// The old object of the last change, and the groups that report it: many changes begin with the same object.
    before: Option<(String, BTreeMap<String, bool>, BTreeSet<usize>)>,
    wrong_created: HashMap<usize, Verdict>,
    wrong_alone: HashMap<usize, Verdict>,
    wrong_with_create: HashMap<usize, Verdict>,
    /// Writes that were compared.
    compared: usize,
    /// By rule: for how many of them both sides report it, and with which origin.
    refused: HashMap<usize, (usize, String)>,
    /// By group: for how many of them the function leaves its error out.
    left_out: HashMap<usize, usize>,
    /// By group: the writes that its tags refuse.
    touched: HashMap<usize, Vec<usize>>,
    /// How often a group was left out for an error, alone and at all.
    alike: HashMap<(usize, String), (usize, usize)>,
    besides: Vec<Beside>,
    agreed: Vec<Agreed>,
}

impl<'s, 'j> Side<'s, 'j> {
    pub(super) fn new(
        judging: &'s Judging<'j>,
        (number, subject): (usize, &'s Subject),
        engine: Engine<'s>,
        by_tag: &'s HashMap<Insert, usize>,
        is_live: &dyn Fn(usize) -> bool,
    ) -> Self {
        let rules = 0..judging.reading.rules.len();
        let modes = judging.discriminators.iter().filter_map(|(rule, name)| {
            let patterns = judging.patterns.get(&(number, *rule))?;
            Some((&**name, &patterns[..]))
        });
        let live = rules.clone().filter(|rule| is_live(*rule));
        Self {
            judging,
            number,
            subject,
            own: rules
                .filter(|rule| judging.patterns.contains_key(&(number, *rule)))
                .collect(),
            live: live.map(|rule| judging.group[rule]).collect(),
            modes: modes.collect(),
            engine,
            by_tag,
            heard: HashMap::new(),
            before: None,
            wrong_created: HashMap::new(),
            wrong_alone: HashMap::new(),
            wrong_with_create: HashMap::new(),
            compared: 0,
            refused: HashMap::new(),
            left_out: HashMap::new(),
            touched: HashMap::new(),
            alike: HashMap::new(),
            besides: Vec::new(),
            agreed: Vec::new(),
        }
    }

    pub(super) fn compare(&mut self, case: usize, answer: &Answer) {
        let Some(new) = answer.new.as_deref() else { return };
        let created = self.heard(&answer.created);
        let Some(old) = answer.old.as_deref() else {
            if self.subject.create.is_some() {
                let declared = self.engine.errors(new, None, &answer.on);
                let none = BTreeSet::new();
                let both = self.both(&created, &declared, &none);
                self.touch(case, both.by_tags.keys());
                let found = self.differences(&both);
                self.count(case, &both, &found);
                keep(&mut self.wrong_created, &found, &both, (new, None));
            }
            return;
        };
        let mut skipped = self.reported_before(old, &answer.on);
        self.touch(case, skipped.iter());
        let before = self.heard(&answer.before);
        skipped.extend(self.reported(&before).into_keys());
        let declared = self.engine.errors(new, Some(old), &answer.on);
        let alone = self.heard(&answer.updated);
        let all = [&alone[..], &created].concat();
        let both = self.both(&all, &declared, &skipped);
        self.touch(case, both.by_tags.keys());
        let found = self.differences(&both);
        if self.subject.update.is_some() {
            let alone = self.both(&alone, &declared, &skipped);
            let found = self.differences(&alone);
            keep(&mut self.wrong_alone, &found, &alone, (new, Some(old)));
        } else {
            keep(&mut self.wrong_alone, &found, &both, (new, Some(old)));
        }
        self.count(case, &both, &found);
        keep(&mut self.wrong_with_create, &found, &both, (new, Some(old)));
    }

    /// Remembers that tags refuse a write.
    fn touch<'g>(&mut self, case: usize, groups: impl Iterator<Item = &'g usize>) {
        for group in groups {
            let cases = self.touched.entry(*group).or_default();
            if cases.last() != Some(&case) {
                cases.push(case);
            }
        }
    }

    /// Errors of a function with their rules.
    fn heard<'t>(&mut self, told: &'t [Told]) -> Vec<Heard<'t>> {
        let (judging, number, known) = (self.judging, self.number, &mut self.heard);
        let heard = told.iter().map(|told| {
            let Some(site) = told.site else {
                return Heard {
                    told,
                    rules: Rc::default(),
                };
            };
            let known = known.entry(site).or_default();
            let rules = match known.get(&told.field) {
                Some(rules) => Rc::clone(rules),
                None => {
                    let rules: Rc<[usize]> = judging.rules_of(number, told).into();
                    known.insert(told.field.clone(), Rc::clone(&rules));
                    rules
                }
            };
            Heard { told, rules }
        });
        heard.collect()
    }

    /// The groups of tags that report an object that is changed.
    fn reported_before(&mut self, old: &str, on: &BTreeMap<String, bool>) -> BTreeSet<usize> {
        if let Some((known, settings, groups)) = &self.before
            && known == old
            && settings == on
        {
            return groups.clone();
        }
        let declared = self.engine.errors(old, None, on);
        let groups: BTreeSet<usize> = self.reported_by_tags(&declared).into_keys().collect();
        self.before = Some((old.to_owned(), on.clone(), groups.clone()));
        groups
    }

    fn both<'r>(
        &self,
        told: &'r [Heard<'r>],
        declared: &'r [Declared],
        skipped: &'r BTreeSet<usize>,
    ) -> Both<'r> {
        Both {
            told,
            declared,
            by_function: self.reported(told),
            by_tags: self.reported_by_tags(declared),
            skipped,
        }
    }

    fn reported<'r>(&self, told: &'r [Heard<'r>]) -> Reported<'r> {
        let mut made = Reported::new();
        for one in told {
            for rule in &*one.rules {
                let group = self.judging.group[*rule];
                if self.live.contains(&group) && self.judging.reading.rules[*rule].tags.is_ok() {
                    let key = (&*one.told.kind, plain(&one.told.field));
                    made.entry(group).or_default().insert(key, &one.told.origin);
                }
            }
        }
        made
    }

    fn reported_by_tags<'r>(&self, declared: &'r [Declared]) -> Reported<'r> {
        let mut made = Reported::new();
        for one in declared {
            if let Some(group) = one.tag.as_ref().and_then(|tag| self.by_tag.get(tag)) {
                let key = (&*one.kind, &*one.field);
                made.entry(*group).or_default().insert(key, &one.origin);
            }
        }
        made
    }

    /// Groups about which the two sides differ.
    fn differences(&self, both: &Both<'_>) -> BTreeSet<usize> {
        let none = BTreeMap::new();
        let groups: BTreeSet<usize> = both
            .by_function
            .keys()
            .chain(both.by_tags.keys())
            .copied()
            .collect();
        let wrong = groups.into_iter().filter(|group| {
            let function = both.by_function.get(group).unwrap_or(&none);
            let tags = both.by_tags.get(group).unwrap_or(&none);
            let is_stopped = |field: &str| {
                let above = |one: &&Declared| one.stops && is_within(field, &one.field);
                both.declared.iter().find(above).is_some()
            };
            let mut function_keys = function.keys();
            let missing = function_keys.any(|key| !tags.contains_key(key) && !is_stopped(key.1));
            let mut tags = tags.iter();
            let is_extra = |(key, origin): (&(&str, &str), &&str)| match function.get(key) {
                None => !both.is_told(*key, origin) && self.refusals(both.told, key.1).next().is_none(),
                Some(own) => !own.is_empty() && !origin.is_empty() && own != origin,
            };
            !both.skipped.contains(group) && (missing || tags.any(is_extra))
        });
        wrong.collect()
    }

    fn count(&mut self, case: usize, both: &Both<'_>, wrong: &BTreeSet<usize>) {
        self.compared += 1;
        let found = self.left_out(case, both, wrong);
        let beside: BTreeSet<usize> = found.iter().map(|one| one.group).collect();
        for group in beside {
            *self.left_out.entry(group).or_default() += 1;
        }
        for one in found {
            let alike = self.alike.entry((one.group, one.by.clone())).or_default();
            // What is refused for several errors is harder to repair.
            let is_kept = if one.only { alike.0 < KEPT } else { alike.1 < 1 };
            if is_kept {
                alike.0 += usize::from(one.only);
                alike.1 += 1;
                self.besides.push(one);
            }
        }
        let mut fired: BTreeSet<usize> = BTreeSet::new();
        for one in both.told {
            let key = (&*one.told.kind, plain(&one.told.field));
            for rule in &*one.rules {
                let group = self.judging.group[*rule];
                let Some(origin) = both.by_tags.get(&group).and_then(|tags| tags.get(&key)) else {
                    continue;
                };
                if wrong.contains(&group) || !fired.insert(*rule) {
                    continue;
                }
                let refused = self.refused.entry(*rule).or_default();
                refused.0 += 1;
                if refused.1 != **origin {
                    refused.1 = (*origin).to_owned();
                }
                if self.judging.keeps_agreed {
                    let refused = self.refusals(both.told, key.1);
                    let refused = refused.map(|(one, _)| named(one)).collect();
                    self.agreed.push(Agreed { case, group, refused });
                }
            }
        }
    }

    /// Errors of tags that the function leaves out because it refuses something else first.
    fn left_out(&self, case: usize, both: &Both<'_>, wrong: &BTreeSet<usize>) -> Vec<Beside> {
        let mut made = Vec::new();
        for (group, tags) in &both.by_tags {
            if wrong.contains(group) || both.skipped.contains(group) {
                continue;
            }
            let function = both.by_function.get(group);
            let is_left_out = |(key, origin): &(&(&str, &str), &&str)| {
                !function.is_some_and(|function| function.contains_key(*key)) && !both.is_told(**key, origin)
            };
            for (key, _) in tags.iter().filter(is_left_out) {
                let refusals: Vec<(&Told, &str)> = self.refusals(both.told, key.1).collect();
                let only = refusals.len() == 1;
                made.extend(refusals.into_iter().map(|(one, root)| Beside {
                    case,
                    group: *group,
                    field: key.1.to_owned(),
                    root: root.to_owned(),
                    by: named(one),
                    only,
                }));
            }
        }
        made
    }

    /// Errors because of which the function may not look at a field, and the part into which it looks no further: it refuses
    /// something that has the field, or the discriminator of a member that is or has it.
    fn refusals<'t, 'f>(
        &'f self,
        told: &'f [Heard<'t>],
        field: &'f str,
    ) -> impl Iterator<Item = (&'t Told, &'t str)> + 'f {
        told.iter().filter_map(move |one| {
            let above = plain(&one.told.field);
            if !above.is_empty() && above != field && is_within(field, above) {
                return Some((one.told, above));
            }
            let (holder, name) = above.rsplit_once('.').unwrap_or(("", above));
            let is_decided = is_within(field, holder) && self.is_decided_by(name, holder, field);
            is_decided.then_some((one.told, holder))
        })
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
            touched: std::mem::take(&mut self.touched),
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
            if self.compared > 0 {
                let (refused, origin) = self.refused.remove(&index).unwrap_or_default();
                tally.counts.insert(
                    index,
                    Count {
                        objects: self.compared,
                        refused,
                        quiet: self.compared - refused,
                        origin,
                        with_create: alone.is_some() && self.subject.update.is_some(),
                        beside: self.left_out.get(&group).copied().unwrap_or_default(),
                    },
                );
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
fn keep(
    known: &mut HashMap<usize, Verdict>,
    found: &BTreeSet<usize>,
    both: &Both<'_>,
    (new, old): (&str, Option<&str>),
) {
    let shown = |all: Option<&BTreeMap<(&str, &str), &str>>| {
        let keys = all.into_iter().flat_map(BTreeMap::keys);
        keys.map(|(kind, field)| format!("{field}: {kind}")).collect()
    };
    for group in found {
        known.entry(*group).or_insert_with(|| Verdict::Refuted {
            new: new.to_owned(),
            old: old.map(str::to_owned),
            function: shown(both.by_function.get(group)),
            tags: shown(both.by_tags.get(group)),
        });
    }
}
