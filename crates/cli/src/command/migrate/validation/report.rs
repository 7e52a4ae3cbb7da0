//! What `migrate validation` prints.

use kindsmith_go::Read;
use kindsmith_migrate::edit;
use kindsmith_migrate::proof::Verdict;
use kindsmith_migrate::validation::{PathStep, Rule, Tag};
use kindsmith_schema::Owner;
use serde_json::{Value, json};

use super::{Args, Found};

/// Lines of an object that are shown.
const LONGEST: usize = 300;

impl Args {
    pub(super) fn text(&self, types: &Read, found: &[Found]) -> String {
        let mut out = String::new();
        for found in found {
            for index in 0..found.reading.rules.len() {
                self.rule_text(types, found, index, &mut out);
            }
            for unread in found.reading.unread.iter().filter(|_| self.by_hand) {
                let at = found.file(unread.file);
                out.push_str(&format!("{at}:{}: not read: {}\n", unread.line, unread.why));
            }
        }
        out
    }

    fn rule_text(&self, types: &Read, found: &Found, index: usize, out: &mut String) {
        let rule = &found.reading.rules[index];
        let head = format!(
            "{}:{}: {:?} at {}",
            found.file(rule.emit.file),
            rule.emit.line,
            rule.emit.error,
            field(rule)
        );
        if let Err(why) = found.proposal(index) {
            if self.by_hand {
                out.push_str(&format!("{head} stays: {why}\n"));
            }
            return;
        }
        let tags = rule.tags.as_ref().map_or(&[][..], |tags| tags);
        let shown: Vec<&Tag> = tags.iter().filter(|tag| self.all || !tag.present).collect();
        if shown.is_empty() {
            return;
        }
        out.push_str(&format!("{head}\n"));
        for line in found.written(rule) {
            out.push_str(&format!("    | {line}\n"));
        }
        for tag in shown {
            let (name, place) = owner(types, tag.owner);
            let state = if tag.present { " (there already)" } else { "" };
            out.push_str(&format!(
                "    {place}: {name}: {}{state}\n",
                self.leveled(&tag.text)
            ));
        }
        for companion in &rule.companions {
            let (name, place) = owner(types, Owner::Field(companion.field));
            if found.has_insert(&place, &companion.text) {
                out.push_str(&format!(
                    "    {place}: {name}: {}\n",
                    self.leveled(&companion.text)
                ));
            }
        }
        out.push_str(&format!("    {}\n", proven(&found.proof.verdicts[index])));
    }

    pub(super) fn document(&self, types: &Read, found: &[Found]) -> Value {
        let mut rules = Vec::new();
        let mut unread = Vec::new();
        for found in found {
            for (index, rule) in found.reading.rules.iter().enumerate() {
                let proposal = found.proposal(index);
                let tags = match (&proposal, &rule.tags) {
                    (Ok(()), Ok(tags)) => &tags[..],
                    _ => &[],
                };
                let mut tags: Vec<Value> = tags
                    .iter()
                    .map(|tag| {
                        let (name, place) = owner(types, tag.owner);
                        json!({"tag": self.leveled(&tag.text), "on": name, "at": place, "present": tag.present})
                    })
                    .collect();
                if proposal.is_ok() {
                    for companion in &rule.companions {
                        let (name, place) = owner(types, Owner::Field(companion.field));
                        if found.has_insert(&place, &companion.text) {
                            tags.push(json!({"tag": self.leveled(&companion.text), "on": name, "at": place, "present": false}));
                        }
                    }
                }
                rules.push(json!({
                    "file": found.file(rule.emit.file),
                    "line": rule.emit.line,
                    "calls": calls(found, rule),
                    "function": rule.emit.function,
                    "error": format!("{:?}", rule.emit.error),
                    "field": field(rule),
                    "origin": rule.emit.origin,
                    "covered": rule.emit.covered,
                    "tags": tags,
                    "proof": proof(&found.proof.verdicts[index]),
                    "why": proposal.err(),
                }));
            }
            for one in &found.reading.unread {
                unread.push(json!({
                    "file": found.file(one.file),
                    "line": one.line,
                    "function": one.function,
                    "why": one.why,
                }));
            }
        }
        json!({"rules": rules, "unread": unread})
    }
}

