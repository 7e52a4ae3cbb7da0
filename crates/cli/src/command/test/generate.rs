//! `kindsmith test --generate`: proposes suites.

use std::path::Path;
use std::sync::Arc;

use kindsmith_ruletest::Subject;
use kindsmith_ruletest::explore::Kind;
use kindsmith_ruletest::generate::{Proposal, generate};

use super::Args;
use crate::Outcome;
use crate::error::Error;
use crate::terminal::Terminal;

impl Args {
    pub(super) fn propose(&self, terminal: &Terminal) -> Result<Outcome, Error> {
        if self.types.is_empty() && self.crds.is_empty() {
            let error = Error::usage("no schemas given");
            return Err(error.hint("name Go packages with `--types` or CRDs with `--crds`"));
        }
        let read = Arc::new(self.types.read(terminal)?);
        let kinds = self.types.kinds(&read, self.crds.read(terminal)?, terminal)?;
        let subject = Subject::checked("", kinds.with_release(self.release.release()?));
        let subject = subject.map_err(|error| Error::input(error.to_string()))?;
        let mut kinds = Kind::all(&subject, self.types.profile.into());
        kinds.retain(|kind| self.kind.as_ref().is_none_or(|wanted| *wanted == kind.kind));
        match (&self.out, &kinds[..]) {
            (_, []) => {
                Err(Error::input("no such kind").hint("a kind is a CRD, or a Go type with ObjectMeta"))
            }
            (Some(directory), kinds) => self.write_all(kinds, directory, terminal),
            (None, [kind]) => {
                let proposal = generate(kind, &self.head(Path::new("")));
                terminal.print(&proposal.text)?;
                told(kind, &proposal, terminal);
                Ok(Outcome::Clean)
            }
            (None, kinds) => {
                let names: Vec<&str> = kinds.iter().map(|kind| &*kind.kind).collect();
                let error = Error::usage(format!("there are several kinds: {}", names.join(", ")));
                Err(error.hint("choose one with `--kind`, or write files with `--out`"))
            }
        }
    }

    fn write_all(&self, kinds: &[Kind<'_>], directory: &Path, terminal: &Terminal) -> Result<Outcome, Error> {
        let denied =
            |path: &Path, error| Error::environment(format!("cannot write {}: {error}", path.display()));
        std::fs::create_dir_all(directory).map_err(|error| denied(directory, error))?;
        for kind in kinds {
            let proposal = generate(kind, &self.head(directory));
            if proposal.cases == 0 {
                terminal.say(&format!("{} {}: no rules", kind.api_version, kind.kind));
                continue;
            }
            let version = kind.api_version.rsplit('/').next().unwrap_or_default();
            let path = directory.join(format!("{}.{version}.yaml", kind.kind.to_lowercase()));
            if path.exists() {
                return Err(Error::input(format!(
                    "{} exists; remove it or choose another directory",
                    path.display()
                )));
            }
            std::fs::write(&path, &proposal.text).map_err(|error| denied(&path, error))?;
            told(kind, &proposal, terminal);
        }
        Ok(Outcome::Clean)
    }

    /// The lines that say what a suite in this directory runs against.
    fn head(&self, directory: &Path) -> String {
        let from = |path: &Path| {
            let up = directory.components().map(|_| "../").collect::<String>();
            match (path.is_absolute(), directory.is_absolute()) {
                (true, _) => path.display().to_string(),
                (false, true) => std::path::absolute(path)
                    .map_or_else(|_| path.display().to_string(), |path| path.display().to_string()),
                (false, false) => format!("{up}{}", path.display().to_string().trim_start_matches("./")),
            }
        };
        let list = |key: &str, paths: Vec<String>| {
            if paths.is_empty() {
                String::new()
            } else {
                format!("{key}: [{}]\n", paths.join(", "))
            }
        };
        let crds = self.crds.paths().iter().map(|path| from(path)).collect();
        let types = self
            .types
            .patterns()
            .iter()
            .map(|pattern| from(Path::new(pattern)))
            .collect();
        list("crds", crds) + &list("types", types)
    }
}

fn told(kind: &Kind<'_>, proposal: &Proposal, terminal: &Terminal) {
    terminal.say(&format!(
        "{} {}: {} cases, {} left to write by hand",
        kind.api_version,
        kind.kind,
        proposal.cases,
        proposal.missing.len()
    ));
}
