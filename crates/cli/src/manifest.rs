//! Manifests: the documents of a file, and the places of their fields; what is wrong with them, as findings.

mod bounds;
mod crd_lines;
mod cure;
mod file_text;
mod findings;
mod review;
mod rule_names;
mod syntax_hint;
mod unknown;

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::read::{self, BigIntegers};
use kindsmith_json::{Arena, Value, locate, yaml};
use kindsmith_source::{Diagnostic, FileId, SourceMap, Span};

use crate::finding;
use crate::made_objects::is_kustomization;
use file_text::Unreadable;

pub(crate) use crd_lines::{Cause, CrdLines};
pub(crate) use file_text::STANDARD_INPUT;
pub(crate) use findings::Findings;

/// One object: a document of a file, or an item of a list.
#[derive(Clone)]
pub(crate) struct Manifest<'a> {
    pub(crate) value: Value<'a>,
    /// Where it is in its document.
    place: Vec<Step>,
    pub(crate) file: FileId,
    text: &'a str,
    offset: usize,
    is_json: bool,
    made: Made,
    /// Where its document has everything; read when the first finding needs it.
    index: Arc<OnceLock<Places>>,
}

/// How a file came to be checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Made {
    /// The user named it.
    Named,
    /// It was found in a directory.
    Found,
    /// It was found, and a kustomization changes its objects.
    Kustomized,
}

/// How placeholders of other tools begin and end.
const PLACEHOLDERS: [(&str, &str); 3] = [("${", "}"), ("((", "))"), ("<%", "%>")];

/// The help for an error in an object that a kustomization changes: it is not surely one.
const KUSTOMIZED: &str =
    "a kustomization changes it: `kubectl kustomize DIR | kindsmith check -` checks the result";

/// Where a document has everything, where its lines end, and where other tools write something.
struct Places {
    index: Option<locate::Index>,
    line_ends: Vec<usize>,
    /// Of each kind of placeholder.
    placeholders: [Vec<Range<usize>>; PLACEHOLDERS.len()],
}

impl Places {
    fn new(text: &str) -> Self {
        Places {
            index: locate::Index::new(text),
            line_ends: text.match_indices('\n').map(|(at, _)| at).collect(),
            placeholders: PLACEHOLDERS.map(|(start, end)| placeholders(text, start, end)),
        }
    }

    /// Whether a part of the text has a placeholder. Long lines with many findings must not be read for each of them.
    fn has_placeholder(&self, part: &Range<usize>) -> bool {
        self.placeholders.iter().any(|all| {
            let first = all.partition_point(|found| found.start < part.start);
            all.get(first).is_some_and(|found| found.end <= part.end)
        })
    }

    /// The end of the line of an offset. Long lines with many findings must not be read for each of them.
    fn line_end(&self, offset: usize) -> Option<usize> {
        let next = self.line_ends.partition_point(|end| *end < offset);
        self.line_ends.get(next).copied()
    }
}

/// A file to check.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Selected {
    pub(crate) path: std::path::PathBuf,
    /// Whether it was found in a directory. Repositories have other YAML and JSON files than manifests.
    pub(crate) is_found: bool,
    /// Whether a kustomization changes its objects before they are sent to a server.
    pub(crate) is_changed: bool,
}

/// A file whose text was read.
pub(crate) struct Loaded {
    pub(crate) file: FileId,
    /// `None` if it cannot be read, which was reported.
    text: Option<String>,
    name: String,
    /// Whether it was found in a directory, where other files than manifests are expected.
    is_found: bool,
    is_changed: bool,
}

/// Reads the text of a file. Kustomizations are reported and left out; a file that cannot be read is reported.
pub(crate) fn load(
    Selected {
        path: file,
        is_found,
        is_changed,
    }: &Selected,
    sources: &mut SourceMap,
    findings: &mut Findings,
) -> Option<Loaded> {
    if is_kustomization(file) {
        findings.kustomization(file, sources);
        return None;
    }
    let name = file.display().to_string();
    let text = file_text::read(file);
    let shown = text.as_deref().unwrap_or_else(|unreadable| &unreadable.shown);
    let id = sources.add(name.clone(), shown);
    let text = text.map_err(|Unreadable { reason, help, at, .. }| {
        let at = Span::new(id, at.start as u32, at.end as u32);
        let mut finding = Diagnostic::error(&finding::MANIFEST_SYNTAX, at, format!("{name} {reason}"));
        finding.help.extend(help);
        findings.add(finding);
    });
    Some(Loaded {
        file: id,
        text: text.ok(),
        name,
        is_found: *is_found,
        is_changed: *is_changed,
    })
}

impl Loaded {
    /// All objects of the file. Syntax errors and duplicate keys become findings, and so does a file without objects.
    pub(crate) fn manifests<'a>(&self, arena: &'a Arena, findings: &mut Findings) -> Vec<Manifest<'a>> {
        let Some(text) = &self.text else {
            return Vec::new();
        };
        let before = findings.errors();
        if self.is_found {
            return self.found(text, arena, findings);
        }
        let documents = documents(self.file, arena.alloc_str(text), arena, findings);
        if documents.is_empty() && findings.errors() == before {
            let message = format!("no objects in {}", self.name);
            findings.strict(&finding::NOT_CHECKED, Span::new(self.file, 0, 0), message);
        }
        documents.into_iter().flat_map(opened).collect()
    }
}

