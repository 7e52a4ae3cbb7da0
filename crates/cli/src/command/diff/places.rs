//! Where changes are in the new API: the line of a CRD, or of the Go field that becomes it.

use kindsmith_compat::Change;
use kindsmith_go::Read;
use kindsmith_json::Arena;
use kindsmith_openapi::crd;
use kindsmith_schema::{JsonSchema, Kind};
use kindsmith_source::{SourceMap, Span};

use super::side::{Document, Origin};
use crate::crd_findings::place;
use crate::manifest::CrdLines;

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: String,
    pub(super) line: u32,
}

/// The places of one side of a comparison.
pub(super) struct Places<'d> {
    documents: &'d [Document],
    lines: CrdLines<'d>,
    sources: SourceMap,
}

impl<'d> Places<'d> {
    pub(super) fn new(documents: &'d [Document], arena: &'d Arena) -> Self {
        let mut places = Self {
            documents,
            lines: CrdLines::default(),
            sources: SourceMap::default(),
        };
        for document in documents {
            if let Origin::File(file) = &document.origin {
                places.lines.add(file, &document.text, arena, &mut places.sources);
            }
        }
        places
    }

    /// The place of a change; that of the nearest parent if the field is gone, `None` if the kind is.
    pub(super) fn of(&self, change: &Change) -> Option<Place> {
        let identity = (&*change.group, &*change.kind);
        let version = change.version.as_deref();
        // Paths of objects have indexes and names of entries.
        let path = match change.object {
            Some(_) => return None,
            None => &change.path,
        };
        if let Some(span) = self.lines.field(identity, version, path) {
            return Some(line(&self.sources, span));
        }
        self.documents.iter().find_map(|document| {
            let Origin::Go { read, definition } = &document.origin else {
                return None;
            };
            let spec = &definition.spec;
            let is_it = *spec.group == *change.group && *spec.names.kind == *change.kind;
            is_it.then(|| in_go(read, definition, version, path)).flatten()
        })
    }
}

/// The Go declaration behind a field of a CRD.
fn in_go(read: &Read, definition: &crd::Definition, version: Option<&str>, path: &str) -> Option<Place> {
    let spec = &definition.spec;
    let is_of = |kind: &&Kind| kind.kind == spec.names.kind && kind.group == spec.group;
    let kinds: Vec<&Kind> = read.schema.kinds().iter().filter(is_of).collect();
    let index = spec
        .versions
        .iter()
        .position(|one| version.is_none_or(|name| *one.name == *name))?;
    let mut at = format!("spec.versions[{index}].schema.openAPIV3Schema");
    let mut node: Option<&JsonSchema> = spec.versions[index].open_api_v3_schema().map(|schema| &**schema);
    for step in path
        .replace("[*]", ".*")
        .split('.')
        .filter(|step| !step.is_empty())
    {
        let Some(above) = node else {
            break;
        };
        let (word, below) = match (step, above.item()) {
            ("*", Some(item)) => ("items".to_owned(), Some(item)),
            ("*", None) => ("additionalProperties".to_owned(), above.additional()),
            (name, _) => (format!("properties[{name}]"), above.property(name)),
        };
        if below.is_some() {
            at = format!("{at}.{word}");
        }
        node = below;
    }
    let span = place::of(read, definition, &kinds, &at)?;
    Some(line(&read.sources, span))
}

fn line(sources: &SourceMap, span: Span) -> Place {
    Place {
        file: sources.file(span.file).name().trim_start_matches("./").to_owned(),
        line: sources.position(span).line,
    }
}
