//! The declarations of a Go file. Nodes are small, live in flat lists owned by their [`File`] and point into
//! its text; names are spans, resolved by [`File::text`]. Knows no other file.

use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

use kindsmith_source::{Diagnostic, FileId, Span};

use super::comment::{CommentLine, CommentTable, GroupId};

/// One parsed file.
#[derive(Debug, Clone)]
pub struct File {
    /// The file in the source map.
    pub id: FileId,
    /// The name in the package clause, if there is one.
    pub package: Option<Span>,
    /// Comments of the package clause.
    pub package_comments: Comments,
    /// Imports in source order.
    pub imports: Vec<Import>,
    /// Type declarations in source order.
    pub types: Vec<TypeDecl>,
    /// Constants in source order, one per name.
    pub consts: Vec<Const>,
    /// Package variables in source order, one per name.
    pub vars: Vec<Var>,
    /// Functions and methods in source order.
    pub funcs: Vec<Func>,
    /// All comments; in an outline, without those in skipped bodies.
    pub comments: CommentTable,
    /// Groups outside declarations, where controller-gen looks for package markers.
    pub package_groups: Vec<GroupId>,
    /// Errors in the file.
    pub diagnostics: Vec<Diagnostic>,
    pub(super) source: Arc<str>,
    pub(super) type_nodes: Vec<Type>,
    pub(super) type_lists: Vec<TypeId>,
    pub(super) exprs: Vec<Expr>,
    pub(super) expr_lists: Vec<ExprId>,
    pub(super) fields: Vec<Field>,
    pub(super) params: Vec<Param>,
    pub(super) type_params: Vec<TypeParam>,
    pub(super) bodies: Vec<Body>,
}

/// A struct body that was skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyId(pub(super) u32);

/// The place of a skipped body, and its content once parsed.
#[derive(Debug, Clone)]
pub(super) struct Body {
    /// Offset of the word `struct`.
    pub(super) start: u32,
    /// Offset after the closing brace.
    pub(super) end: u32,
    /// The line of the word.
    pub(super) line: u32,
    pub(super) read: OnceLock<Box<File>>,
}

/// A type expression of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub(super) u32);

/// A constant expression of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub(super) u32);

/// A range of nodes of one file.
#[derive(Debug)]
pub struct List<T> {
    pub(super) start: u32,
    pub(super) len: u32,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for List<T> {}

impl<T> List<T> {
    /// A list without nodes.
    pub const EMPTY: Self = Self {
        start: 0,
        len: 0,
        of: PhantomData,
    };

    /// The number of nodes.
    #[must_use]
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether there are no nodes.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Moves the nodes of `scratch`, starting at `from`, to the end of `store`.
    pub(super) fn take(store: &mut Vec<T>, scratch: &mut Vec<T>, from: usize) -> Self {
        let start = store.len() as u32;
        store.extend(scratch.drain(from..));
        Self {
            start,
            len: store.len() as u32 - start,
            of: PhantomData,
        }
    }

    fn of(self, store: &[T]) -> &[T] {
        &store[self.start as usize..(self.start + self.len) as usize]
    }
}

/// The comment groups that tools attach to a declaration; each tool has its own rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Comments {
    /// gengo: the group that ends on the line above the declared name. It may be the trailing comment of that
    /// line: see `File::steals_trailing`.
    pub closest: Option<GroupId>,
    /// gengo, types only: the group that ends two lines above the closest one, or above the name if there is
    /// none.
    pub second_closest: Option<GroupId>,
    /// Go and controller-gen: the doc comment.
    pub godoc: Option<GroupId>,
    /// controller-gen: the nearest group above that is neither a doc comment nor a trailing comment.
    pub nearest: Option<GroupId>,
    /// The comment after the declaration on its last line.
    pub trailing: Option<GroupId>,
}

/// An import.
#[derive(Debug, Clone, Copy)]
pub struct Import {
    /// The local name, `.` or `_`, if written.
    pub name: Option<Span>,
    /// The path literal with its quotes.
    pub path: Span,
}