impl Loaded {
    /// The objects of a file that was found in a directory. A file of another tool may have what YAML and JSON do not allow.
    fn found<'a>(&self, text: &str, arena: &'a Arena, findings: &mut Findings) -> Vec<Manifest<'a>> {
        let mut own = Findings::like(findings);
        let mut documents = documents(self.file, arena.alloc_str(text), arena, &mut own);
        let is_read = !documents.is_empty();
        documents.retain(Manifest::is_object);
        if documents.is_empty() && (is_read || own.errors() == 0 || text.contains("{{")) {
            findings.count_other();
            return Vec::new();
        }
        findings.append(own);
        let made = if self.is_changed {
            Made::Kustomized
        } else {
            Made::Found
        };
        let documents = documents
            .into_iter()
            .map(|document| Manifest { made, ..document });
        documents.flat_map(opened).collect()
    }
}

/// Reads all objects of a file.
pub(crate) fn read<'a>(
    file: &Path,
    arena: &'a Arena,
    sources: &mut SourceMap,
    findings: &mut Findings,
) -> Vec<Manifest<'a>> {
    let file = Selected {
        path: file.to_owned(),
        is_found: false,
        is_changed: false,
    };
    let loaded = load(&file, sources, findings);
    loaded.map_or_else(Vec::new, |loaded| loaded.manifests(arena, findings))
}

/// Reads all objects of a text in an editor. A text without objects gives no finding.
pub(crate) fn read_text<'a>(
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
                made: Made::Named,
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
                made: Made::Named,
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

/// What begins and ends so, each up to the nearest end.
fn placeholders(text: &str, start: &str, end: &str) -> Vec<Range<usize>> {
    let mut starts = text.match_indices(start).map(|(at, _)| at).peekable();
    if starts.peek().is_none() {
        return Vec::new();
    }
    let ends: Vec<usize> = text.match_indices(end).map(|(at, _)| at).collect();
    starts
        .map_while(|at| {
            let next = ends.partition_point(|end| *end < at + start.len());
            ends.get(next).map(|last| at..last + end.len())
        })
        .collect()
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
    pub(crate) fn kind(&self) -> Option<&str> {
        self.value.get("kind").and_then(Value::as_str)
    }

    /// Whether it looks like an object. Settings of other tools have no kind and no metadata, nor have tests of rules.
    fn is_object(&self) -> bool {
        self.kind().is_some() || self.value.get("metadata").is_some()
    }

    /// Its `apiVersion` and `kind`; empty if missing.
    pub(crate) fn identity(&self) -> (&str, &str) {
        let text = |key: &str| self.value.get(key).and_then(Value::as_str).unwrap_or_default();
        (text("apiVersion"), text("kind"))
    }

    /// The group and kind that a CRD defines.
    pub(crate) fn defined(&self) -> Option<(&str, &str)> {
        let text = |path: &[&str]| self.value.lookup(path).and_then(Value::as_str);
        Some((text(&["spec", "group"])?, text(&["spec", "names", "kind"])?))
    }

    /// What is written at a place of this manifest.
    pub(crate) fn written(&self, place: Span) -> &str {
        self.text.get(self.part(place)).unwrap_or_default()
    }

    /// The part of the document's text at a place.
    fn part(&self, place: Span) -> Range<usize> {
        let at = |offset: u32| (offset as usize).saturating_sub(self.offset);
        at(place.start)..at(place.end)
    }

    /// Whether it is a setting of a tool rather than an object: it was found, and has no metadata.
    pub(crate) fn is_setting(&self) -> bool {
        self.made != Made::Named && self.value.get("metadata").is_none()
    }

    /// Whether another tool writes the value before a server sees it: it has a placeholder, or a kustomization sets it. Files
    /// that the user named are taken as they are.
    pub(crate) fn is_filled_in(&self, path: &PathBuf) -> bool {
        match self.made {
            Made::Named => false,
            Made::Found => self.has_placeholder(path),
            Made::Kustomized => self.has_placeholder(path) || self.is_set_by_kustomize(path),
        }
    }

    fn has_placeholder(&self, path: &PathBuf) -> bool {
        self.places().has_placeholder(&self.part(self.span(path)))
    }

    /// Whether `namespace` or `namePrefix` of a kustomization sets a field. A namespace has its name as a label, too.
    fn is_set_by_kustomize(&self, path: &PathBuf) -> bool {
        let [Step::Field(metadata), Step::Field(field)] = path.steps() else {
            return false;
        };
        **metadata == *"metadata"
            && (matches!(&**field, "name" | "namespace")
                || **field == *"labels" && self.identity() == ("v1", "Namespace"))
    }

    /// The template of a Helm chart that made the document: `helm template` names it in a comment.
    pub(crate) fn template(&self) -> Option<&str> {
        let mut lines = self.text.lines().map(str::trim);
        let comments = lines
            .by_ref()
            .take_while(|line| line.is_empty() || line.starts_with(['#', '-']));
        comments
            .into_iter()
            .find_map(|line| line.strip_prefix("# Source: "))
    }

    /// The place of a field's key, or of its nearest parent.
    pub(crate) fn key_span(&self, path: &PathBuf) -> Span {
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
    pub(crate) fn span(&self, path: &PathBuf) -> Span {
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
