//! Turns a tree into a value: resolves scalars and aliases, merges maps, finds repeated keys.
//!
//! Children come before their parents, so one pass over the nodes is enough, and the target of an alias is
//! evaluated only once. Knows no text.

mod map;

use self::map::Builder;
use super::cursor::Spot;
use super::error::{Family, Fault, Outcome};
use super::key::Key;
use super::resolve::{Misfit, resolve};
use super::show::show;
use super::tree::{Kind, Node, Tag, Tree};
use crate::pause::Pace;
use crate::read::{BigIntegers, Options, number_literal};
use crate::{Arena, Value, write};

/// A repeated key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The key as Go prints it: a string in quotes, anything else plain.
    pub key: String,
    /// The line of its value, from 1.
    pub line: usize,
}

/// The value of a tree.
pub(super) struct Evaluated<'a> {
    pub value: Value<'a>,
    pub duplicates: Vec<Duplicate>,
}

/// Evaluates a tree.
pub(super) fn evaluate<'a>(tree: &Tree<'a>, arena: &'a Arena, options: Options) -> Outcome<Evaluated<'a>> {
    let mut evaluation = Evaluation {
        tree,
        arena,
        big: options.big_integers,
        values: Vec::with_capacity(tree.nodes.len()),
        sizes: Vec::with_capacity(tree.nodes.len()),
        entries: Vec::new(),
        expanded: 0,
        copied: 0,
        fault: None,
        duplicates: Vec::new(),
        suspicious: false,
    };
    evaluation.run();
    if let Some(fault) = evaluation.fault.take() {
        return Err(fault);
    }
    let root = tree
        .root
        .map_or(Value::Null, |root| evaluation.values[root as usize]);
    if evaluation
        .sizes
        .last()
        .is_some_and(|size| size.depth > options.max_depth)
    {
        return Err(Fault::new(Family::Json, "exceeded max depth", Spot::default()));
    }
    if evaluation.suspicious {
        map::check_json(&evaluation, root)?;
    }
    Ok(Evaluated {
        value: evaluation.normal(root),
        duplicates: evaluation.duplicates,
    })
}

/// How large a node is with all aliases resolved.
#[derive(Clone, Copy)]
struct Size {
    /// The number of nodes, including this one.
    nodes: u64,
    /// About as many bytes as its JSON has.
    bytes: u64,
    /// The nesting of arrays and objects, including this one.
    depth: usize,
}

impl Size {
    /// A node without children, whose text has this length.
    fn leaf(bytes: usize) -> Size {
        Size {
            nodes: 1,
            bytes: bytes as u64 + 2,
            depth: 0,
        }
    }
}

