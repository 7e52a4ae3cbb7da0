//! Turns a tree into a value: resolves scalars and aliases, merges maps, finds repeated keys.
//!
//! Children come before their parents, so one pass over the nodes is enough, and the target of an alias is
//! evaluated only once. Knows no text.

use super::cursor::Spot;
use super::error::{Family, Fault, Outcome};
use super::map::{self, Builder};
use super::resolve::{Misfit, resolve};
use super::show::show;
use super::tree::{Kind, Node, Tag, Tree};
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
        expanded: 0,
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
    if evaluation.suspicious {
        map::check_json(&evaluation, root)?;
    }
    Ok(Evaluated {
        value: evaluation.normal(root),
        duplicates: evaluation.duplicates,
    })
}

pub(super) struct Evaluation<'t, 'a> {
    pub tree: &'t Tree<'a>,
    pub arena: &'a Arena,
    big: BigIntegers,
    /// The value of every node so far.
    pub values: Vec<Value<'a>>,
    /// The number of nodes below each node, with all aliases resolved.
    sizes: Vec<u64>,
    /// The number of nodes that aliases have added so far.
    expanded: u64,
    /// The first error in the text.
    fault: Option<Box<Fault>>,
    pub duplicates: Vec<Duplicate>,
    /// Is there a number or a key that JSON cannot represent?
    pub suspicious: bool,
}

impl<'a> Evaluation<'_, 'a> {
    fn run(&mut self) {
        for (id, node) in self.tree.nodes.iter().enumerate() {
            let id = id as u32;
            let (value, size) = match node.kind {
                Kind::Scalar { text, plain } => (self.scalar(node, text, plain), 1),
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

    fn size(&self, id: u32) -> u64 {
        let sizes = self
            .tree
            .children(id)
            .iter()
            .map(|&child| self.sizes[child as usize]);
        sizes.fold(1, u64::saturating_add)
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
    fn alias(&mut self, node: &Node<'a>, anchor: u32) -> Option<(Value<'a>, u64)> {
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
            return Some((Value::Null, 1));
        };
        self.expanded = self.expanded.saturating_add(size);
        let total = self.expanded.saturating_add(u64::from(node.begun) + 1);
        if self.expanded > 100 && total > 1000 && self.expanded as f64 / total as f64 > allowed_share(total) {
            self.fail("document contains excessive aliasing", node.start);
            return None;
        }
        Some((value, size.saturating_add(1)))
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
            let shown = show(self, key);
            self.fail(format!("invalid map key: {shown}"), end);
        }
    }
}

/// The share of nodes that may come from aliases: nearly all in small documents, a tenth in huge ones.
fn allowed_share(total: u64) -> f64 {
    const SMALL: f64 = 400_000.0;
    const HUGE: f64 = 4_000_000.0;
    let progress = ((total as f64 - SMALL) / (HUGE - SMALL)).clamp(0.0, 1.0);
    0.99 - 0.89 * progress
}

/// The text of a key, if it has one.
pub(super) fn key_text<'a>(tree: &Tree<'a>, arena: &'a Arena, key: u32) -> Option<String> {
    let node = &tree.nodes[tree.target(key) as usize];
    let Kind::Scalar { text, plain } = node.kind else {
        return None;
    };
    map::key_text(resolve(arena, text, plain, node.tag).ok()?)
}
