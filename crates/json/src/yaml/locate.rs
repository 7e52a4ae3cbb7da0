//! Finds a field path in YAML text. Reads the text again: values have no positions.

use std::ops::Range;

use super::evaluate::key_text;
use super::tree::{Kind, Tree};
use super::{input, parser};
use crate::Arena;
use crate::locate::Location;
use crate::path::Segment;
use crate::read::Options;

/// Finds a path in the first document, as far as it exists; `None` if the text cannot be parsed.
pub(crate) fn locate<'p>(text: &str, path: impl IntoIterator<Item = Segment<'p>>) -> Option<Location> {
    let arena = Arena::new();
    let content = input::text(&arena, text.as_bytes()).ok()?;
    // A byte order mark is not part of the content.
    let shift = text.len() - content.len();
    let tree = parser::parse(content, &arena, Options::default().max_depth).ok()?;
    let span = |node: u32| -> Range<usize> {
        let node = &tree.nodes[node as usize];
        node.start.offset as usize + shift..node.end as usize + shift
    };
    let mut here = tree.root?;
    let mut location = Location {
        found: 0,
        key: None,
        value: span(here),
    };
    for segment in path {
        let child = match segment {
            Segment::Nil => continue,
            Segment::Index(index) => element(&tree, here, index).map(|value| (None, value)),
            Segment::Field(key) | Segment::Key(key) => entry(&tree, &arena, here, key),
        };
        let Some((key, value)) = child else {
            break;
        };
        location = Location {
            found: location.found + 1,
            key: key.map(span),
            value: span(value),
        };
        here = value;
    }
    Some(location)
}

fn element(tree: &Tree<'_>, node: u32, index: usize) -> Option<u32> {
    let node = tree.target(node);
    match tree.nodes[node as usize].kind {
        Kind::Seq { .. } => tree.children(node).get(index).copied(),
        _ => None,
    }
}

/// The last entry under a key, with its key.
fn entry<'a>(tree: &Tree<'a>, arena: &'a Arena, node: u32, wanted: &str) -> Option<(Option<u32>, u32)> {
    let node = tree.target(node);
    let Kind::Map { .. } = tree.nodes[node as usize].kind else {
        return None;
    };
    let pairs = tree.children(node).chunks_exact(2);
    let is_wanted = |pair: &&[u32]| key_text(tree, arena, pair[0]).as_deref() == Some(wanted);
    pairs.rev().find(is_wanted).map(|pair| (Some(pair[0]), pair[1]))
}
