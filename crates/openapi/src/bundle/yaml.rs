//! YAML files: documents between `---`; lists are split into their items.

use std::borrow::Cow;
use std::ops::Range;

use kindsmith_json::yaml::documents;
use kindsmith_schema::Str;

use super::lines::{Block, Child};
use super::{DefinitionHead, Entry, Head, Syntax, VersionHead, ambiguity, head};
use crate::crd::ApiVersion;

/// The entries of YAML text.
pub(super) fn scan(text: &str) -> Vec<Entry<'_>> {
    documents(text)
        .flat_map(|document| {
            let range = document.offset..document.offset + document.text.len();
            quick(document.text, document.offset)
                .unwrap_or_else(|| head::parsed(document.text, range, Syntax::Yaml))
        })
        .collect()
}

/// The entries of a document by its lines; `None` in doubt.
pub(super) fn quick(text: &str, offset: usize) -> Option<Vec<Entry<'_>>> {
    let root = Block {
        text,
        range: body(text)?,
        skip: 0,
    };
    let (column, children) = root.mapping()?;
    let kind = word(&children, "kind", text)?;
    let (entries, columns) = if head::is_list(kind) {
        items(&root, &children, offset)?
    } else {
        let (head, columns) = object(&root, column, &children)?;
        let entry = head::entry(head, offset..offset + text.len(), text.into(), Syntax::Yaml);
        (vec![entry], columns)
    };
    ambiguity::is_certain(text, columns).then_some(entries)
}

/// The text after the line that separates documents.
fn body(text: &str) -> Option<Range<usize>> {
    let Some(rest) = text.strip_prefix("---") else {
        return Some(0..text.len());
    };
    let line = rest.split('\n').next().unwrap_or_default();
    let said = line.trim();
    let start = (3 + line.len() + 1).min(text.len());
    (said.is_empty() || said.starts_with('#')).then_some(start..text.len())
}

/// The items of a list, and the rightmost column that was read.
fn items<'t>(root: &Block<'t>, children: &[Child<'t>], offset: usize) -> Option<(Vec<Entry<'t>>, usize)> {
    let list = child(children, "items")?;
    if !list.rest.is_empty() || ambiguity::has_anchors(root.text) {
        return None;
    }
    let (column, blocks) = root.below(list).sequence()?;
    let mut columns = column;
    let mut entries = Vec::with_capacity(blocks.len());
    for block in blocks {
        let (column, children) = block.mapping()?;
        let (head, looked) = object(&block, column, &children)?;
        columns = columns.max(looked);
        let range = offset + block.range.start..offset + block.range.end;
        entries.push(head::entry(head, range, without_dash(&block), Syntax::Yaml));
    }
    Some((entries, columns))
}

/// The text of an item as a document of its own.
fn without_dash<'t>(block: &Block<'t>) -> Cow<'t, str> {
    let text = &block.text[block.range.clone()];
    Cow::Owned(format!("{}{}", " ".repeat(block.skip), &text[block.skip..]))
}

/// The head of an object, and the rightmost column that was read.
fn object(block: &Block<'_>, column: usize, children: &[Child<'_>]) -> Option<(Head, usize)> {
    let text = block.text;
    let api_version = word(children, "apiVersion", text)?;
    let kind = word(children, "kind", text)?;
    let mut columns = column;
    let mut name = Str::from("");
    if let Some(metadata) = child(children, "metadata") {
        let (column, fields) = mapping(block, metadata)?;
        columns = columns.max(column);
        name = optional_word(&fields, "name", text)?;
    }
    let Some(api) = head::definition_version(api_version, kind) else {
        let head = Head::Other {
            api_version: api_version.into(),
            kind: kind.into(),
            name,
        };
        return Some((head, columns));
    };
    // `v1beta1` has more ways to define the same.
    if api == ApiVersion::V1beta1 {
        return None;
    }
    let (definition, looked) = definition(block, child(children, "spec")?, name)?;
    Some((Head::Definition(definition), columns.max(looked)))
}

fn definition(block: &Block<'_>, spec: &Child<'_>, name: Str) -> Option<(DefinitionHead, usize)> {
    let text = block.text;
    let (mut columns, fields) = mapping(block, spec)?;
    let (column, names) = mapping(block, child(&fields, "names")?)?;
    columns = columns.max(column);
    let list = child(&fields, "versions").filter(|list| list.rest.is_empty())?;
    let (column, blocks) = block.below(list).sequence()?;
    columns = columns.max(column);
    let mut versions = Vec::with_capacity(blocks.len());
    for version in blocks {
        let (column, fields) = version.mapping()?;
        columns = columns.max(column);
        versions.push(VersionHead {
            name: word(&fields, "name", text)?.into(),
            served: child(&fields, "served")?.truth(text)?,
            storage: child(&fields, "storage")?.truth(text)?,
        });
    }
    let head = DefinitionHead {
        api: ApiVersion::V1,
        name,
        group: word(&fields, "group", text)?.into(),
        kind: word(&names, "kind", text)?.into(),
        plural: word(&names, "plural", text)?.into(),
        versions,
    };
    Some((head, columns))
}

/// The mapping below a key, if it is on lines of its own.
fn mapping<'t>(block: &Block<'t>, child: &Child<'t>) -> Option<(usize, Vec<Child<'t>>)> {
    if !child.rest.is_empty() {
        return None;
    }
    let (column, fields) = block.below(child).mapping()?;
    (!fields.is_empty()).then_some((column, fields))
}

fn child<'c, 't>(children: &'c [Child<'t>], key: &str) -> Option<&'c Child<'t>> {
    children.iter().find(|child| child.key == key)
}

fn word<'c>(children: &'c [Child<'_>], key: &str, text: &str) -> Option<&'c str> {
    child(children, key)?.word(text)
}

fn optional_word(children: &[Child<'_>], key: &str, text: &str) -> Option<Str> {
    match child(children, key) {
        None => Some("".into()),
        Some(child) => child.word(text).map(Str::from),
    }
}
