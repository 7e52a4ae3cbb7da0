//! Manifests: the documents of a file, and the places of their fields.

use std::cell::OnceCell;
use std::path::Path;
use std::rc::Rc;

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
pub(super) struct Manifest<'a> {
    pub(super) value: Value<'a>,
    /// Where it is in its document.
    place: Vec<Step>,
    file: FileId,
    text: &'a str,
    offset: usize,
    is_json: bool,
    /// Where its document has everything; read when the first finding needs it.
    index: Rc<OnceCell<Option<locate::Index>>>,
}

/// The names that kustomize looks for.
fn is_kustomization(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default();
    ["kustomization.yaml", "kustomization.yml", "Kustomization"]
        .iter()
        .any(|known| name == *known)
}

/// Reads all objects of a file. Syntax errors and duplicate keys become findings, and so does a file without objects.
pub(super) fn read<'a>(
    file: &Path,
    arena: &'a Arena,
    sources: &mut SourceMap,
    findings: &mut Findings,
) -> Result<Vec<Manifest<'a>>, Error> {
    if is_kustomization(file) {
        findings.kustomization(file, sources);
        return Ok(Vec::new());
    }
    let bytes = read_bytes(file).map_err(|error| Error::reading(file, &error))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Error::input(format!("{} is not UTF-8 text", file.display())))?;
    let text: &'a str = arena.alloc_str(&text);
    let id = sources.add(file.display().to_string(), text);
    let before = findings.errors();
    let documents: Vec<Manifest<'a>> = if text.trim_start().starts_with('{') {
        read_json(id, text, arena, findings).into_iter().collect()
    } else {
        yaml::documents(text)
            .filter_map(|document| read_yaml(id, document, arena, findings))
            .collect()
    };
    let has_none = documents.iter().all(|document| document.value.is_null());
    if has_none && findings.errors() == before {
        let message = format!("no objects in {}", file.display());
        findings.fail(&finding::NOT_CHECKED, Span::new(id, 0, 0), message);
    }
    let objects = documents.into_iter().filter(|document| !document.value.is_null());
    Ok(objects.flat_map(opened).collect())
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
                findings.fail(
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
                index: Rc::default(),
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
                findings.fail(
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
                index: Rc::default(),
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
    pub(super) fn identity(&self) -> (&str, &str) {
        let text = |key: &str| self.value.get(key).and_then(Value::as_str).unwrap_or_default();
        (text("apiVersion"), text("kind"))
    }

    /// The place of a field, or of its nearest parent.
    pub(super) fn span(&self, path: &PathBuf) -> Span {
        let path: PathBuf = self.place.iter().chain(path.steps()).cloned().collect();
        let index = self.index.get_or_init(|| locate::Index::new(self.text));
        let location = match index {
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
        let first_line = self.text[range.clone()]
            .find('\n')
            .map_or(range.end, |end| range.start + end);
        let at = |offset: usize| (self.offset + offset) as u32;
        Span::new(self.file, at(range.start), at(first_line))
    }
}
