//! The CEL grammar as data: one table of rules, with operators ordered by precedence.
//!
//! Knows nothing about parsing. Error texts depend on the shape of the rules, so they cannot be replaced by equivalent
//! ones.

use crate::syntax::token::Kind;

/// The rules of the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Rule {
    Start,
    Expr,
    Or,
    And,
    Relation,
    Calc,
    Unary,
    Member,
    Primary,
    ExprList,
    ListInit,
    FieldList,
    OptField,
    MapList,
    EscapeIdent,
    OptExpr,
    Literal,
}

pub(super) const RULES: usize = 17;

/// The role of a part in its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Unlabeled,
    /// The only, first or left operand.
    Operand,
    Operator,
    /// An operand after an operator.
    Right,
    Then,
    Else,
    /// The question mark before an optional part.
    Optional,
    Name,
    LeadingDot,
    /// The parenthesis of a method call.
    Open,
    Arguments,
    /// What is between the brackets of a literal.
    Content,
    Element,
    Index,
    Key,
    Colon,
    Value,
    Sign,
    Literal,
}

/// Which alternative of its rule a piece of input matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The rule has one form only, or none was recognized.
    Plain,
    /// A single operand that is passed on.
    Operand,
    Not,
    Negate,
    Binary,
    Select,
    Method,
    Index,
    Ident,
    Call,
    List,
    Map,
    Message,
    Name,
    EscapedName,
    Int,
    Uint,
    Double,
    String,
    Bytes,
    True,
    False,
    Null,
}

/// A part of a rule.
pub(super) enum Item {
    Token(Kind, Label),
    OneOf(&'static [Kind], Label),
    Rule(Rule, Label),
    Optional(&'static [Item]),
    /// Any number of times.
    Repeated(&'static [Item]),
    /// Once or more.
    AtLeastOnce(&'static [Item]),
    Choice(&'static [(Form, &'static [Item])]),
    /// Any number of operators after an operand, each with what follows it. Those that bind tightest come first; an
    /// operand of the rule itself stops at operators that do not bind tighter.
    Operators(&'static [(Form, &'static [Item])]),
}

use Item::{AtLeastOnce, Choice, OneOf, Operators, Optional, Repeated, Rule as R, Token as T};
use Kind as K;
use Label as L;

