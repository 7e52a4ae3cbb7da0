//! `kindsmith test --equivalence`: compares two descriptions of one API.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kindsmith_ruletest::Subject;
use kindsmith_ruletest::equivalence::{Budget, Difference, compare};
use kindsmith_ruletest::explore::{Answer, Kind};

use super::Args;
use crate::Outcome;
use crate::error::Error;
use crate::schemas::CrdsArgs;
use crate::terminal::Terminal;

impl Args {
    pub(super) fn compare(&self, left: &str, right: &str, terminal: &Terminal) -> Result<Outcome, Error> {
        let subjects = (self.side(left, terminal)?, self.side(right, terminal)?);
        let (lefts, rights) = (self.kinds(&subjects.0), self.kinds(&subjects.1));
        let budget = Budget {
            objects: self.budget,
            seed: self.seed,
        };
        let (mut compared, mut outcome) = (0, Outcome::Clean);
        for one in &lefts {
            let is_same = |other: &&Kind<'_>| other.kind == one.kind;
            let is_same_version = |other: &&Kind<'_>| is_same(other) && other.api_version == one.api_version;
            let Some(other) = rights
                .iter()
                .find(is_same_version)
                .or_else(|| rights.iter().find(is_same))
            else {
                continue;
            };
            compared += 1;
            let comparison = compare(one, other, budget);
            match &comparison.difference {
                None => terminal.say(&format!(
                    "{}: {} objects, no difference",
                    one.kind, comparison.tried
                )),
                Some(difference) => {
                    terminal.print(&shown(one, difference, left, right))?;
                    terminal.say(&format!(
                        "{}: different after {} objects",
                        one.kind, comparison.tried
                    ));
                    outcome = Outcome::Findings;
                }
            }
        }
        match compared {
            0 => Err(Error::input(format!("{left} and {right} have no kind in common"))),
            _ => Ok(outcome),
        }
    }

    fn kinds<'s>(&self, side: &'s (Subject, Option<String>)) -> Vec<Kind<'s>> {
        let (subject, version) = side;
        let mut kinds = self.all_kinds(subject);
        kinds.retain(|kind| {
            let own = kind.api_version.rsplit('/').next();
            self.kind.as_ref().is_none_or(|wanted| *wanted == kind.kind)
                && version.as_deref().is_none_or(|version| own == Some(version))
        });
        kinds
    }

    /// One side: a Go package, or CRDs; perhaps with `@VERSION`.
    fn side(&self, text: &str, terminal: &Terminal) -> Result<(Subject, Option<String>), Error> {
        let (path, version) = match text.rsplit_once('@') {
            Some((path, version)) if !Path::new(text).exists() => (path, Some(version.to_owned())),
            _ => (text, None),
        };
        let types = || self.subject(Some(path), &CrdsArgs::default(), terminal);
        let crds = || self.subject(None, &CrdsArgs::of(vec![PathBuf::from(path)]), terminal);
        let subject = if path.ends_with("...") {
            types()?
        } else if has_go_files(Path::new(path)) {
            // CRDs may have a Go file beside them that embeds them.
            match types() {
                Ok(subject) if !self.all_kinds(&subject).is_empty() => subject,
                no_kind => match crds() {
                    Ok(subject) if !self.all_kinds(&subject).is_empty() => subject,
                    _ => no_kind?,
                },
            }
        } else {
            crds()?
        };
        Ok((subject, version))
    }

    fn subject(&self, package: Option<&str>, crds: &CrdsArgs, terminal: &Terminal) -> Result<Subject, Error> {
        let types = self.types.with(package.into_iter().map(str::to_owned));
        let read = Arc::new(types.read(terminal)?);
        let kinds = types.kinds(&read, crds.read(terminal)?, terminal)?;
        let subject = Subject::checked("", kinds.with_release(self.release.release()?));
        subject.map_err(|error| Error::input(error.to_string()))
    }

    fn all_kinds<'s>(&self, subject: &'s Subject) -> Vec<Kind<'s>> {
        Kind::all(subject, self.types.profile.into())
    }
}

fn has_go_files(path: &Path) -> bool {
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| {
        entry
            .path()
            .extension()
            .is_some_and(|extension| extension == "go")
    })
}

fn shown(kind: &Kind<'_>, difference: &Difference, left: &str, right: &str) -> String {
    let mut out = format!("{}: the answers differ\n", kind.kind);
    if let Some(old) = &difference.old {
        out += &format!("old: {old}\n");
    }
    out += &format!("new: {}\n", difference.object);
    for (side, answer) in [(left, &difference.left), (right, &difference.right)] {
        out += &format!("{side}: {}\n", told(answer));
    }
    out
}

fn told(answer: &Answer) -> String {
    match &answer.object {
        Some(object) => format!("accepts and stores {object}"),
        None => format!("refuses: {}", answer.errors.join("; ")),
    }
}
