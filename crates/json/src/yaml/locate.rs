//! Finds field paths in YAML text. Reads the text again: values have no positions.

use std::collections::HashMap;
use std::ops::Range;

use super::key::text_of;
use super::tree::Kind;
use super::{input, parser};
use crate::Arena;
use crate::location::Location;
use crate::path::Segment;
use crate::read::Options;

/// Where everything in a document is. It takes one pass over the text, and a moment for each path after that.
#[derive(Debug)]
pub(crate) struct Index {
    root: u32,
    /// The bytes of each node.
    spans: Vec<Range<u32>>,
    /// The node that is meant by a node: another one for aliases.
    targets: Vec<u32>,
    /// Key and value of the last entry under a key.
    entries: HashMap<u32, HashMap<Box<str>, (u32, u32)>>,
    elements: HashMap<u32, Box<[u32]>>,
}

impl Index {
    /// Reads the first document; `None` if the text cannot be parsed.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let arena = Arena::new();
        let content = input::text(&arena, text.as_bytes()).ok()?;
        // A byte order mark is not part of the content.
        let shift = u32::try_from(text.len() - content.len()).ok()?;
        let tree = parser::parse(content, &arena, Options::default().max_depth).ok()?;
        let mut index = Index {
            root: tree.root?,
            spans: Vec::with_capacity(tree.nodes.len()),
            targets: Vec::with_capacity(tree.nodes.len()),
            entries: HashMap::new(),
            elements: HashMap::new(),
        };
        for (number, node) in (0_u32..).zip(&tree.nodes) {
            index.spans.push(node.start.offset + shift..node.end + shift);
            index.targets.push(tree.target(number));
            let children = || tree.children(number);
            match node.kind {
                Kind::Seq { .. } => drop(index.elements.insert(number, children().into())),
                Kind::Map { .. } => {
                    let pairs = children().chunks_exact(2);
                    let named = pairs.filter_map(|pair| {
                        let key = text_of(&tree, &arena, pair[0])?;
                        Some((key.into_boxed_str(), (pair[0], pair[1])))
                    });
                    index.entries.insert(number, named.collect());
                }
                Kind::Scalar { .. } | Kind::Alias { .. } => {}
            }
        }
        Some(index)
    }

    /// Finds a path, as far as it exists.
    pub(crate) fn find<'p>(&self, path: impl IntoIterator<Item = Segment<'p>>) -> Location {
        let mut here = self.root;
        let mut location = Location {
            found: 0,
            key: None,
            value: self.span(here),
        };
        for segment in path {
            let node = self.targets[here as usize];
            let child = match segment {
                Segment::Nil => continue,
                Segment::Index(index) => {
                    let elements = self.elements.get(&node);
                    elements.and_then(|elements| Some((None, *elements.get(index)?)))
                }
                Segment::Field(key) | Segment::Key(key) => {
                    let entries = self.entries.get(&node);
                    let entry = entries.and_then(|entries| entries.get(key));
                    entry.map(|(key, value)| (Some(*key), *value))
                }
            };
            let Some((key, value)) = child else {
                break;
            };
            location = Location {
                found: location.found + 1,
                key: key.map(|key| self.span(key)),
                value: self.span(value),
            };
            here = value;
        }
        location
    }

    fn span(&self, node: u32) -> Range<usize> {
        let span = &self.spans[node as usize];
        span.start as usize..span.end as usize
    }
}
