//! `kindsmith migrate validation`: tags for hand-written validation.

mod equivalence;
mod prove;
mod report;
mod write;

use std::collections::BTreeSet;
use std::path::PathBuf;

use kindsmith_go::Read;
use kindsmith_migrate::edit::{self, Insert};
use kindsmith_migrate::proof::Verdict;
use kindsmith_migrate::validation::{self, FileId, Reading, Rule};

use super::is_unreadable;
use crate::Outcome;
use crate::error::Error;
use crate::go_path;
use crate::input::{self, Input};
use crate::output::{TextOrJson, pretty};
use crate::terminal::Terminal;
use prove::Proof;

/// Propose +k8s: tags for hand-written validation, prove and write them
///
/// Reads functions that take an object and a field path and return field.ErrorList, and helpers of the same module, and
/// finds errors that a tag reports under the same condition: required and forbidden fields, bounds, lengths, formats, enums,
/// immutable fields, unique items, unions, dependent fields, feature gates, each value and each key. Nothing is guessed: error
/// type, field, value and words, or the origin, must agree. The rest is listed with its line and the reason.
///
/// Every proposal is tried: a Go program made for it runs the functions on objects at the edge of every rule, created and
/// updated, and the tags are run on the same objects. What differs is not proposed. Without Go, proposals are not proven.
///
/// The exit status is 1 if there are proposals that were not written.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith migrate validation --types ./api/v1 --validation ./validation
  kindsmith migrate validation --types ./api/v1 --validation ./validation --write
                                                        write proven tags, marks and tests
  kindsmith migrate validation --types ./api/v1 --validation ./validation --since 1.38 --level alpha
  kindsmith migrate validation --types ./api/v1 --validation ./validation --by-hand
                                                        also what stays in Go, and why
  kindsmith migrate validation --types ./api/... --validation ./validation -o json")]
pub(super) struct Args {
    /// Directories of the packages with the types; may be given more than once
    #[arg(long, value_name = "DIR", required = true, value_parser = go_path::parser())]
    types: Vec<String>,
    /// Directories of the packages with the functions; may be given more than once
    #[arg(long, value_name = "DIR", required = true, value_parser = go_path::parser())]
    validation: Vec<String>,
    /// Level of stability to write before tags
    #[arg(long, value_name = "LEVEL", requires = "since")]
    level: Option<Level>,
    /// Release since which the tags have their level, such as 1.38
    #[arg(long, value_name = "RELEASE", requires = "level")]
    since: Option<String>,
    /// Write proven tags, mark the errors that they cover, and write tests
    #[arg(long, conflicts_with = "no_run")]
    write: bool,
    /// Do not run the functions; proposals are not proven
    #[arg(long)]
    no_run: bool,
    /// Also print what stays in Go, and why
    #[arg(long)]
    by_hand: bool,
    /// Also print tags that the types already have
    #[arg(long)]
    all: bool,
    /// Read a module's packages from a directory; may be given more than once
    #[arg(long = "module", value_name = "PATH=DIR", value_parser = input::module)]
    modules: Vec<(String, String)>,
    /// How to print the report
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "text")]
    format: TextOrJson,
}

/// Levels of stability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Level {
    /// Compared with the hand-written rule, not enforced
    Alpha,
    /// Enforced, can be turned off
    Beta,
}

/// A package of functions, as it was read, and what was tried.
struct Found {
    reading: Reading,
    proof: Proof,
    inserts: BTreeSet<Insert>,
}

impl Found {
    fn new(types: &Read, reading: Reading, proof: Proof) -> Self {
        let mut found = Self {
            reading,
            proof,
            inserts: BTreeSet::new(),
        };
        found.inserts = edit::inserts(types, &found.reading, &|index| found.proposal(index).is_ok());
        found
    }

    /// Whether tags are proposed for a rule, or why not.
    fn proposal(&self, index: usize) -> Result<(), String> {
        let rule = &self.reading.rules[index];
        match &rule.tags {
            Err(why) => return Err(why.clone()),
            Ok(tags) if tags.iter().all(|tag| tag.present) => return Ok(()),
            Ok(_) => {}
        }
        match (&self.proof.verdicts[index], &rule.doubt) {
            (verdict @ Verdict::Refuted { .. }, doubt) => {
                let doubt = doubt.as_ref().map_or_else(String::new, |why| format!("{why}; "));
                Err(format!("{doubt}{}", report::difference(verdict)))
            }
            (Verdict::Untried(_), Some(why)) => Err(why.clone()),
            _ => Ok(()),
        }
    }

