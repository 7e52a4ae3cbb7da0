//! Several releases of Kubernetes: which of them rejects what, and what an upgrade changes.

use std::collections::BTreeSet;

use kindsmith_json::{Arena, Value, parse_str, to_string};
use kindsmith_object::Release;
use kindsmith_source::{Diagnostic, Severity};

use super::Args;
use super::examine::Examined;
use super::stored::Stored;
use crate::error::Error;
use crate::finding;
use crate::terminal::Terminal;

/// What all releases of a range say; each finding names the releases unless all have it.
pub(super) fn range(args: &Args, releases: &[Release], terminal: &Terminal) -> Result<Examined, Error> {
    let mut rounds = rounds(args, releases, terminal)?;
    let mut merged: Vec<(Diagnostic, Vec<Release>)> = Vec::new();
    for (release, examined) in &rounds {
        for found in examined.findings.all(true) {
            match merged.iter_mut().find(|(known, _)| is_same(known, &found)) {
                Some((_, having)) if !having.contains(release) => having.push(*release),
                Some(_) => {}
                None => merged.push((found, vec![*release])),
            }
        }
    }
    let all = merged.into_iter().map(|(mut found, having)| {
        if having.len() < releases.len() {
            found.message = format!("{} (Kubernetes {})", found.message, names(&having));
        }
        found
    });
    let all = all.collect();
    let mut last = rounds.remove(rounds.len() - 1).1;
    last.findings.replace(all);
    Ok(last)
}

/// What an upgrade from the first to the last release changes: findings that the first one does not have, and fields that get
/// another value.
pub(super) fn upgrade(args: &Args, releases: &[Release], terminal: &Terminal) -> Result<Examined, Error> {
    let mut rounds = rounds(args, releases, terminal)?;
    let before = rounds.remove(0).1;
    let known = before.findings.all(true);
    let mut news: Vec<(Diagnostic, Option<Release>)> = Vec::new();
    let mut objects = before.stored;
    for (release, examined) in &mut rounds {
        for found in examined.findings.all(true) {
            let mut all = known.iter().chain(news.iter().map(|(found, _)| found));
            let is_known = all.any(|other| is_same(other, &found) || is_refused_too(other, &found));
            if found.finding != &finding::DEFAULTED && !is_known {
                news.push((found, Some(*release)));
            }
        }
        for new in &examined.stored {
            let old = objects.iter().find(|old| old.span == new.span);
            let changes = old.map(|old| changes(old, new, *release));
            news.extend(changes.into_iter().flatten().map(|found| (found, None)));
        }
        objects.clone_from(&examined.stored);
    }
    let news = news.into_iter().map(|(mut found, since)| {
        // What was removed says since when.
        if let Some(release) = since.filter(|_| found.finding != &finding::NO_SCHEMA) {
            found.message = format!("{} (from Kubernetes {release} on)", found.message);
        }
        found
    });
    let news = news.collect();
    let mut last = rounds
        .pop()
        .ok_or_else(|| Error::usage("--upgrade needs two releases"))?
        .1;
    last.findings.replace(news);
    Ok(last)
}

fn rounds(args: &Args, releases: &[Release], terminal: &Terminal) -> Result<Vec<(Release, Examined)>, Error> {
    releases
        .iter()
        .map(|release| Ok((*release, args.examine(*release, terminal)?)))
        .collect()
}

/// The same finding, whichever release it names.
fn is_same(one: &Diagnostic, other: &Diagnostic) -> bool {
    one.finding == other.finding
        && one.span == other.span
        && nameless(&one.message) == nameless(&other.message)
}

/// Whether both are errors at one place. What is refused already does not stop working because the words change.
fn is_refused_too(one: &Diagnostic, other: &Diagnostic) -> bool {
    let are_errors = [one, other].iter().all(|found| found.severity == Severity::Error);
    are_errors && one.finding == other.finding && one.span == other.span && one.finding != &finding::NO_SCHEMA
}

fn nameless(message: &str) -> String {
    Release::KNOWN.iter().fold(message.to_owned(), |text, release| {
        text.replace(&format!("Kubernetes {release}"), "Kubernetes")
    })
}

fn names(releases: &[Release]) -> String {
    let names: Vec<String> = releases.iter().map(ToString::to_string).collect();
    names.join(", ")
}

/// Fields that get another value in a release.
fn changes(old: &Stored, new: &Stored, release: Release) -> Vec<Diagnostic> {
    let arena = Arena::new();
    let (Ok(before), Ok(after)) = (parse_str(&arena, &old.text), parse_str(&arena, &new.text)) else {
        return Vec::new();
    };
    let (mut left, mut right) = (BTreeSet::new(), BTreeSet::new());
    leaves(before, &mut String::new(), &mut left);
    leaves(after, &mut String::new(), &mut right);
    let said = |(path, value): &(String, String), verb: &str| {
        let message = format!("{path}: {value} is {verb} from Kubernetes {release} on");
        Diagnostic::warning(&finding::SERVER_WARNING, new.span, message)
    };
    let gone = left.difference(&right).map(|leaf| said(leaf, "no longer stored"));
    gone.chain(right.difference(&left).map(|leaf| said(leaf, "stored")))
        .collect()
}

/// All values of an object that have no members, with their paths.
fn leaves(value: Value<'_>, path: &mut String, found: &mut BTreeSet<(String, String)>) {
    let length = path.len();
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (key, value) in members {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(key);
                leaves(value, path, found);
                path.truncate(length);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                path.push_str(&format!("[{index}]"));
                leaves(*item, path, found);
                path.truncate(length);
            }
        }
        value => {
            found.insert((path.clone(), to_string(value)));
        }
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_source::{SourceMap, Span};

    use super::*;

    #[test]
    fn values_that_a_release_stores_otherwise_are_told() {
        let mut sources = SourceMap::default();
        let span = Span::new(sources.add("a.yaml".to_owned(), ""), 0, 0);
        let stored = |text: &str| Stored {
            span,
            text: text.to_owned(),
        };
        let (old, new) = (
            stored(r#"{"spec":{"a":[1],"b":2}}"#),
            stored(r#"{"spec":{"a":[1],"c":true}}"#),
        );
        let found = changes(&old, &new, Release::minor(37));
        let texts: Vec<&str> = found.iter().map(|found| found.message.as_str()).collect();
        assert_eq!(
            texts,
            [
                "spec.b: 2 is no longer stored from Kubernetes 1.37 on",
                "spec.c: true is stored from Kubernetes 1.37 on"
            ]
        );
    }
}
