//! Proposes cases: for every rule an object that just keeps it and one that just breaks it, for every update rule the
//! transitions, for every default and value one object. What is proposed is what coverage counts.

use std::collections::BTreeSet;

use kindsmith_json::write::{Order, to_yaml};
use kindsmith_json::{Arena, parse_str};
use serde_json::{Map, Value as Json};

use crate::compare::is_consequence;
use crate::coverage::{Coverage, FAILED, Item, PASSED, SEEN};
use crate::explore::{Answer, Kind};
use crate::sample::{Candidate, candidates};
use crate::yaml_text::quoted;

/// Objects at one place that are tried as old and as new ones.
const MAX_OBJECTS: usize = 8;

/// A proposed suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The suite, as YAML.
    pub text: String,
    /// The number of cases.
    pub cases: usize,
    /// What no tried object touches, for the user to write by hand.
    pub missing: Vec<String>,
}

/// An object that was tried.
struct Tried {
    path: String,
    object: Json,
    value: Option<Json>,
    old: Option<Json>,
    /// Whether the options of the kind are on.
    has_options: bool,
    answer: Answer,
    touched: Vec<(usize, u8)>,
    size: usize,
}

impl Tried {
    /// What makes a case worse: options, errors, length.
    fn cost(&self) -> (bool, usize, usize) {
        (self.has_options, self.answer.errors.len(), self.size)
    }
}

/// Proposes a suite for a kind. `head` are the lines that say what the suite runs against.
#[must_use]
pub fn generate(kind: &Kind<'_>, head: &str) -> Proposal {
    let base = base(kind);
    let mut coverage = Coverage::default();
    let mut tried = explored(kind, &base, &mut coverage);
    if !kind.option_names.is_empty() {
        let with_options = explored(&kind.with_options(true), &base, &mut coverage);
        tried.extend(with_options.into_iter().map(|one| Tried {
            has_options: true,
            ..one
        }));
    }
    let items = items(&coverage);
    let chosen = choose(&items, &tried);
    let missing = missing(&items, &chosen, &tried);
    Proposal {
        cases: chosen.len(),
        text: write(kind, head, &base, &items, &tried, &chosen, &missing),
        missing,
    }
}

fn items(coverage: &Coverage) -> Vec<Item> {
    let first = coverage.kinds().next();
    first.map(|(.., known)| known.items.clone()).unwrap_or_default()
}

/// Tries the base, candidates made from it, and updates between those that are accepted.
fn explored(kind: &Kind<'_>, base: &Json, coverage: &mut Coverage) -> Vec<Tried> {
    let first = Candidate {
        path: String::new(),
        object: base.clone(),
        value: None,
    };
    let all = [first].into_iter().chain(candidates(&kind.schema, base));
    let mut tried: Vec<Tried> = all
        .map(|candidate| attempt(kind, candidate, None, coverage))
        .collect();
    updates(kind, &items(coverage), &mut tried, coverage);
    tried
}

/// The smallest valid object; where the smallest is not valid, the first candidate that is.
fn base(kind: &Kind<'_>) -> Json {
    let mut base = kind.smallest();
    for _ in 0..4 {
        let errors = |object: &Json| kind.review(object, None, &mut |_| ()).errors.len();
        let here = errors(&base);
        if here == 0 {
            break;
        }
        let better = candidates(&kind.schema, &base)
            .into_iter()
            .map(|candidate| candidate.object);
        let mut better: Vec<(usize, usize, Json)> = better
            .map(|object| (errors(&object), object.to_string().len(), object))
            .collect();
        better.sort_by_key(|(errors, size, _)| (*errors, *size));
        match better.into_iter().next() {
            Some((fewer, _, object)) if fewer < here => base = object,
            _ => break,
        }
    }
    base
}

fn attempt(kind: &Kind<'_>, candidate: Candidate, old: Option<Json>, coverage: &mut Coverage) -> Tried {
    let Candidate { path, object, value } = candidate;
    let mut touched = Vec::new();
    let answer = kind.review(&object, old.as_ref(), &mut |seen| {
        touched = coverage.touched(seen);
    });
    let size = object.to_string().len() + old.as_ref().map_or(0, |old| old.to_string().len());
    Tried {
        path,
        object,
        value,
        old,
        has_options: false,
        answer,
        touched,
        size,
    }
}

