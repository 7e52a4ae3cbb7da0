//! The report of a migration, for people and for scripts.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kindsmith_controller::{Json, Migration, Verdict};
use serde_json::json as object;

use crate::output::pretty;

pub(super) fn text(all: &[Migration], with_bodies: bool) -> String {
    let mut out = String::new();
    for made in all {
        let what = &made.object;
        let _ = writeln!(
            out,
            "{} {}/{}: {}",
            what.kind,
            what.namespace,
            what.name,
            made.verdict.word()
        );
        for (title, lines) in lines(made) {
            for line in lines {
                let _ = writeln!(out, "  {title}: {line}");
            }
        }
        if let Some((method, path, body)) = &made.request {
            let title = match made.verdict {
                Verdict::NotRead => "could send",
                Verdict::Waits => "then sends",
                _ => "sends",
            };
            let _ = writeln!(out, "  {title}: {method} {path}");
            if with_bodies {
                for line in format!("{body:#}").lines() {
                    let _ = writeln!(out, "    {line}");
                }
            }
        }
    }
    let counts: Vec<String> = counts(all)
        .iter()
        .map(|(word, count)| format!("{count} {word}"))
        .collect();
    let objects = if all.len() == 1 { "object" } else { "objects" };
    let _ = writeln!(out, "{} {objects}: {}", all.len(), counts.join(", "));
    out
}

/// What is said about an object.
fn lines(made: &Migration) -> Vec<(&'static str, Vec<String>)> {
    let mut found = Vec::new();
    found.push(("resource", made.identity.iter().cloned().collect()));
    if let Some(plan) = &made.plan {
        let of = |path: &String| {
            let is_declared = plan.declared.contains(path);
            let why = if is_declared {
                " (the kind declares it)"
            } else {
                ""
            };
            format!("{path}{why}")
        };
        let note = |note: &kindsmith_controller::Note| format!("{}: {}", note.path, note.reason);
        found.push(("set", plan.set.iter().map(of).collect()));
        found.push((
            "kept",
            plan.kept
                .iter()
                .map(|kept| format!("{} ({})", kept.path, kept.by))
                .collect(),
        ));
        found.push(("ignored", plan.ignored.iter().map(note).collect()));
        found.push(("refused", plan.refused.iter().map(note).collect()));
    }
    found.push(("note", made.notes.clone()));
    found
}

fn counts(all: &[Migration]) -> Vec<(&'static str, usize)> {
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    for made in all {
        *counts.entry(made.verdict).or_default() += 1;
    }
    counts
        .into_iter()
        .map(|(verdict, count)| (verdict.word(), count))
        .collect()
}

pub(super) fn json(all: &[Migration]) -> String {
    let objects: Vec<Json> = all.iter().map(one).collect();
    let summary: serde_json::Map<String, Json> = counts(all)
        .into_iter()
        .map(|(word, count)| (word.to_owned(), count.into()))
        .collect();
    pretty(&object!({ "objects": objects, "summary": summary }))
}

fn one(made: &Migration) -> Json {
    let what = &made.object;
    let notes = |notes: &[kindsmith_controller::Note]| -> Vec<Json> {
        notes
            .iter()
            .map(|note| object!({ "path": note.path, "reason": note.reason }))
            .collect()
    };
    let plan = made.plan.as_ref();
    object!({
        "apiVersion": what.api_version,
        "kind": what.kind,
        "namespace": what.namespace,
        "name": what.name,
        "resource": made.identity,
        "verdict": made.verdict.word(),
        "set": plan.map(|plan| plan.set.clone()).unwrap_or_default(),
        "declared": plan.map(|plan| plan.declared.clone()).unwrap_or_default(),
        "kept": plan.map(|plan| plan.kept.iter().map(|kept| kept.path.clone()).collect::<Vec<_>>()).unwrap_or_default(),
        "ignored": plan.map(|plan| notes(&plan.ignored)).unwrap_or_default(),
        "refused": plan.map(|plan| notes(&plan.refused)).unwrap_or_default(),
        "notes": made.notes,
        "request": made.request.as_ref().map(|(method, path, body)| {
            object!({ "method": method, "path": path, "body": body })
        }),
    })
}
