//! Manifests: the documents of a file, and the places of their fields.

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::read::{self, BigIntegers};
use kindsmith_json::{Arena, Value, locate, yaml};
use kindsmith_source::{Diagnostic, FileId, SourceMap, Span};

use super::findings::Findings;
use super::syntax_hint;
use crate::files;
use crate::finding;
use crate::made_objects::is_kustomization;

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

/// A file to check.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Selected {
    pub(super) path: std::path::PathBuf,
    /// Whether it was found in a directory. Repositories have other YAML and JSON files than manifests.
    pub(super) is_found: bool,
}

/// A file whose text was read.
pub(super) struct Loaded {
    pub(super) file: FileId,
    /// `None` if it cannot be read, which was reported.
    text: Option<String>,
    name: String,
    /// Whether it was found in a directory, where other files than manifests are expected.
    is_found: bool,
}

/// Reads the text of a file. Kustomizations are reported and left out; a file that cannot be read is reported.
pub(super) fn load(
    Selected { path: file, is_found }: &Selected,
    sources: &mut SourceMap,
    findings: &mut Findings,
) -> Option<Loaded> {
    if is_kustomization(file) {
        findings.kustomization(file, sources);
        return None;
    }
    let name = file.display().to_string();
    let text = match read_bytes(file) {
        Ok(bytes) => text(bytes),
        Err(error) => Err(Unreadable {
            reason: format!("cannot be read: {error}"),
            help: None,
        }),
    };
    let shown = text.as_deref().unwrap_or_default();
    let id = sources.add(name.clone(), shown);
    let text = text.map_err(|Unreadable { reason, help }| {
        let at = Span::new(id, 0, 0);
        let mut finding = Diagnostic::error(&finding::MANIFEST_SYNTAX, at, format!("{name} {reason}"));
        finding.help.extend(help);
        findings.add(finding);
    });
    Some(Loaded {
        file: id,
        text: text.ok(),
        name,
        is_found: *is_found,
    })
}

/// Why a file has no text.
struct Unreadable {
    reason: String,
    help: Option<String>,
}

/// The text of a file's bytes.
fn text(bytes: Vec<u8>) -> Result<String, Unreadable> {
    let is_utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..valid]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        if is_utf16 {
            Unreadable {
                reason: "is UTF-16, not UTF-8 text".to_owned(),
                help: Some("save it as UTF-8: `iconv -f UTF-16 -t UTF-8`".to_owned()),
            }
        } else {
            Unreadable {
                reason: format!("is not UTF-8 text: the first wrong byte is in line {line}"),
                help: Some("if it is Latin-1, save it as UTF-8: `iconv -f LATIN1 -t UTF-8`".to_owned()),
            }
        }
    })
}

impl Loaded {
    /// All objects of the file. Syntax errors and duplicate keys become findings, and so does a file without objects.
    pub(super) fn manifests<'a>(&self, arena: &'a Arena, findings: &mut Findings) -> Vec<Manifest<'a>> {
        let Some(text) = &self.text else {
            return Vec::new();
        };
        let before = findings.errors();
        let mut documents = documents(self.file, arena.alloc_str(text), arena, findings);
        if self.is_found {
            documents.retain(Manifest::is_object);
            if documents.is_empty() && findings.errors() == before {
                findings.count_other();
            }
            return documents.into_iter().flat_map(opened).collect();
        }
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
) -> Vec<Manifest<'a>> {
    let file = Selected {
        path: file.to_owned(),
        is_found: false,
    };
    let loaded = load(&file, sources, findings);
    loaded.map_or_else(Vec::new, |loaded| loaded.manifests(arena, findings))
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
    if file.as_os_str() == STANDARD_INPUT {
        files::read_all(std::io::stdin().lock())
    } else {
        files::read(file)
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
            let lines = if read.duplicates.is_empty() {
                Vec::new()
            } else {
                line_starts(document.text)
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
            let lines = line_starts(document.text);
            // A document may end too early, behind its last line.
            let offset = lines.get(error.line - 1).or(lines.last()).copied().unwrap_or(0);
            let mut finding = Diagnostic::error(&finding::MANIFEST_SYNTAX, at(offset), error.to_string());
            finding.help.extend(syntax_hint::of(document.text, offset));
            findings.add(finding);
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

    /// Whether it looks like an object. Settings of other tools have no kind and no metadata, nor have tests of rules.
    fn is_object(&self) -> bool {
        self.kind().is_some() || self.value.get("metadata").is_some()
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

    /// What is written at a place of this manifest.
    pub(super) fn written(&self, place: Span) -> &str {
        let at = |offset: u32| (offset as usize).saturating_sub(self.offset);
        self.text.get(at(place.start)..at(place.end)).unwrap_or_default()
    }

    /// The template of a Helm chart that made the document: `helm template` names it in a comment.
    pub(super) fn template(&self) -> Option<&str> {
        let mut lines = self.text.lines().map(str::trim);
        let comments = lines
            .by_ref()
            .take_while(|line| line.is_empty() || line.starts_with(['#', '-']));
        comments
            .into_iter()
            .find_map(|line| line.strip_prefix("# Source: "))
    }

    /// The place of a field's key, or of its nearest parent.
    pub(super) fn key_span(&self, path: &PathBuf) -> Span {
        let steps = self.place.len() + path.steps().len();
        match self.location(path) {
            Some(locate::Location {
                key: Some(key),
                found,
                ..
            }) if found == steps => self.first_line(key),
            _ => self.span(path),
        }
    }

    /// The place of a field, or of its nearest parent.
    pub(super) fn span(&self, path: &PathBuf) -> Span {
        let steps = self.place.len() + path.steps().len();
        let range = self.location(path).map_or(0..0, |location| match location.key {
            // A missing field is shown at its parent.
            Some(key) if location.found < steps => key,
            _ if location.found == 0 && steps > 0 => location.value.start..location.value.start,
            _ => location.value,
        });
        self.first_line(range)
    }

    fn places(&self) -> &Places {
        self.index.get_or_init(|| Places::new(self.text))
    }

    fn location(&self, path: &PathBuf) -> Option<locate::Location> {
        let path: PathBuf = self.place.iter().chain(path.steps()).cloned().collect();
        match &self.places().index {
            Some(index) => Some(index.find(path.segments())),
            // YAML has shorter keys than JSON.
            None if self.is_json => Some(locate::in_json(self.text, path.segments())),
            None => None,
        }
    }

    /// The place of a range of the document, as far as its first line goes.
    fn first_line(&self, range: Range<usize>) -> Span {
        let line_end = self.places().line_end(range.start).unwrap_or(range.end);
        let at = |offset: usize| (self.offset + offset) as u32;
        Span::new(self.file, at(range.start), at(line_end.min(range.end)))
    }
}
