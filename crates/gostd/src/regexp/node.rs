//! Nodes of a parsed expression: the engine's tree, with the sizes that Go limits.
//!
//! Groups are not kept: nothing here needs their matches, and nested groups then cost nothing.

use regex_syntax::hir::{Hir, Look, Repetition};

use super::error::ErrorCode;
use super::set::RuneSet;

/// The maximum depth of nesting (`maxHeight` in `regexp/syntax/parse.go`).
const MAX_HEIGHT: u32 = 1000;
/// The maximum number of instructions (`maxSize`).
const MAX_SIZE: u64 = (128 << 20) / (5 * 8);
/// The maximum number of copies that nested counts may make.
const MAX_COPIES: u32 = 1000;

/// From this number of code point ranges on, nothing but the plain machine matches.
const MANY_RANGES: u64 = 10_000;
/// The same for the depth of nesting.
const DEEP: u32 = 100;

/// A piece of an expression.
pub(super) struct Node {
    pub(super) hir: Hir,
    kind: Kind,
    /// How deep Go's tree for it is.
    height: u32,
    /// How many instructions Go would compile it to.
    size: u64,
    /// The largest product of nested repeat counts in it.
    copies: u32,
    /// How many ranges of code points it has, copies included.
    ranges: u64,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// A character; runs of them with the same folding are one node in Go's tree.
    Literal { fold: bool },
    /// One character out of several.
    Class,
    /// Anything else.
    Other,
}

/// How often something may occur.
#[derive(Clone, Copy)]
pub(super) struct Count {
    pub(super) min: u32,
    pub(super) max: Option<u32>,
    /// Written as `{...}` and not as `*`, `+` or `?`.
    pub(super) counted: bool,
}

impl Node {
    fn leaf(hir: Hir, kind: Kind) -> Self {
        Node {
            hir,
            kind,
            height: 1,
            size: 1,
            copies: 1,
            ranges: 1,
        }
    }

    pub(super) fn empty() -> Self {
        Node::leaf(Hir::empty(), Kind::Other)
    }

    pub(super) fn look(look: Look) -> Self {
        Node::leaf(Hir::look(look), Kind::Other)
    }

    pub(super) fn class(set: &RuneSet) -> Self {
        Node {
            ranges: set.len() as u64,
            ..Node::leaf(set.to_hir(), Kind::Class)
        }
    }

    pub(super) fn literal(rune: u32, fold: bool) -> Self {
        let mut set = RuneSet::default();
        if fold {
            set.add_folded(rune, rune);
        } else {
            set.add(rune, rune);
        }
        Node::leaf(set.to_hir(), Kind::Literal { fold })
    }

    /// A group that captures counts for depth and size, although its position is not kept.
    pub(super) fn captured(self) -> Result<Self, ErrorCode> {
        Node {
            height: self.height + 1,
            size: self.size + 2,
            kind: Kind::Other,
            ..self
        }
        .checked()
    }

    /// The parts one after the other.
    pub(super) fn concat(parts: Vec<Node>) -> Result<Self, ErrorCode> {
        let pieces = parts.windows(2).filter(|pair| !pair[0].joins(&pair[1])).count() + 1;
        let height = u32::from(pieces > 1);
        Node::join(parts, height, 0, Hir::concat)
    }

    /// One of the branches; the first that matches is preferred.
    pub(super) fn alternate(branches: Vec<Node>) -> Result<Self, ErrorCode> {
        if branches.len() > 1 && branches.iter().all(|branch| branch.kind != Kind::Other) {
            let ranges = branches.iter().map(|branch| branch.ranges).sum();
            let hir = Hir::alternation(branches.into_iter().map(|branch| branch.hir).collect());
            return Ok(Node {
                ranges,
                ..Node::leaf(hir, Kind::Class)
            });
        }
        let jumps = branches.len() as u64 - 1;
        Node::join(branches, 1, jumps, Hir::alternation)
    }

    fn join(
        mut parts: Vec<Node>,
        height: u32,
        size: u64,
        build: fn(Vec<Hir>) -> Hir,
    ) -> Result<Self, ErrorCode> {
        match parts.len() {
            0 => return Ok(Node::empty()),
            1 => return Ok(parts.remove(0)),
            _ => {}
        }
        let mut whole = Node::leaf(Hir::empty(), Kind::Other);
        whole.height = parts.iter().map(|part| part.height).max().unwrap_or(0) + height;
        whole.size = parts.iter().map(|part| part.size).sum::<u64>() + size;
        whole.ranges = parts.iter().fold(0, |sum, part| part.ranges.saturating_add(sum));
        whole.copies = parts.iter().map(|part| part.copies).max().unwrap_or(1);
        whole.hir = build(parts.into_iter().map(|part| part.hir).collect());
        whole.checked()
    }

    /// Repeats the node; [`ErrorCode::InvalidRepeatSize`] if nested counts multiply to too many copies.
    pub(super) fn repeated(self, count: Count, greedy: bool) -> Result<Self, ErrorCode> {
        let size = match (count.min, count.max) {
            (0, None) => self.size + 2,
            (min, None) => u64::from(min) * self.size + 1,
            (min, Some(max)) => u64::from(max) * self.size + u64::from(max - min),
        };
        let times = count.max.unwrap_or(count.min).max(1);
        let copies = match count.max {
            _ if !count.counted => self.copies,
            // Nothing is copied, whatever is inside.
            Some(0) => 1,
            _ => self.copies.saturating_mul(times),
        };
        let ranges = self
            .ranges
            .saturating_mul(if count.counted { times.into() } else { 1 });
        let repetition = Repetition {
            min: count.min,
            max: count.max,
            greedy,
            sub: Box::new(self.hir),
        };
        let hir = Hir::repetition(repetition);
        let node = Node {
            hir,
            kind: Kind::Other,
            height: self.height + 1,
            size: size.max(1),
            copies,
            ranges,
        };
        let node = node.checked()?;
        if copies > MAX_COPIES {
            return Err(ErrorCode::InvalidRepeatSize);
        }
        Ok(node)
    }

    /// Whether `regex_automata` may compile it. Many ranges cost more than the fast engine saves, and each level takes up to
    /// 8 KiB of the stack.
    pub(super) fn suits_automata(&self) -> bool {
        self.ranges < MANY_RANGES && self.height < DEEP
    }

    fn joins(&self, next: &Node) -> bool {
        matches!(self.kind, Kind::Literal { .. }) && self.kind == next.kind
    }

    /// How many instructions Go would compile it to.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    fn checked(self) -> Result<Self, ErrorCode> {
        if self.size > MAX_SIZE {
            return Err(ErrorCode::Large);
        }
        if self.height > MAX_HEIGHT {
            return Err(ErrorCode::NestingDepth);
        }
        Ok(self)
    }
}
