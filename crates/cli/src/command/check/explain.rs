//! What passes did, as a tree of field paths.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kindsmith_go::Read;
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::{Path, to_string};
use kindsmith_object::Event;
use kindsmith_schema::Place;

use crate::customs::{Judged, Note};

/// Collects what happened at which field.
pub(super) struct Story<'r> {
    read: &'r Read,
    is_wanted: bool,
    notes: Vec<(PathBuf, String)>,
}

#[derive(Default)]
struct Branch {
    notes: Vec<String>,
    below: BTreeMap<Step, Branch>,
}

impl<'r> Story<'r> {
    pub(super) fn new(read: &'r Read, is_wanted: bool) -> Self {
        Self {
            read,
            is_wanted,
            notes: Vec::new(),
        }
    }

    pub(super) fn note(&mut self, event: &Event<'_>) {
        if !self.is_wanted {
            return;
        }
        let (path, text) = match event {
            Event::Defaulted { path, source, value } => {
                let text = format!("defaulted to {}{}", to_string(*value), self.place(*source));
                (Path::to_owned(path), text)
            }
            Event::Hooked { path } => (Path::to_owned(path), "changed by a hand-written function".into()),
            Event::Pruned { path } => (Path::to_owned(path), "dropped: the type has no such field".into()),
            Event::Unchanged { path } => (
                Path::to_owned(path),
                "not validated: equal to the old value".into(),
            ),
            Event::Stopped { path, rule } => (
                Path::to_owned(path),
                format!("unset, so not validated further{}", self.place(*rule)),
            ),
            Event::Failed { error } => (
                error.path.clone(),
                format!("failed: {}{}", error.body(), self.place(error.rule)),
            ),
            _ => return,
        };
        self.notes.push((path, text));
    }

    /// What the write of an object of a CRD did.
    pub(super) fn tell(&mut self, judged: &Judged<'_>) {
        let done = judged.notes.iter().map(|note| match note {
            Note::Defaulted(path, value) => (path.clone(), format!("defaulted to {value}")),
            Note::Pruned(path) => (path.clone(), "dropped: the schema has no such field".to_owned()),
        });
        let failed = judged
            .faults
            .iter()
            .map(|fault| (fault.path.clone(), format!("failed: {}", fault.text)));
        self.notes.extend(done.chain(failed));
    }

    /// Where a rule or default was written.
    fn place(&self, place: Option<Place>) -> String {
        let Some(span) = place.and_then(|place| self.read.origins.span(&place)) else {
            return String::new();
        };
        let position = self.read.sources.position(span);
        let file = self.read.sources.file(span.file).name();
        format!(" ({file}:{}:{})", position.line, position.column)
    }

    /// The tree, with the object's type on top.
    pub(super) fn render(self, name: &str) -> String {
        if !self.is_wanted {
            return String::new();
        }
        let mut root = Branch::default();
        for (path, text) in self.notes {
            let mut branch = &mut root;
            for step in path.steps() {
                branch = branch.below.entry(step.clone()).or_default();
            }
            branch.notes.push(text);
        }
        let mut out = format!("{name}\n");
        root.write(&mut out, 1);
        out
    }
}

impl Branch {
    fn write(&self, out: &mut String, depth: usize) {
        let indent = "  ".repeat(depth);
        for note in &self.notes {
            writeln!(out, "{indent}{note}").expect("writing to a string succeeds");
        }
        for (step, below) in &self.below {
            let name = match step {
                Step::Field(name) => name.to_string(),
                Step::Index(index) => format!("[{index}]"),
                Step::Key(key) => format!("[{key}]"),
            };
            writeln!(out, "{indent}{name}").expect("writing to a string succeeds");
            below.write(out, depth + 1);
        }
    }
}
