//! `kindsmith controller check`: what cannot be right in descriptions of kinds.

use std::path::PathBuf;

use kindsmith::crds::Crds;
use kindsmith_controller::description::{Mistake, Other, Others, Weight, check};
use kindsmith_controller::{Unsuitable, kinds, unsuitable};
use kindsmith_source::render::Report;
use kindsmith_source::{Diagnostic, FileId, SourceMap, Span};

use crate::Outcome;
use crate::descriptions::texts;
use crate::error::Error;
use crate::finding::CONTROLLER_DESCRIPTION;
use crate::output::Output;
use crate::schemas::CrdsArgs;
use crate::terminal::Terminal;

/// Check descriptions of kinds: what cannot be right, at its line, with the cure
///
/// A description is one YAML file with how an API is called, what its fields are named there, and what a CRD does not say
/// about them. Its CRD is the second document of the file, the file named by `crd`, or, if there is only one, the one in
/// --crds. With --crds, references must name kinds in it, and the CRDs in it must suit the descriptions.
///
/// What a description lists in `todo` is shown as a note.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith controller check lamp.yaml
  kindsmith controller check kinds/*.yaml --crds ./crds
  kindsmith controller check lamp.yaml -o json")]
pub(super) struct Args {
    /// Files with descriptions
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    crds: CrdsArgs,
    #[command(flatten)]
    output: Output,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let crds = self.crds.read(terminal)?;
        let read: Vec<_> = self
            .files
            .iter()
            .map(|file| texts(file))
            .collect::<Result<_, _>>()?;
        let mut others = others(&crds, !self.crds.is_empty());
        // Descriptions may refer to each other.
        for (text, definition) in &read {
            let described = check(text, definition.or_else(|| only(&crds)), &Others::default()).0;
            others
                .known
                .extend(described.map(|described| other(&described.kind)));
        }
        let mut sources = SourceMap::default();
        let mut findings = Vec::new();
        let mut files = Vec::new();
        for (file, (text, definition)) in self.files.iter().zip(&read) {
            let id = sources.add(file.display().to_string(), text.clone());
            files.push(id);
            let (described, mistakes) = check(text, definition.or_else(|| only(&crds)), &others);
            findings.extend(mistakes.iter().map(|mistake| diagnostic(id, text, mistake)));
            if let Some(described) = described {
                let problems = of_cluster(&crds, &described.kind);
                findings.extend(problems.iter().map(|problem| unsuited(id, problem)));
            }
        }
        let report = Report::new(&sources, &findings).covering(files);
        self.output.report(terminal, &report, &[&CONTROLLER_DESCRIPTION])
    }
}

/// What is wrong with the CRD of the kind among `--crds`.
fn of_cluster(crds: &Crds, kind: &kindsmith_controller::Kind) -> Vec<Unsuitable> {
    let found = crds.documents().find_map(|(_, text)| {
        let object = json(text)?;
        let spec = &object["spec"];
        (spec["group"] == *kind.group && spec["names"]["kind"] == *kind.kind).then_some(object)
    });
    found.map_or_else(Vec::new, |found| unsuitable(kind, Some(&found)))
}

fn json(text: &str) -> Option<serde_json::Value> {
    let arena = kindsmith_json::Arena::new();
    let value = kindsmith_json::yaml::parse(&arena, arena.alloc_str(text).as_bytes()).ok()?;
    serde_json::from_str(&kindsmith_json::to_string(value)).ok()
}

/// The CRD of `--crds`, if there is exactly one.
fn only(crds: &Crds) -> Option<&'static str> {
    let mut documents = crds.documents();
    let (_, text) = documents.next()?;
    documents.next().is_none().then(|| &*text.to_owned().leak())
}

fn other(kind: &kindsmith_controller::Kind) -> Other {
    Other {
        api_version: kind.api_version(),
        kind: kind.kind.clone(),
        plural: kind.plural.clone(),
    }
}

/// The kinds that descriptions may refer to.
fn others(crds: &Crds, is_complete: bool) -> Others {
    let built_in = kinds::ALL.iter().filter_map(|known| (known.kind)().ok());
    let mut known: Vec<Other> = built_in.map(|kind| other(&kind)).collect();
    for definition in crds.definitions() {
        let spec = &definition.spec;
        known.extend(spec.versions.iter().map(|version| Other {
            api_version: format!("{}/{}", spec.group, version.name),
            kind: spec.names.kind.to_string(),
            plural: spec.names.plural.to_string(),
        }));
    }
    Others { known, is_complete }
}

fn diagnostic(file: FileId, text: &str, mistake: &Mistake) -> Diagnostic {
    let span = if mistake.span.is_empty() {
        line(text, mistake.line)
    } else {
        mistake.span.clone()
    };
    let span = Span::new(file, offset(span.start), offset(span.end));
    let new = match mistake.weight {
        Weight::Error => Diagnostic::error,
        Weight::Warning => Diagnostic::warning,
        Weight::Todo => Diagnostic::note,
    };
    let found = new(&CONTROLLER_DESCRIPTION, span, mistake.message.clone());
    match &mistake.cure {
        Some(cure) => found.help(cure.clone()),
        None => found,
    }
}

fn unsuited(file: FileId, problem: &Unsuitable) -> Diagnostic {
    let new = if problem.is_fatal {
        Diagnostic::error
    } else {
        Diagnostic::warning
    };
    let message = format!("the CRD in --crds: {}", problem.reason);
    new(&CONTROLLER_DESCRIPTION, Span::new(file, 0, 0), message).help(problem.cure.clone())
}

/// The bytes of a line, from 1.
fn line(text: &str, number: usize) -> std::ops::Range<usize> {
    let mut start = 0;
    for line in text.split_inclusive('\n').take(number.saturating_sub(1)) {
        start += line.len();
    }
    let length = text[start..].lines().next().map_or(0, str::len);
    start..start + length
}

fn offset(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}
