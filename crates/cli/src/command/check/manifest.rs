//! Manifests: the documents of a file, and the places of their fields.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::read::{self, BigIntegers};
use kindsmith_json::{Arena, Value, locate, yaml};
use kindsmith_source::{FileId, SourceMap, Span};

use super::findings::Findings;
use crate::error::Error;
use crate::files;
use crate::finding;

/// The name of standard input.
pub(super) const STANDARD_INPUT: &str = "-";

/// One object: a document of a file, or an item of a list.
#[derive(Clone)]
pub(in crate::command) struct Manifest<'a> {
    pub(in crate::command) value: Value<'a>,
    /// Where it is in its document.
    place: Vec<Step>,
    pub(super) file: FileId,
    text: &'a str,
    offset: usize,
    is_json: bool,
    /// Where its document has everything; read when the first finding needs it.
    index: Arc<OnceLock<Places>>,
}

/// Where a document has everything, and where its lines end.
struct Places {
    index: Option<locate::Index>,
    line_ends: Vec<usize>,
}

impl Places {
    fn new(text: &str) -> Self {
        Places {
            index: locate::Index::new(text),
            line_ends: text.match_indices('\n').map(|(at, _)| at).collect(),
        }
    }

    /// The end of the line of an offset. Long lines with many findings must not be read for each of them.
    fn line_end(&self, offset: usize) -> Option<usize> {
        let next = self.line_ends.partition_point(|end| *end < offset);
        self.line_ends.get(next).copied()
    }
}

/// The names that kustomize looks for.
fn is_kustomization(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default();
    ["kustomization.yaml", "kustomization.yml", "Kustomization"]
        .iter()
        .any(|known| name == *known)
}

/// A file whose text was read.
pub(super) struct Loaded {
    pub(super) file: FileId,
    text: String,
    name: String,
}

/// Reads the text of a file. Kustomizations are reported and left out.
pub(super) fn load(
    file: &Path,
    sources: &mut SourceMap,
    findings: &mut Findings,
) -> Result<Option<Loaded>, Error> {
    if is_kustomization(file) {
        findings.kustomization(file, sources);
        return Ok(None);
    }
    let bytes = read_bytes(file).map_err(|error| Error::reading(file, &error))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Error::input(format!("{} is not UTF-8 text", file.display())))?;
    let name = file.display().to_string();
    Ok(Some(Loaded {
        file: sources.add(name.clone(), text.as_str()),
        text,
        name,
    }))
}

impl Loaded {
    /// All objects of the file. Syntax errors and duplicate keys become findings, and so does a file without objects.
    pub(super) fn manifests<'a>(&self, arena: &'a Arena, findings: &mut Findings) -> Vec<Manifest<'a>> {
        let before = findings.errors();
        let documents = documents(self.file, arena.alloc_str(&self.text), arena, findings);
        if documents.is_empty() && findings.errors() == before {
            let message = format!("no objects in {}", self.name);
            findings.strict(&finding::NOT_CHECKED, Span::new(self.file, 0, 0), message);
        }
        documents.into_iter().flat_map(opened).collect()
    }
}

/// Reads all objects of a file.
pub(super) fn read<'a>(
    file: &Path,
    arena: &'a Arena,
    sources: &mut SourceMap,
    findings: &mut Findings,
) -> Result<Vec<Manifest<'a>>, Error> {
    let loaded = load(file, sources, findings)?;
    Ok(loaded.map_or_else(Vec::new, |loaded| loaded.manifests(arena, findings)))
}

/// Reads all objects of a text that an editor holds; one without objects is no finding.
pub(in crate::command) fn read_text<'a>(
    name: &str,
    text: &str,
    arena: &'a Arena,
    sources: &mut SourceMap,
    findings: &mut Findings,
) -> Vec<Manifest<'a>> {
    let file = sources.add(name, text);
    let documents = documents(file, arena.alloc_str(text), arena, findings);
    documents.into_iter().flat_map(opened).collect()
}

/// The documents of a text that are not empty.
fn documents<'a>(
    file: FileId,
    text: &'a str,
    arena: &'a Arena,
    findings: &mut Findings,
) -> Vec<Manifest<'a>> {
    let mut documents: Vec<Manifest<'a>> = if text.trim_start().starts_with('{') {
        read_json(file, text, arena, findings).into_iter().collect()
    } else {
        yaml::documents(text)
            .filter_map(|document| read_yaml(file, document, arena, findings))
            .collect()
    };
    documents.retain(|document| !document.value.is_null());
    documents
}

fn read_bytes(file: &Path) -> std::io::Result<Vec<u8>> {
    match file.as_os_str() == STANDARD_INPUT {
        true => files::read_all(std::io::stdin().lock()),
        false => files::read(file),
    }
}