fn proven(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Proven {
            objects,
            refused,
            with_create,
            beside,
            ..
        } => {
            let updates = if *with_create {
                ", if updates are also validated as new objects"
            } else {
                ""
            };
            let above = if *beside > 0 {
                format!(
                    "; {beside} refused by the function for an error above the field, by the tag also for this one"
                )
            } else {
                String::new()
            };
            format!("proven: {objects} objects tried, {refused} refused by both{updates}{above}")
        }
        Verdict::Untried(why) => format!("not proven: {why}"),
        Verdict::Refuted { .. } => format!("refuted: {}", difference(verdict)),
    }
}

/// Where function and tags differ.
pub(super) fn difference(verdict: &Verdict) -> String {
    let Verdict::Refuted {
        new,
        old,
        function,
        tags,
    } = verdict
    else {
        return String::new();
    };
    let said = |all: &[String]| {
        if all.is_empty() {
            "nothing".to_owned()
        } else {
            all.join(", ")
        }
    };
    let short = |text: &String| match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.clone(),
    };
    let before = old
        .as_ref()
        .map_or_else(String::new, |old| format!(" after {}", short(old)));
    format!(
        "for {}{before} the function reports {}, the tag {}",
        short(new),
        said(function),
        said(tags)
    )
}

fn proof(verdict: &Verdict) -> Value {
    match verdict {
        Verdict::Proven {
            objects,
            refused,
            with_create,
            beside,
            ..
        } => {
            json!({"state": "proven", "objects": objects, "refused": refused, "withCreate": with_create, "beside": beside})
        }
        Verdict::Untried(why) => json!({"state": "not proven", "why": why}),
        Verdict::Refuted {
            new,
            old,
            function,
            tags,
        } => {
            let object = |text: &String| serde_json::from_str::<Value>(text).unwrap_or_default();
            json!({
                "state": "refuted",
                "object": object(new),
                "old": old.as_ref().map(object),
                "function": function,
                "tags": tags,
            })
        }
    }
}

fn calls(found: &Found, rule: &Rule) -> Vec<Value> {
    let calls = found.calls(rule).into_iter();
    calls
        .map(|(file, first, last)| json!({"file": file, "first": first, "last": last}))
        .collect()
}

/// The field that an error names, below that of its function.
pub(super) fn field(rule: &Rule) -> String {
    let mut out = String::new();
    for step in &rule.emit.path {
        match step {
            PathStep::Child(name) => {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(name);
            }
            PathStep::Index => out.push_str("[*]"),
            PathStep::Key => out.push_str("[key]"),
        }
    }
    if out.is_empty() {
        "the object itself".to_owned()
    } else {
        out
    }
}

/// The name of the type or field that gets a tag, and its place.
fn owner(types: &Read, owner: Owner) -> (String, String) {
    let schema = &types.schema;
    let name = match owner {
        Owner::Field(id) => format!("{}.{}", schema.ty(id.owner).name.name, schema.field(id).name),
        Owner::Type(id) => schema.ty(id).name.name.to_string(),
        _ => String::new(),
    };
    let place = edit::place(types, owner);
    let place = place.map_or_else(String::new, |(file, line)| format!("{file}:{}", line + 1));
    (name, place)
}

pub(super) fn summary(found: &[Found], proposed: usize) -> String {
    let all = || {
        found
            .iter()
            .flat_map(|found| (0..found.reading.rules.len()).map(move |index| (found, index)))
    };
    let read = all().count();
    let said = all()
        .filter(|(found, index)| found.proposal(*index).is_ok())
        .count();
    let proven = all().filter(|(found, index)| found.is_proven(*index)).count();
    let unread: usize = found.iter().map(|found| found.reading.unread.len()).sum();
    format!(
        "{read} errors read, {said} of them can be said with tags, {proven} proven, {proposed} tags proposed; {} stay in Go, {unread} calls \
         not read (see `--by-hand`)",
        read - said
    )
}
