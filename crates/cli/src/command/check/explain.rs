//! Shows what each step did, as a tree of field paths.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kindsmith::{Action, TraceStep};
use kindsmith_go::Read;
use kindsmith_json::path::Step;
use kindsmith_source::Span;

use crate::manifest::{Cause, CrdLines};

#[derive(Default)]
struct Branch {
    notes: Vec<String>,
    below: BTreeMap<Step, Branch>,
}

/// The tree, starting at the object's type.
pub(super) fn tree(
    name: &str,
    identity: (&str, &str),
    (read, crds): (&Read, &CrdLines<'_>),
    trace: Vec<TraceStep>,
) -> String {
    let mut root = Branch::default();
    for step in trace {
        let span = match &step.action {
            _ if step.source.is_some() => step.source.and_then(|place| read.origins.span(&place)),
            Action::Failed(error) => {
                let behind = crds.behind(identity, &step.path, Cause::Error(error));
                behind.map(|(span, _)| span)
            }
            Action::Defaulted(_) => crds.behind_default(identity, &step.path),
            _ => None,
        };
        let text = note(&place(read, span), &step);
        let mut branch = &mut root;
        for step in step.path.steps() {
            branch = branch.below.entry(step.clone()).or_default();
        }
        branch.notes.push(text);
    }
    let mut out = format!("{name}\n");
    root.write(&mut out, 1);
    out
}

fn note(place: &str, step: &TraceStep) -> String {
    match &step.action {
        Action::Defaulted(value) => format!("defaulted to {value}{place}"),
        Action::Hooked => "changed by a hand-written function".to_owned(),
        Action::Pruned => "dropped: the schema has no such field".to_owned(),
        Action::Unchanged => "not validated: equal to the old value".to_owned(),
        Action::Stopped => format!("unset, so not validated further{place}"),
        Action::Failed(error) => format!("failed: {}{place}", error.body()),
        _ => String::new(),
    }
}

/// Where a rule or default is written.
fn place(read: &Read, span: Option<Span>) -> String {
    let Some(span) = span else {
        return String::new();
    };
    let position = read.sources.position(span);
    let file = read.sources.file(span.file).name();
    format!(" ({file}:{}:{})", position.line, position.column)
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