/// Tries updates between accepted objects that differ at the place of an update rule, or below it.
fn updates(kind: &Kind<'_>, items: &[Item], tried: &mut Vec<Tried>, coverage: &mut Coverage) {
    let is_about_updates = |item: &&Item| item.what.contains("oldSelf") || item.what.contains(" to ");
    let by_tag = |item: &&Item| {
        ["immutable", "update", "monotonic"]
            .iter()
            .any(|tag| item.what.contains(tag))
    };
    let paths: BTreeSet<&str> = items
        .iter()
        .filter(|item| is_about_updates(item) || by_tag(item))
        .map(|item| &*item.path)
        .collect();
    let mut more = Vec::new();
    for path in paths {
        let accepted = tried
            .iter()
            .filter(|one| one.old.is_none() && one.answer.errors.is_empty());
        let rank = |one: &Tried| match &*one.path {
            "" => 2,
            own if own == path => 0,
            _ => 1,
        };
        let near = accepted.filter(|one| one.path.is_empty() || one.path.starts_with(path));
        let mut near: Vec<&Tried> = near.collect();
        near.sort_by_key(|one| (rank(one), one.size));
        let mut objects: Vec<&Json> = vec![&tried[0].object];
        for one in near {
            if objects.len() < MAX_OBJECTS && !objects.contains(&&one.object) {
                objects.push(&one.object);
            }
        }
        for old in &objects {
            more.extend(
                objects
                    .iter()
                    .map(|new| (path.to_owned(), (*new).clone(), (*old).clone())),
            );
        }
    }
    for (path, object, old) in more {
        let value = None;
        tried.push(attempt(
            kind,
            Candidate { path, object, value },
            Some(old),
            coverage,
        ));
    }
}

/// The smallest set of tries, in the order of fields: for each thing wanted, the try that shows it best.
fn choose(items: &[Item], tried: &[Tried]) -> Vec<(usize, usize, u8)> {
    let mut chosen: Vec<(usize, usize, u8)> = Vec::new();
    for (index, (item, touching)) in items.iter().zip(touching(items.len(), tried)).enumerate() {
        let shows = |hit: u8| {
            let all = touching.iter().filter(move |(_, hits)| hits & hit != 0);
            all.map(|(at, _)| (*at, &tried[*at]))
        };
        if item.is_rule() {
            let broken: Vec<(usize, &Tried)> = shows(FAILED).collect();
            let kept: Vec<(usize, &Tried)> = shows(PASSED)
                .filter(|(_, one)| one.answer.errors.is_empty())
                .collect();
            let (broken, kept) = nearest(&broken, &kept);
            chosen.extend(broken.map(|at| (index, at, FAILED)));
            chosen.extend(kept.map(|at| (index, at, PASSED)));
        } else if item.wants(SEEN) {
            let seen = shows(SEEN).min_by_key(|(_, one)| one.cost());
            chosen.extend(seen.map(|(at, _)| (index, at, SEEN)));
        }
    }
    // One object may be the best for several items.
    let mut used = BTreeSet::new();
    chosen.retain(|(_, at, _)| used.insert(*at));
    chosen
}

/// For each item the tries that touch it, and how.
fn touching(items: usize, tried: &[Tried]) -> Vec<Vec<(usize, u8)>> {
    let mut all = vec![Vec::new(); items];
    for (at, one) in tried.iter().enumerate() {
        for (index, hits) in &one.touched {
            all[*index].push((at, *hits));
        }
    }
    all
}

/// The object that breaks a rule with the fewest errors, and the one that keeps it and is most like it.
fn nearest(broken: &[(usize, &Tried)], kept: &[(usize, &Tried)]) -> (Option<usize>, Option<usize>) {
    let fewest = broken.iter().map(|(_, one)| one.answer.errors.len()).min();
    let best = broken
        .iter()
        .filter(|(_, one)| Some(one.answer.errors.len()) == fewest);
    let pairs = best.flat_map(|broken| kept.iter().map(move |kept| (broken, kept)));
    let pairs = pairs.filter(|(broken, kept)| {
        broken.1.old.is_some() == kept.1.old.is_some() && broken.1.has_options == kept.1.has_options
    });
    let pair = pairs.min_by_key(|(broken, kept)| {
        let (broken, kept) = (broken.1, kept.1);
        (
            broken.has_options,
            broken.path != kept.path,
            distance(broken, kept),
            broken.size + kept.size,
        )
    });
    if let Some((broken, kept)) = pair {
        return (Some(broken.0), Some(kept.0));
    }
    let smallest = |all: &[(usize, &Tried)]| {
        let least = all.iter().min_by_key(|(_, one)| one.cost());
        least.map(|(at, _)| *at)
    };
    (smallest(broken), smallest(kept))
}

/// How much two objects differ: by the number at their place, otherwise in length.
fn distance(left: &Tried, right: &Tried) -> u64 {
    let number = |one: &Tried| one.value.as_ref().and_then(Json::as_i64);
    match (number(left), number(right)) {
        (Some(left), Some(right)) => left.abs_diff(right),
        _ => left.size.abs_diff(right.size) as u64,
    }
}

