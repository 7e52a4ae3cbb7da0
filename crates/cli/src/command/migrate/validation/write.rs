//! Writes what is proven: tags, marks of covered errors, rule tests, Go tests.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use kindsmith::crds::Crds;
use kindsmith::go_types::GoTypes;
use kindsmith::{Kinds, Profile};
use kindsmith_go::Read;
use kindsmith_migrate::edit::{self, Insert};
use kindsmith_migrate::proof::Verdict;
use kindsmith_migrate::validation::FileId;
use kindsmith_ruletest::Subject;
use kindsmith_ruletest::explore::Kind;
use kindsmith_ruletest::generate::generate;

use super::super::files::{self, Overlay};
use super::{Args, Found, Level, equivalence, report};
use crate::error::Error;
use crate::go_path;
use crate::input::{self, Input};
use crate::terminal::Terminal;

impl Args {
    /// Writes all files; lines about what was done.
    pub(super) fn write_all(
        &self,
        types: &Read,
        found: &[Found],
        terminal: &Terminal,
    ) -> Result<Vec<String>, Error> {
        let mut inserts: BTreeSet<Insert> = BTreeSet::new();
        for found in found {
            inserts.extend(edit::inserts(types, &found.reading, &|index| {
                found.is_proven(index)
            }));
        }
        let edited = edit::edited(types, &inserts, &|tag| self.leveled(tag));
        let mut texts: Vec<(PathBuf, String)> = edited
            .iter()
            .map(|(name, edited)| (go_path::to_path(name).into_owned(), edited.text.clone()))
            .collect();
        let mut said = Vec::new();
        let mut marked = 0;
        for found in found {
            let (count, files, by_hand) = self.marks(found);
            marked += count;
            texts.extend(files);
            said.extend(by_hand);
        }
        let tests = self.rule_tests(types, found, &inserts, terminal);
        let go_tests = equivalence::tests(types, found);
        let (suites, programs) = (tests.len(), go_tests.len());
        texts.extend(tests);
        texts.extend(go_tests);
        let written = files::write(&texts, true)?;
        said.push(format!(
            "{} tags written, {marked} calls marked, {suites} rule tests and {programs} Go tests; {written} files changed",
            inserts.len()
        ));
        Ok(said)
    }

    /// The files of functions with covered errors marked, and what has to be marked by hand.
    fn marks(&self, found: &Found) -> (usize, Vec<(PathBuf, String)>, Vec<String>) {
        let mut reading = found.reading.clone();
        for (rule, verdict) in reading.rules.iter_mut().zip(&found.proof.verdicts) {
            if let Verdict::Proven { origin, .. } = verdict {
                rule.origin = Some(origin.clone()).filter(|origin| !origin.is_empty());
            }
        }
        let level = match self.level {
            Some(Level::Alpha) => ".MarkAlpha()",
            Some(Level::Beta) => ".MarkBeta()",
            None => "",
        };
        let (marks, unmarked) = edit::marks(&reading, &|index| found.is_proven(index), level);
        let changed: BTreeSet<FileId> = marks.iter().map(|mark| mark.at.file).collect();
        let files = changed.into_iter().map(|file| {
            let source = reading.packages[file.package].files[file.file].source();
            let name = found.file(file);
            let text = edit::marked(source, file, &marks);
            (go_path::to_path(&name).into_owned(), text)
        });
        let by_hand = unmarked.into_iter().map(|index| {
            let rule = &reading.rules[index];
            format!(
                "{}:{}: mark {:?} at {} by hand: the call reports other errors, too",
                found.file(rule.emit.file),
                rule.emit.line,
                rule.emit.error,
                report::field(rule)
            )
        });
        (marks.len(), files.collect(), by_hand.collect())
    }

    /// Tables for `kindsmith test`, for every kind with proven tags.
    fn rule_tests(
        &self,
        types: &Read,
        found: &[Found],
        inserts: &BTreeSet<Insert>,
        terminal: &Terminal,
    ) -> Vec<(PathBuf, String)> {
        if inserts.is_empty() {
            return Vec::new();
        }
        let edited = edit::edited(types, inserts, &str::to_owned);
        let texts: HashMap<String, String> = edited
            .into_iter()
            .map(|(name, edited)| (name, edited.text))
            .collect();
        let input = Input::new(self.types.clone(), self.modules.clone(), input::Profile::Upstream);
        let read = Arc::new(input.read_in(&Overlay(&texts)));
        let mut directories: BTreeMap<String, String> = BTreeMap::new();
        for subject in found.iter().flat_map(|found| &found.proof.subjects) {
            let name = &types.schema.ty(subject.ty).name;
            let package = types
                .packages
                .iter()
                .find(|package| *package.path == *name.package);
            if let Some(package) = package {
                directories.insert(name.name.to_string(), package.directory.clone());
            }
        }
        let kinds = Kinds::new(Crds::default(), Some(GoTypes::new(read, Profile::Upstream)));
        let subject = Subject::new("", kinds);
        let level = if self.level.is_some() {
            "enforceAll: true\n"
        } else {
            ""
        };
        let mut made = Vec::new();
        for kind in Kind::all(&subject, Profile::Upstream) {
            let Some(directory) = directories.get(&kind.kind) else {
                continue;
            };
            let proposal = generate(&kind, &format!("types: [..]\n{level}"));
            if proposal.cases == 0 {
                terminal.say(&format!("{}: no rule test could be made", kind.kind));
                continue;
            }
            let name = format!("{}.migrated.yaml", kind.kind.to_lowercase());
            let directory = go_path::to_path(directory).into_owned();
            made.push((directory.join("tests").join(name), proposal.text));
        }
        made
    }
}