pub(super) struct Evaluation<'t, 'a> {
    pub tree: &'t Tree<'a>,
    pub arena: &'a Arena,
    big: BigIntegers,
    /// The value of every node so far.
    pub values: Vec<Value<'a>>,
    /// The size of each node.
    sizes: Vec<Size>,
    /// Room for the entries of a map.
    entries: Vec<(Key<'a>, u32)>,
    /// The number of nodes that aliases have added so far.
    expanded: u64,
    /// The bytes of JSON that aliases have added so far.
    copied: u64,
    /// The first error in the text.
    fault: Option<Box<Fault>>,
    pub duplicates: Vec<Duplicate>,
    /// Is there a number or a key that JSON cannot represent?
    pub suspicious: bool,
}

impl<'a> Evaluation<'_, 'a> {
    fn run(&mut self) {
        let mut pace = Pace::default();
        for (id, node) in self.tree.nodes.iter().enumerate() {
            pace.step(|| self.arena.allocated_bytes() + id * (size_of::<Value<'a>>() + size_of::<Size>()));
            let id = id as u32;
            let (value, size) = match node.kind {
                Kind::Scalar { text, plain } => (self.scalar(node, text, plain), Size::leaf(text.len())),
                Kind::Alias { anchor } => match self.alias(node, anchor) {
                    Some(found) => found,
                    None => return,
                },
                Kind::Seq { .. } => (self.sequence(id), self.size(id)),
                Kind::Map { .. } => (Builder::new(self).build(id), self.size(id)),
            };
            self.values.push(value);
            self.sizes.push(size);
        }
    }

    /// Records an error, unless an earlier one in the text is known.
    pub(super) fn fail(&mut self, message: impl Into<std::borrow::Cow<'static, str>>, spot: Spot) {
        let known = self.fault.as_ref();
        if known.is_none_or(|fault| spot.offset < fault.spot.offset) {
            self.fault = Some(Fault::new(Family::Unplaced, message, spot));
        }
    }

    /// The size of a container.
    fn size(&self, id: u32) -> Size {
        let mut size = Size::leaf(0);
        for &child in self.tree.children(id) {
            let child = self.sizes[child as usize];
            size.nodes = size.nodes.saturating_add(child.nodes);
            size.bytes = size.bytes.saturating_add(child.bytes);
            size.depth = size.depth.max(child.depth);
        }
        size.depth += 1;
        size
    }

    fn scalar(&mut self, node: &Node<'a>, text: &'a str, plain: bool) -> Value<'a> {
        match resolve(self.arena, text, plain, node.tag) {
            Ok(value) => {
                self.suspicious |= matches!(value, Value::Float(number) if !number.is_finite());
                value
            }
            Err(misfit) => {
                let message = match misfit {
                    Misfit::Type(is, wanted) => format!("cannot decode {is} `{text}` as a {wanted}"),
                    Misfit::Base64 => "!!binary value contains invalid base64 data".to_owned(),
                };
                self.fail(message, node.start);
                Value::Null
            }
        }
    }

    /// The value of an alias; `None` if resolving more aliases would take too long.
    fn alias(&mut self, node: &Node<'a>, anchor: u32) -> Option<(Value<'a>, Size)> {
        let anchor = &self.tree.anchors[anchor as usize];
        let target = anchor.node.map(|target| target as usize);
        // If an alias refers to a node that is still open, the node contains the alias.
        let Some((&value, &size)) =
            target.and_then(|target| Some((self.values.get(target)?, self.sizes.get(target)?)))
        else {
            self.fail(
                format!("anchor '{}' value contains itself", anchor.name),
                node.start,
            );
            return Some((Value::Null, Size::leaf(0)));
        };
        self.expanded = self.expanded.saturating_add(size.nodes);
        self.copied = self.copied.saturating_add(size.bytes);
        let total = self.expanded.saturating_add(u64::from(node.begun) + 1);
        let many =
            self.expanded > 100 && total > 1000 && self.expanded as f64 / total as f64 > allowed_share(total);
        if many || self.copied > COPIED + u64::from(node.start.offset) {
            self.fail("document contains excessive aliasing", node.start);
            return None;
        }
        let nodes = size.nodes.saturating_add(1);
        Some((value, Size { nodes, ..size }))
    }

    fn sequence(&mut self, id: u32) -> Value<'a> {
        let children = self.tree.children(id);
        let items = self.arena.alloc_slice_fill_iter(
            children
                .iter()
                .map(|&child| self.normal(self.values[child as usize])),
        );
        Value::Array(items)
    }

    /// A value after a round trip through JSON: whole floats are integers.
    pub(super) fn normal(&self, value: Value<'a>) -> Value<'a> {
        match value {
            Value::Uint(number) => number_literal(&number.to_string(), self.big),
            Value::Float(number) if number.is_finite() && number.fract() == 0.0 => {
                let mut literal = String::new();
                write::append_float(&mut literal, number);
                number_literal(&literal, self.big)
            }
            _ => value,
        }
    }

    /// Is this node a merge key?
    pub(super) fn is_merge(&self, id: u32) -> bool {
        let node = &self.tree.nodes[id as usize];
        match node.kind {
            Kind::Scalar { text: "<<", plain } => match node.tag {
                Tag::None | Tag::NonSpecific => plain,
                tag => tag == Tag::Merge,
            },
            _ => false,
        }
    }

    /// Rejects a container as a key.
    pub(super) fn refuse_key(&mut self, key: u32) {
        let node = &self.tree.nodes[key as usize];
        let end = Spot {
            offset: node.end,
            ..node.start
        };
        // Printing nested keys is expensive, so only the first error is printed.
        let known = self.fault.as_ref();
        if known.is_none_or(|fault| end.offset < fault.spot.offset) {
            let shown = show(self.tree, &self.values, key);
            self.fail(format!("invalid map key: {shown}"), end);
        }
    }
}

/// How many bytes of JSON aliases may add, beside as many as the text has before them: what a request may have. go-yaml counts
/// nodes only, so that a long string could be repeated without end.
const COPIED: u64 = 3 << 20;

/// The share of nodes that may come from aliases: nearly all in small documents, a tenth in huge ones.
fn allowed_share(total: u64) -> f64 {
    const SMALL: f64 = 400_000.0;
    const HUGE: f64 = 4_000_000.0;
    let progress = ((total as f64 - SMALL) / (HUGE - SMALL)).clamp(0.0, 1.0);
    0.99 - 0.89 * progress
}
