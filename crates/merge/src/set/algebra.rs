//! Set operations: walks over two sorted levels at once.

use std::cmp::Ordering;

use kindsmith_json::Arena;

use super::{FieldSet, Node, Nodes};

impl<'a> FieldSet<'a> {
    /// Paths in either set.
    #[must_use]
    pub fn union(self, arena: &'a Arena, other: FieldSet<'a>) -> FieldSet<'a> {
        join(&mut Nodes::new(arena), self, other, &Union)
    }

    /// Paths in both sets.
    #[must_use]
    pub fn intersection(self, arena: &'a Arena, other: FieldSet<'a>) -> FieldSet<'a> {
        join(&mut Nodes::new(arena), self, other, &Intersection)
    }

    /// Paths that are not in `other`. A member of `other` does not remove the paths below it.
    #[must_use]
    pub fn difference(self, arena: &'a Arena, other: FieldSet<'a>) -> FieldSet<'a> {
        join(&mut Nodes::new(arena), self, other, &Difference)
    }

    /// Paths that are neither in `other` nor below one of its members.
    #[must_use]
    pub fn recursive_difference(self, arena: &'a Arena, other: FieldSet<'a>) -> FieldSet<'a> {
        join(&mut Nodes::new(arena), self, other, &RecursiveDifference)
    }

    /// Paths that are not a prefix of another path.
    #[must_use]
    pub fn leaves(self, arena: &'a Arena) -> FieldSet<'a> {
        leaves(&mut Nodes::new(arena), self)
    }

    /// Reports whether all paths are in `other` too.
    #[must_use]
    pub fn is_subset(self, other: FieldSet<'_>) -> bool {
        self.nodes().iter().all(|node| match other.find(&node.element) {
            Some(found) => (found.member || !node.member) && node.children.is_subset(found.children),
            None => false,
        })
    }
}

/// What an operation keeps of a node that is in one set or in both.
trait Rule {
    /// The result if a set is empty; `None` if that does not decide it.
    fn trivial<'a>(&self, left: FieldSet<'a>, right: FieldSet<'a>) -> Option<FieldSet<'a>>;
    const KEEPS_LEFT: bool;
    const KEEPS_RIGHT: bool;
    fn member(&self, left: bool, right: bool) -> bool;
    /// Whether a member on the right removes everything below it.
    const CUTS: bool = false;
}

struct Union;
struct Intersection;
struct Difference;
struct RecursiveDifference;

impl Rule for Union {
    fn trivial<'a>(&self, left: FieldSet<'a>, right: FieldSet<'a>) -> Option<FieldSet<'a>> {
        match (left.is_empty(), right.is_empty()) {
            (true, _) => Some(right),
            (_, true) => Some(left),
            _ => None,
        }
    }
    const KEEPS_LEFT: bool = true;
    const KEEPS_RIGHT: bool = true;
    fn member(&self, left: bool, right: bool) -> bool {
        left || right
    }
}

impl Rule for Intersection {
    fn trivial<'a>(&self, left: FieldSet<'a>, right: FieldSet<'a>) -> Option<FieldSet<'a>> {
        (left.is_empty() || right.is_empty()).then_some(FieldSet::EMPTY)
    }
    const KEEPS_LEFT: bool = false;
    const KEEPS_RIGHT: bool = false;
    fn member(&self, left: bool, right: bool) -> bool {
        left && right
    }
}

impl Rule for Difference {
    fn trivial<'a>(&self, left: FieldSet<'a>, right: FieldSet<'a>) -> Option<FieldSet<'a>> {
        (left.is_empty() || right.is_empty()).then_some(left)
    }
    const KEEPS_LEFT: bool = true;
    const KEEPS_RIGHT: bool = false;
    fn member(&self, left: bool, right: bool) -> bool {
        left && !right
    }
}

impl Rule for RecursiveDifference {
    fn trivial<'a>(&self, left: FieldSet<'a>, right: FieldSet<'a>) -> Option<FieldSet<'a>> {
        Difference.trivial(left, right)
    }
    const KEEPS_LEFT: bool = true;
    const KEEPS_RIGHT: bool = false;
    fn member(&self, left: bool, right: bool) -> bool {
        left && !right
    }
    const CUTS: bool = true;
}

fn join<'a, R: Rule>(
    nodes: &mut Nodes<'a>,
    left: FieldSet<'a>,
    right: FieldSet<'a>,
    rule: &R,
) -> FieldSet<'a> {
    if let Some(result) = rule.trivial(left, right) {
        return result;
    }
    let start = nodes.start();
    let (mut lefts, mut rights) = (left.nodes(), right.nodes());
    // If the result equals the left set, it is returned without a copy.
    let mut same = true;
    while let ([l, left_rest @ ..], [r, right_rest @ ..]) = (lefts, rights) {
        match l.element.cmp(&r.element) {
            Ordering::Less => {
                lefts = left_rest;
                keep(nodes, l, R::KEEPS_LEFT);
                same &= R::KEEPS_LEFT;
            }
            Ordering::Greater => {
                rights = right_rest;
                keep(nodes, r, R::KEEPS_RIGHT);
                same &= !R::KEEPS_RIGHT;
            }
            Ordering::Equal => {
                (lefts, rights) = (left_rest, right_rest);
                let member = rule.member(l.member, r.member);
                let children = if R::CUTS && r.member {
                    FieldSet::EMPTY
                } else {
                    join(nodes, l.children, r.children, rule)
                };
                same &= member == l.member && is_same(children, l.children);
                nodes.push(l.element, member, children);
            }
        }
    }
    for node in lefts {
        keep(nodes, node, R::KEEPS_LEFT);
    }
    for node in rights {
        keep(nodes, node, R::KEEPS_RIGHT);
    }
    same &= (R::KEEPS_LEFT || lefts.is_empty()) && (!R::KEEPS_RIGHT || rights.is_empty());
    if same {
        nodes.forget(start);
        return left;
    }
    nodes.finish(start)
}

fn keep<'a>(nodes: &mut Nodes<'a>, node: &Node<'a>, kept: bool) {
    if kept {
        nodes.push(node.element, node.member, node.children);
    }
}

/// Reports whether two sets are the same memory.
fn is_same(left: FieldSet<'_>, right: FieldSet<'_>) -> bool {
    left.nodes().len() == right.nodes().len()
        && (left.is_empty()
            || std::ptr::eq(
                left.nodes().as_ptr().cast::<u8>(),
                right.nodes().as_ptr().cast::<u8>(),
            ))
}

fn leaves<'a>(nodes: &mut Nodes<'a>, set: FieldSet<'a>) -> FieldSet<'a> {
    let start = nodes.start();
    for node in set.nodes() {
        let children = leaves(nodes, node.children);
        nodes.push(node.element, node.member && node.children.is_empty(), children);
    }
    nodes.finish(start)
}
