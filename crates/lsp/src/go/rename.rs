//! Renames the JSON name of a field, with all tags of the package that name it.

use kindsmith_schema::{FieldId, Owner};
use lsp_types::{Range, TextEdit, Uri, WorkspaceEdit};

use super::Package;
use super::resolve::{self, Target};
use super::tag::{TagLine, word};
use crate::documents::Document;
use crate::finding::workspace_edit;
use crate::text::{Encoding, Text};
use crate::workspace::address;

/// The name that a rename at an offset would change: in a `json` struct tag, or where a tag names the field.
pub(crate) fn prepare(package: &Package, path: &str, document: &Document, offset: usize) -> Option<Range> {
    let (_, range) = target(package, path, document, offset)?;
    Some(document.text.range(range))
}

/// The edits of a rename.
///
/// # Errors
///
/// If the new name cannot be one.
pub(crate) fn rename(
    package: &Package,
    path: &str,
    document: &Document,
    offset: usize,
    new_name: &str,
    encoding: Encoding,
) -> Result<Option<WorkspaceEdit>, String> {
    let is_name = !new_name.is_empty()
        && new_name
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '-');
    if !is_name {
        return Err(format!("`{new_name}` is not a JSON name"));
    }
    let Some((field, _)) = target(package, path, document, offset) else {
        return Ok(None);
    };
    let mut edits: Vec<(Uri, Vec<TextEdit>)> = Vec::new();
    for (id, file) in package.read.sources.files() {
        let is_own = package
            .read
            .packages
            .iter()
            .any(|own| own.files.iter().any(|own| own.id == id));
        let Some(uri) = address(file.name()).filter(|_| is_own) else {
            continue;
        };
        let text = Text::new(file.text().to_string(), encoding);
        let ranges = places(package, file.name(), &text, field);
        if !ranges.is_empty() {
            let made = ranges
                .into_iter()
                .map(|range| TextEdit::new(text.range(range), new_name.to_owned()));
            edits.push((uri, made.collect()));
        }
    }
    Ok(Some(workspace_edit(edits)))
}

type Bytes = std::ops::Range<usize>;

/// The field that a rename at an offset is about.
fn target(package: &Package, path: &str, document: &Document, offset: usize) -> Option<(FieldId, Bytes)> {
    let text = &document.text;
    let line = text.position(offset).line as usize;
    let file = package.file(path)?;
    if let Some(tag) = TagLine::at(text.line(line), text.line_start(line), offset) {
        let owner = package.owner_of_comment(file, text, line)?;
        return match resolve::at(package, owner, &tag, offset)? {
            (Target::Field(id), range) if is_written(package, id, &text.as_str()[range.clone()]) => {
                Some((id, range))
            }
            _ => None,
        };
    }
    let range = json_name(text, line)?;
    let Owner::Field(id) = package.owner_on_line(file, text, line)? else {
        return None;
    };
    (range.start <= offset && offset <= range.end).then_some((id, range))
}

/// Whether a text is the JSON name of a field as it is; CEL writes some in another form.
fn is_written(package: &Package, id: FieldId, text: &str) -> bool {
    package.read.schema.field(id).json_name() == Some(text)
}

/// All places in a file that name a field.
fn places(package: &Package, path: &str, text: &Text, field: FieldId) -> Vec<Bytes> {
    let Some(file) = package.file(path) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let lines = text.as_str().lines().count();
    let declared = package
        .name_span(Owner::Field(field))
        .filter(|span| span.file == file);
    let declared = declared.map(|span| text.position(span.start as usize).line as usize);
    for line in 0..lines {
        if declared == Some(line) {
            found.extend(json_name(text, line));
        }
        let start = text.line_start(line);
        let Some(outer) = TagLine::of(text.line(line), start) else {
            continue;
        };
        let Some(owner) = package.owner_of_comment(file, text, line) else {
            continue;
        };
        let mut at = outer.start;
        let end = outer.start + outer.text.len();
        while at < end {
            let word = word(text.as_str(), at);
            if word.end <= at {
                at += text.as_str()[at..].chars().next().map_or(1, char::len_utf8);
                continue;
            }
            at = word.end;
            let Some(tag) = TagLine::at(text.line(line), start, word.start) else {
                continue;
            };
            if let Some((Target::Field(id), range)) = resolve::at(package, owner, &tag, word.start)
                && id == field
                && is_written(package, id, &text.as_str()[range.clone()])
            {
                found.push(range);
            }
        }
    }
    found.dedup();
    found
}

/// The name in the `json` struct tag of a line.
fn json_name(text: &Text, line: usize) -> Option<Bytes> {
    const KEY: &str = "json:\"";
    let content = text.line(line);
    let start = content.find(KEY)? + KEY.len();
    let end = start + content[start..].find(['"', ','])?;
    let offset = text.line_start(line);
    (end > start).then(|| offset + start..offset + end)
}
