//! The syntax of one Go file: tokens, declarations and comments, with their places. Does not know other
//! files: names are not resolved and constants not evaluated here.

mod ast;
mod attach;
mod body;
mod comment;
mod composite;
mod dump;
mod lexer;
mod literal;
mod number;
mod parser;
mod skip;
#[cfg(test)]
mod tests;
mod token;

pub use ast::{
    BinaryOp, BodyId, Comments, Const, Expr, ExprId, ExprKind, Field, File, Func, Import, Length, List,
    Param, Receiver, Type, TypeDecl, TypeId, TypeKind, TypeParam, UnaryOp, Var,
};
pub use comment::{Comment, CommentLine, CommentTable, Group, GroupId};
pub(crate) use composite::composite;
pub use dump::dump;
pub use literal::{char_value, string_literals, string_value};
pub use parser::{Detail, parse, parse_with};
pub use token::{Kind, Token};