/// The items of a list, or the object itself.
fn opened(document: Manifest<'_>) -> Vec<Manifest<'_>> {
    let is_list = document.kind().is_some_and(|kind| kind.ends_with("List"));
    match document.value.get("items").and_then(Value::as_array) {
        Some(items) if is_list => {
            let item = |(index, &value): (usize, &_)| Manifest {
                value,
                place: vec![Step::Field("items".into()), Step::Index(index)],
                ..document.clone()
            };
            items.iter().enumerate().map(item).collect()
        }
        _ => vec![document],
    }
}

fn options() -> read::Options {
    read::Options::default().big_integers(BigIntegers::Exact)
}

fn read_json<'a>(
    file: FileId,
    text: &'a str,
    arena: &'a Arena,
    findings: &mut Findings,
) -> Option<Manifest<'a>> {
    let at = |offset: usize| Span::new(file, offset as u32, offset as u32 + 1);
    match read::read(arena, text.as_bytes(), options()) {
        Ok(read) => {
            for duplicate in &read.duplicates {
                findings.strict(
                    &finding::DUPLICATE_FIELD,
                    at(duplicate.offset),
                    duplicate.to_string(),
                );
            }
            Some(Manifest {
                value: read.value,
                place: Vec::new(),
                file,
                text,
                offset: 0,
                is_json: true,
                index: Arc::default(),
            })
        }
        Err(error) => {
            findings.fail(&finding::MANIFEST_SYNTAX, at(error.offset), error.to_string());
            None
        }
    }
}

fn read_yaml<'a>(
    file: FileId,
    document: yaml::Document<'a>,
    arena: &'a Arena,
    findings: &mut Findings,
) -> Option<Manifest<'a>> {
    let at = |offset: usize| {
        let start = (document.offset + offset) as u32;
        Span::new(file, start, start + 1)
    };
    match yaml::read(arena, document.text.as_bytes(), options()) {
        Ok(read) => {
            let lines = match read.duplicates.is_empty() {
                true => Vec::new(),
                false => line_starts(document.text),
            };
            for duplicate in &read.duplicates {
                let message = format!("key {} already set in map", duplicate.key);
                let start = lines.get(duplicate.line.saturating_sub(1)).copied();
                findings.strict(
                    &finding::DUPLICATE_FIELD,
                    at(start.unwrap_or(document.text.len())),
                    message,
                );
            }
            Some(Manifest {
                value: read.value,
                place: Vec::new(),
                file,
                text: document.text,
                offset: document.offset,
                is_json: false,
                index: Arc::default(),
            })
        }
        Err(error) => {
            findings.fail(&finding::MANIFEST_SYNTAX, at(0), error.to_string());
            None
        }
    }
}

/// The offsets where the text of each line begins.
fn line_starts(text: &str) -> Vec<usize> {
    let mut before = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        let indent = line.find(|c: char| c != ' ').unwrap_or(0);
        before += line.len();
        before - line.len() + indent
    });
    lines.collect()
}

impl Manifest<'_> {
    /// The document's `kind`.
    pub(super) fn kind(&self) -> Option<&str> {
        self.value.get("kind").and_then(Value::as_str)
    }

    /// Its `apiVersion` and `kind`; empty if missing.
    pub(in crate::command) fn identity(&self) -> (&str, &str) {
        let text = |key: &str| self.value.get(key).and_then(Value::as_str).unwrap_or_default();
        (text("apiVersion"), text("kind"))
    }

    /// The group and kind that a CRD defines.
    pub(super) fn defined(&self) -> Option<(&str, &str)> {
        let text = |path: &[&str]| self.value.lookup(path).and_then(Value::as_str);
        Some((text(&["spec", "group"])?, text(&["spec", "names", "kind"])?))
    }

    /// The place of a field, or of its nearest parent.
    pub(super) fn span(&self, path: &PathBuf) -> Span {
        let path: PathBuf = self.place.iter().chain(path.steps()).cloned().collect();
        let places = self.index.get_or_init(|| Places::new(self.text));
        let location = match &places.index {
            Some(index) => Some(index.find(path.segments())),
            // YAML has shorter keys than JSON.
            None if self.is_json => Some(locate::in_json(self.text, path.segments())),
            None => None,
        };
        let steps = path.steps().len();
        let range = location.map_or(0..0, |location| match location.key {
            // A missing field is shown at its parent.
            Some(key) if location.found < steps => key,
            _ if location.found == 0 && steps > 0 => location.value.start..location.value.start,
            _ => location.value,
        });
        let line_end = places.line_end(range.start).unwrap_or(range.end);
        let first_line = line_end.min(range.end);
        let at = |offset: usize| (self.offset + offset) as u32;
        Span::new(self.file, at(range.start), at(first_line))
    }
}