    fn is_proven(&self, index: usize) -> bool {
        matches!(self.proof.verdicts[index], Verdict::Proven { .. })
    }

    /// The directory of the functions.
    fn directory(&self) -> Option<PathBuf> {
        let package = self.reading.packages.first()?;
        Some(go_path::to_path(&package.directory).into_owned())
    }

    /// The path of a file of the reading.
    fn file(&self, file: FileId) -> String {
        let package = &self.reading.packages[file.package];
        format!("{}/{}", package.directory, package.file_names[file.file])
    }

    /// The lines of the call that reports an error.
    fn written(&self, rule: &Rule) -> Vec<String> {
        let package = &self.reading.packages[rule.emit.file.package];
        let source = package.files[rule.emit.file.file].source();
        let from = source[..rule.emit.start.min(source.len())]
            .rfind('\n')
            .map_or(0, |at| at + 1);
        let end = rule.emit.end.min(source.len());
        let to = source[end..].find('\n').map_or(source.len(), |at| end + at);
        source[from..to]
            .lines()
            .take(4)
            .map(|line| line.trim().to_owned())
            .collect()
    }

    /// The call that makes an error, and those that hand it on: file, first and last line.
    fn calls(&self, rule: &Rule) -> Vec<(String, usize, usize)> {
        let all = std::iter::once(rule.emit.site()).chain(rule.emit.through.iter().copied());
        all.map(|span| {
            let source = self.reading.packages[span.file.package].files[span.file.file].source();
            let line = |at: usize| source[..at.min(source.len())].matches('\n').count() + 1;
            (self.file(span.file), line(span.start), line(span.end))
        })
        .collect()
    }

    fn has_insert(&self, place: &str, text: &str) -> bool {
        self.inserts
            .iter()
            .any(|one| one.text == text && format!("{}:{}", one.file, one.line + 1) == place)
    }
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let input = Input::new(self.types.clone(), self.modules.clone(), input::Profile::Upstream);
        let types = input.read(terminal)?;
        let functions = Input::new(
            self.validation.clone(),
            self.modules.clone(),
            input::Profile::Upstream,
        );
        let mut readings = Vec::new();
        let read = functions.read_after(terminal, false, |loader, packages| {
            for package in packages {
                readings.push(validation::read(loader, package, &types.schema));
            }
        })?;
        if [&types, &read]
            .map(|read| is_unreadable(read, terminal))
            .contains(&true)
        {
            return Ok(Outcome::Findings);
        }
        let found: Vec<Found> = readings
            .into_iter()
            .map(|reading| {
                let proof = self.tried(&types, &input, &reading, terminal);
                Found::new(&types, reading, proof)
            })
            .collect();
        let proposed: usize = found.iter().map(|found| found.inserts.len()).sum();
        let written = if self.write {
            Some(self.write_all(&types, &found, terminal)?)
        } else {
            None
        };
        match self.format {
            TextOrJson::Json => terminal.print(&pretty(&self.document(&types, &found)))?,
            TextOrJson::Text => {
                terminal.print(&self.text(&types, &found))?;
                terminal.say(&report::summary(&found, proposed));
            }
        }
        for line in written.iter().flatten() {
            terminal.say(line);
        }
        let unproven = found.iter().any(|found| {
            (0..found.reading.rules.len())
                .any(|index| found.proposal(index).is_ok() && !found.is_proven(index))
        });
        Ok(match (proposed, written) {
            (0, _) => Outcome::Clean,
            (_, Some(_)) if !unproven => Outcome::Clean,
            _ => Outcome::Findings,
        })
    }

    fn tried(&self, types: &Read, input: &Input, reading: &Reading, terminal: &Terminal) -> Proof {
        let has_new = |rule: &Rule| {
            rule.tags
                .as_ref()
                .is_ok_and(|tags| tags.iter().any(|tag| !tag.present))
        };
        if self.no_run {
            return Proof::none(reading, "the functions were not run");
        }
        if !reading.rules.iter().any(has_new) {
            return Proof::none(reading, "the types have all tags");
        }
        prove::prove(types, input, reading, terminal)
    }

    /// A tag with its level.
    fn leveled(&self, tag: &str) -> String {
        match (self.level, &self.since) {
            (Some(level), Some(since)) => {
                let level = if level == Level::Alpha { "alpha" } else { "beta" };
                format!("+k8s:{level}(since: \"{since}\")={tag}")
            }
            _ => tag.to_owned(),
        }
    }
}