fn missing(items: &[Item], chosen: &[(usize, usize, u8)], tried: &[Tried]) -> Vec<String> {
    let mut hits = vec![0u8; items.len()];
    for (_, at, _) in chosen {
        for (index, hit) in &tried[*at].touched {
            hits[*index] |= hit;
        }
    }
    let mut all = Vec::new();
    for (item, hits) in items.iter().zip(hits) {
        for (hit, text) in [(FAILED, "breaks"), (PASSED, "keeps"), (SEEN, "touches")] {
            if item.wants(hit) && hits & hit == 0 {
                all.push(format!("{} {}: no tried object {text} it", item.path, item.what));
            }
        }
    }
    all
}

fn write(
    kind: &Kind<'_>,
    head: &str,
    base: &Json,
    items: &[Item],
    tried: &[Tried],
    chosen: &[(usize, usize, u8)],
    missing: &[String],
) -> String {
    let mut out = String::from("# Cases proposed by `kindsmith test --generate`: read them as code.\n");
    for line in missing {
        out += &format!("# Missing: {}\n", line.replace('\n', " "));
    }
    out += &format!(
        "apiVersion: kindsmith.dev/v1\nkind: RuleTests\nname: {}\n{head}{}base:\n",
        kind.kind,
        options(kind, false).map(|line| line + "\n").unwrap_or_default()
    );
    out += &indented(base, "  ");
    out += "tests:\n";
    let mut names = BTreeSet::new();
    for (table, is_update) in [("onCreate", false), ("onUpdate", true)] {
        let cases: Vec<_> = chosen
            .iter()
            .filter(|(_, at, _)| tried[*at].old.is_some() == is_update)
            .collect();
        if cases.is_empty() {
            continue;
        }
        out += &format!("  {table}:\n");
        for (index, at, hit) in cases {
            let one = &tried[*at];
            let mut name = name(&items[*index], *hit, one);
            while !names.insert(name.clone()) {
                name.push('\'');
            }
            out += &format!("  - name: {}", scalar(&name));
            if let Some(line) = options(kind, true).filter(|_| one.has_options) {
                out += &format!("    {line}\n");
            }
            let initial = one.old.as_ref().unwrap_or(&one.object);
            out += &member("initial", &overlay(base, initial));
            if is_update {
                out += &member("updated", &overlay(base, &one.object));
            }
            if !one.answer.errors.is_empty() {
                out += "    expectedErrors:\n";
                for error in one.answer.errors.iter().filter(|error| !is_consequence(error)) {
                    out += &format!("    - {}", scalar(error));
                }
            }
        }
    }
    out
}

/// The line that switches all options of a kind, if it has some.
fn options(kind: &Kind<'_>, on: bool) -> Option<String> {
    let names = kind.option_names.iter();
    let switches: Vec<String> = names.map(|name| format!("{name}: {on}")).collect();
    (!switches.is_empty()).then(|| format!("options: {{{}}}", switches.join(", ")))
}

fn name(item: &Item, hit: u8, one: &Tried) -> String {
    let what = item.what.trim_start_matches("rule: ").replace('\n', " ");
    let does = match (hit, one.answer.errors.is_empty()) {
        (FAILED, _) => "is broken",
        (PASSED, _) => "is kept",
        (_, true) => "is accepted",
        (_, false) => "is refused",
    };
    match &*item.path {
        "" => format!("{what} {does}"),
        path => format!("{path}: {what} {does}"),
    }
}

fn member(key: &str, value: &Json) -> String {
    if value.as_object().is_some_and(Map::is_empty) {
        format!("    {key}: {{}}\n")
    } else {
        format!("    {key}:\n{}", indented(value, "      "))
    }
}

fn indented(value: &Json, pad: &str) -> String {
    let arena = Arena::new();
    let text = value.to_string();
    let yaml = parse_str(&arena, &text)
        .map(|value| to_yaml(value, Order::Kept))
        .unwrap_or_default();
    yaml.lines().map(|line| format!("{pad}{line}\n")).collect()
}

fn scalar(text: &str) -> String {
    quoted(text) + "\n"
}

/// What to merge over the base to get an object: `null` removes a member.
fn overlay(base: &Json, object: &Json) -> Json {
    let (Json::Object(old), Json::Object(new)) = (base, object) else {
        return object.clone();
    };
    let mut all = Map::new();
    for (key, value) in new {
        match old.get(key) {
            Some(known) if known == value => {}
            Some(known) if known.is_object() && value.is_object() => {
                all.insert(key.clone(), overlay(known, value));
            }
            _ => drop(all.insert(key.clone(), value.clone())),
        }
    }
    for key in old.keys().filter(|key| !new.contains_key(*key)) {
        all.insert(key.clone(), Json::Null);
    }
    Json::Object(all)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn overlays_say_only_what_differs() {
        let base = json!({"a": 1, "b": {"c": 2, "d": 3}});
        let object = json!({"a": 1, "b": {"c": 4}, "e": 5});
        assert_eq!(overlay(&base, &object), json!({"b": {"c": 4, "d": null}, "e": 5}));
    }
}