/// A type declaration.
#[derive(Debug, Clone, Copy)]
pub struct TypeDecl {
    /// The declared name.
    pub name: Span,
    /// The whole declaration, from the name to the end of the type.
    pub span: Span,
    /// Type parameters.
    pub type_params: List<TypeParam>,
    /// Whether it is written `type A = B`.
    pub alias: bool,
    /// The right-hand side.
    pub ty: TypeId,
    /// Attached comments.
    pub comments: Comments,
}

/// A type parameter.
#[derive(Debug, Clone, Copy)]
pub struct TypeParam {
    /// Its name.
    pub name: Span,
    /// Its constraint as written.
    pub constraint: Span,
}

/// A type expression.
#[derive(Debug, Clone, Copy)]
pub struct Type {
    /// Its place.
    pub span: Span,
    /// What it is.
    pub kind: TypeKind,
}

/// The forms of a type expression. Parentheses are dropped.
#[derive(Debug, Clone, Copy)]
pub enum TypeKind {
    /// A name of this package or a builtin type.
    Name,
    /// A name of another package.
    Qualified {
        /// The package's local name.
        package: Span,
        /// The type's name.
        name: Span,
    },
    /// An instantiated type.
    Generic {
        /// The generic type.
        base: TypeId,
        /// Its arguments.
        args: List<TypeId>,
    },
    /// `*T`
    Pointer(TypeId),
    /// `[]T`
    Slice(TypeId),
    /// `[N]T`
    Array {
        /// The number of elements.
        len: Length,
        /// The element type.
        elem: TypeId,
    },
    /// `map[K]V`
    Map {
        /// The key type.
        key: TypeId,
        /// The value type.
        value: TypeId,
    },
    /// `struct { … }`
    Struct(List<Field>),
    /// A struct skipped in an outline: [`File::opened`] parses it.
    Unread(BodyId),
    /// `interface { … }`
    Interface {
        /// Whether the braces are empty.
        empty: bool,
    },
    /// `chan T`, in any direction
    Chan(TypeId),
    /// `func(…) …`
    Func,
}

/// The length of an array type.
#[derive(Debug, Clone, Copy)]
pub enum Length {
    /// A constant expression.
    Expr(ExprId),
    /// `...`
    Ellipsis,
}

/// A struct field, one per name.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// The field's name; the type's name if it is embedded.
    pub name: Span,
    /// Whether the field has no name of its own.
    pub embedded: bool,
    /// The number of names before this one in `A, B string`.
    pub sibling: u32,
    /// The type.
    pub ty: TypeId,
    /// The tag literal with its quotes.
    pub tag: Option<Span>,
    /// Attached comments.
    pub comments: Comments,
    /// From the first name to the end of the tag.
    pub span: Span,
}

/// A constant, one per name.
#[derive(Debug, Clone, Copy)]
pub struct Const {
    /// The declared name.
    pub name: Span,
    /// The declared type; inherited with the value when `implicit`.
    pub ty: Option<TypeId>,
    /// The value's expression.
    pub value: Option<ExprId>,
    /// Whether type and value repeat those of an earlier line.
    pub implicit: bool,
    /// The value of `iota` here.
    pub iota: u32,
    /// Attached comments.
    pub comments: Comments,
    /// From the first name of the line to the end of its last value.
    pub span: Span,
}

/// A package variable, one per name.
#[derive(Debug, Clone, Copy)]
pub struct Var {
    /// The declared name.
    pub name: Span,
    /// The declared type.
    pub ty: Option<TypeId>,
    /// All values right of `=` as written.
    pub value: Option<Span>,
    /// Attached comments.
    pub comments: Comments,
}

/// A function or method.
#[derive(Debug, Clone, Copy)]
pub struct Func {
    /// Its name.
    pub name: Span,
    /// The receiver of a method.
    pub receiver: Option<Receiver>,
    /// Type parameters.
    pub type_params: List<TypeParam>,
    /// Parameters.
    pub params: List<Param>,
    /// Results.
    pub results: List<Param>,
    /// The returned expressions, if the whole body is one `return`.
    pub returns: Option<Span>,
    /// The body with its braces.
    pub body: Option<Span>,
    /// From `func` to the end of the signature.
    pub span: Span,
    /// Attached comments.
    pub comments: Comments,
}

/// The receiver of a method.
#[derive(Debug, Clone, Copy)]
pub struct Receiver {
    /// The name of the receiver's type.
    pub ty: Span,
    /// Whether it is a pointer.
    pub pointer: bool,
}

