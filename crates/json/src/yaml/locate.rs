//! Finds a field path among the nodes of a document.

use super::map::{Key, key_text};
use super::node::{Content, Document, NodeId};
use super::parser;
use super::resolve::{Resolved, resolve};
use super::text;
use crate::Arena;
use crate::locate::Location;
use crate::path::Segment;

/// Finds a path in the first document, as far as it exists; `None` for text that is not YAML.
///
/// A field that comes from a merge is not found: it has no place of its own.
pub(crate) fn locate<'p>(source: &str, path: impl IntoIterator<Item = Segment<'p>>) -> Option<Location> {
    // Offsets belong to the text without a byte order mark.
    let shift = if source.starts_with('\u{feff}') {
        '\u{feff}'.len_utf8()
    } else {
        0
    };
    let decoded = text::decode(source.as_bytes()).ok()?;
    let document = parser::document(&decoded).ok()?;
    let mut here = document.root?;
    let (mut found, mut key) = (0, None);
    for segment in path {
        let child = match segment {
            Segment::Nil => continue,
            Segment::Index(index) => element(&document, here, index).map(|child| (None, child)),
            Segment::Field(name) | Segment::Key(name) => {
                entry(&document, here, name).map(|(key, child)| (Some(key), child))
            }
        };
        let Some((child_key, child)) = child else {
            break;
        };
        (here, key) = (child, child_key);
        found += 1;
    }
    let span = |id: NodeId| {
        let node = &document.nodes[id];
        let (start, end) = (node.start.offset, node.end.offset);
        // The end of a block collection is where the next thing starts.
        let length = decoded.get(start..end).map_or(0, |text| text.trim_end().len());
        start + shift..start + length + shift
    };
    Some(Location {
        found,
        key: key.map(span),
        value: span(here),
    })
}

fn target(document: &Document<'_>, id: NodeId) -> NodeId {
    match document.nodes[id].content {
        Content::Alias { target, .. } => target,
        _ => id,
    }
}

fn element(document: &Document<'_>, id: NodeId, index: usize) -> Option<NodeId> {
    match &document.nodes[target(document, id)].content {
        Content::Sequence(children) => children.get(index).copied(),
        _ => None,
    }
}

/// Key and value of the last entry under `name`.
fn entry(document: &Document<'_>, id: NodeId, name: &str) -> Option<(NodeId, NodeId)> {
    let Content::Mapping(children) = &document.nodes[target(document, id)].content else {
        return None;
    };
    let pair = children
        .chunks_exact(2)
        .rev()
        .find(|pair| is_key(document, pair[0], name))?;
    Some((pair[0], pair[1]))
}

fn is_key(document: &Document<'_>, id: NodeId, name: &str) -> bool {
    let node = &document.nodes[target(document, id)];
    let Content::Scalar { text, tag, implicit } = &node.content else {
        return false;
    };
    let string = Resolved::Str(text);
    let resolved = if tag.is_empty() && !implicit {
        string
    } else {
        resolve(tag, text, node.start).unwrap_or(string)
    };
    let arena = Arena::new();
    key_text(&arena, Key::from(resolved)) == Some(name)
}