/// Every rule, in the order of [`Rule`].
#[rustfmt::skip]
pub(super) const GRAMMAR: [(Rule, &[Item]); RULES] = [
    (Rule::Start, &[R(Rule::Expr, L::Operand), T(K::Eof, L::Unlabeled)]),
    (Rule::Expr, &[R(Rule::Or, L::Operand), Optional(&[
        T(K::Question, L::Operator), R(Rule::Or, L::Then), T(K::Colon, L::Unlabeled), R(Rule::Expr, L::Else),
    ])]),
    (Rule::Or, &[R(Rule::And, L::Operand), Repeated(&[
        T(K::Or, L::Operator), R(Rule::And, L::Right),
    ])]),
    (Rule::And, &[R(Rule::Relation, L::Operand), Repeated(&[
        T(K::And, L::Operator), R(Rule::Relation, L::Right),
    ])]),
    (Rule::Relation, &[R(Rule::Calc, L::Operand), Operators(&[
        (Form::Binary, &[OneOf(RELATIONS, L::Operator), R(Rule::Relation, L::Right)]),
    ])]),
    (Rule::Calc, &[R(Rule::Unary, L::Operand), Operators(&[
        (Form::Binary, &[OneOf(&[K::Star, K::Slash, K::Percent], L::Operator), R(Rule::Calc, L::Right)]),
        (Form::Binary, &[OneOf(&[K::Plus, K::Minus], L::Operator), R(Rule::Calc, L::Right)]),
    ])]),
    (Rule::Unary, &[Choice(&[
        (Form::Operand, &[R(Rule::Member, L::Operand)]),
        (Form::Not, &[AtLeastOnce(&[T(K::Exclam, L::Operator)]), R(Rule::Member, L::Operand)]),
        (Form::Negate, &[AtLeastOnce(&[T(K::Minus, L::Operator)]), R(Rule::Member, L::Operand)]),
    ])]),
    (Rule::Member, &[R(Rule::Primary, L::Operand), Operators(&[
        (Form::Select, &[T(K::Dot, L::Operator), QUESTION, R(Rule::EscapeIdent, L::Name)]),
        (Form::Method, &[T(K::Dot, L::Operator), NAME, T(K::LParen, L::Open), ARGUMENTS, CLOSE_PAREN]),
        (Form::Index, &[T(K::LBracket, L::Operator), QUESTION, R(Rule::Expr, L::Index), CLOSE_BRACKET]),
    ])]),
    (Rule::Primary, &[Choice(&[
        (Form::Ident, &[LEADING_DOT, NAME]),
        (Form::Call, &[LEADING_DOT, NAME, T(K::LParen, L::Operator), ARGUMENTS, CLOSE_PAREN]),
        (Form::Operand, &[T(K::LParen, L::Unlabeled), R(Rule::Expr, L::Operand), CLOSE_PAREN]),
        (Form::List, &[T(K::LBracket, L::Operator), ELEMENTS, LAST_COMMA, CLOSE_BRACKET]),
        (Form::Map, &[T(K::LBrace, L::Operator), ENTRIES, LAST_COMMA, CLOSE_BRACE]),
        (Form::Message, &[
            LEADING_DOT, NAME, Repeated(&[T(K::Dot, L::Unlabeled), NAME]),
            T(K::LBrace, L::Operator), FIELDS, LAST_COMMA, CLOSE_BRACE,
        ]),
        (Form::Operand, &[R(Rule::Literal, L::Operand)]),
    ])]),
    (Rule::ExprList, &[R(Rule::Expr, L::Element), Repeated(&[COMMA, R(Rule::Expr, L::Element)])]),
    (Rule::ListInit, &[R(Rule::OptExpr, L::Element), Repeated(&[COMMA, R(Rule::OptExpr, L::Element)])]),
    (Rule::FieldList, &[
        R(Rule::OptField, L::Key), COLON, VALUE, Repeated(&[COMMA, R(Rule::OptField, L::Key), COLON, VALUE]),
    ]),
    (Rule::OptField, &[QUESTION, R(Rule::EscapeIdent, L::Name)]),
    (Rule::MapList, &[
        R(Rule::OptExpr, L::Key), COLON, VALUE, Repeated(&[COMMA, R(Rule::OptExpr, L::Key), COLON, VALUE]),
    ]),
    (Rule::EscapeIdent, &[Choice(&[
        (Form::Name, &[NAME]),
        (Form::EscapedName, &[T(K::EscIdent, L::Name)]),
    ])]),
    (Rule::OptExpr, &[QUESTION, R(Rule::Expr, L::Operand)]),
    (Rule::Literal, &[Choice(&[
        (Form::Int, &[SIGN, T(K::Int, L::Literal)]),
        (Form::Uint, &[T(K::Uint, L::Literal)]),
        (Form::Double, &[SIGN, T(K::Float, L::Literal)]),
        (Form::String, &[T(K::String, L::Literal)]),
        (Form::Bytes, &[T(K::Bytes, L::Literal)]),
        (Form::True, &[T(K::True, L::Literal)]),
        (Form::False, &[T(K::False, L::Literal)]),
        (Form::Null, &[T(K::Null, L::Literal)]),
    ])]),
];

#[rustfmt::skip]
const RELATIONS: &[Kind] = &[
    K::Less, K::LessEquals, K::GreaterEquals, K::Greater, K::Equals, K::NotEquals, K::In,
];
const QUESTION: Item = Optional(&[T(K::Question, L::Optional)]);
const LEADING_DOT: Item = Optional(&[T(K::Dot, L::LeadingDot)]);
const LAST_COMMA: Item = Optional(&[COMMA]);
const SIGN: Item = Optional(&[T(K::Minus, L::Sign)]);
const ELEMENTS: Item = Optional(&[R(Rule::ListInit, L::Content)]);
const ENTRIES: Item = Optional(&[R(Rule::MapList, L::Content)]);
const FIELDS: Item = Optional(&[R(Rule::FieldList, L::Content)]);
const ARGUMENTS: Item = Optional(&[R(Rule::ExprList, L::Arguments)]);
const NAME: Item = T(K::Ident, L::Name);
const COLON: Item = T(K::Colon, L::Colon);
const VALUE: Item = R(Rule::Expr, L::Value);
const COMMA: Item = T(K::Comma, L::Unlabeled);
const CLOSE_PAREN: Item = T(K::RParen, L::Unlabeled);
const CLOSE_BRACKET: Item = T(K::RBracket, L::Unlabeled);
const CLOSE_BRACE: Item = T(K::RBrace, L::Unlabeled);