/// A parameter or result.
#[derive(Debug, Clone, Copy)]
pub struct Param {
    /// Its name, if written.
    pub name: Option<Span>,
    /// Its type; the element type if variadic.
    pub ty: TypeId,
    /// Whether it is written `...T`.
    pub variadic: bool,
}

/// A constant expression.
#[derive(Debug, Clone, Copy)]
pub struct Expr {
    /// Its place.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// The forms of constant expressions. Parentheses are dropped.
#[derive(Debug, Clone, Copy)]
pub enum ExprKind {
    /// An integer literal.
    Int,
    /// A floating-point literal.
    Float,
    /// A rune literal.
    Char,
    /// A string literal.
    String,
    /// A name of this package or a predeclared name.
    Name,
    /// A name of another package.
    Qualified {
        /// The package's local name.
        package: Span,
        /// The constant's name.
        name: Span,
    },
    /// An operator before its operand.
    Unary(UnaryOp, ExprId),
    /// An operator between its operands.
    Binary(BinaryOp, ExprId, ExprId),
    /// A call or conversion.
    Call {
        /// What is called.
        callee: ExprId,
        /// The arguments.
        args: List<ExprId>,
    },
    /// Anything else, which API constants do not use.
    Other,
}

/// Operators before an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum UnaryOp {
    Plus,
    Minus,
    Not,
    Complement,
}

/// Operators between operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum BinaryOp {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    BitOr,
    BitXor,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitClear,
}

impl File {
    /// The whole source text.
    #[must_use]
    pub fn source(&self) -> &Arc<str> {
        &self.source
    }

    /// The text a span of this file covers.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        debug_assert_eq!(span.file, self.id, "the span lies in this file");
        &self.source[span.start as usize..span.end as usize]
    }

    /// The name in the package clause, empty if there is none.
    #[must_use]
    pub(crate) fn package_name(&self) -> &str {
        self.package.map_or("", |span| self.text(span))
    }

    /// The type expression behind an id.
    #[must_use]
    pub fn ty(&self, id: TypeId) -> Type {
        self.type_nodes[id.0 as usize]
    }

    /// The expression behind an id.
    #[must_use]
    pub fn expr(&self, id: ExprId) -> Expr {
        self.exprs[id.0 as usize]
    }

    /// The fields of a struct type.
    #[must_use]
    pub fn fields(&self, list: List<Field>) -> &[Field] {
        list.of(&self.fields)
    }

    /// Parameters or results.
    #[must_use]
    pub fn params(&self, list: List<Param>) -> &[Param] {
        list.of(&self.params)
    }

    /// Type parameters.
    #[must_use]
    pub(crate) fn type_params(&self, list: List<TypeParam>) -> &[TypeParam] {
        list.of(&self.type_params)
    }

    /// Type arguments.
    #[must_use]
    pub(crate) fn type_args(&self, list: List<TypeId>) -> &[TypeId] {
        list.of(&self.type_lists)
    }

    /// Arguments of a call.
    #[must_use]
    pub fn args(&self, list: List<ExprId>) -> &[ExprId] {
        list.of(&self.expr_lists)
    }

    /// The path of an import without its quotes.
    #[must_use]
    pub fn import_path(&self, import: &Import) -> &str {
        self.text(import.path).trim_matches(['"', '`'])
    }

    /// The text of a comment group, line by line; see [`CommentTable::lines`].
    #[must_use]
    pub fn comment_lines(&self, group: GroupId) -> Vec<CommentLine<'_>> {
        self.comments.lines(group, self.id, &self.source)
    }

    /// The place of Go's doc comment, from its first comment mark to the end of its last line.
    #[must_use]
    pub fn doc_span(&self, comments: &Comments) -> Option<Span> {
        let comments = self.comments.comments(comments.godoc?);
        Some(Span::new(self.id, comments.first()?.start, comments.last()?.end))
    }

    /// Whether gengo's closest group is really the trailing comment of the line above, so that its markers
    /// apply to the wrong declaration.
    #[must_use]
    pub(crate) fn steals_trailing(&self, comments: &Comments) -> bool {
        comments
            .closest
            .is_some_and(|group| self.comments.group(group).after_code)
    }
}
