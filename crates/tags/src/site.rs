//! The input from a front end: declarations with their comments.

use kindsmith_schema::Owner;
use kindsmith_source::Span;

/// A declaration and its comments.
#[derive(Debug, Clone)]
pub struct Site<'a> {
    /// The declaration in the builder.
    pub owner: Owner,
    /// Its comments, in source order.
    pub blocks: Vec<Block<'a>>,
}

/// A group of comment lines.
#[derive(Debug, Clone)]
pub struct Block<'a> {
    /// How the group belongs to the declaration.
    pub kind: BlockKind,
    /// Whether controller-gen attaches the group to the declaration. It follows Go's own rules, not line
    /// numbers.
    pub crd: bool,
    /// The lines, without comment marks.
    pub lines: Vec<Line<'a>>,
}

/// How a group of comment lines belongs to a declaration. Each tool reads some of the groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// The group that ends on the line above the declared name.
    Closest,
    /// The group that ends two lines above [`BlockKind::Closest`], or above the declaration if there is none.
    Second,
    /// Go's doc comment, if it is another group than [`BlockKind::Closest`].
    Godoc,
    /// A group that only controller-gen attaches to the declaration.
    Loose,
    /// A comment anywhere in a file called `doc.go`; only on packages.
    DocFile,
    /// A comment of another file of the package that belongs to no declaration; only on packages.
    Package,
}

/// One comment line.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// The text, without comment marks. May have blanks at both ends.
    pub text: &'a str,
    /// The exact place of `text`.
    pub span: Span,
    /// Whether it is a `//` comment. controller-gen reads no others.
    pub slashes: bool,
}

impl<'a> Site<'a> {
    /// The lines of one kind of block.
    pub fn lines(&self, kind: BlockKind) -> impl Iterator<Item = &Line<'a>> {
        let blocks = self.blocks.iter().filter(move |block| block.kind == kind);
        blocks.flat_map(|block| &block.lines)
    }
}
