//! Checks `format` calls on a string literal with a list literal: clauses, number and types of the arguments.

use crate::library::format_string::{Clause, FormatError, interpolate};
use crate::syntax::ast::{Expr, ExprId, Literal};
use crate::types::{Kind, Type};

use super::Checked;

/// The error in a node that is such a call, and its place.
pub(super) fn check(checked: &Checked, id: ExprId) -> Option<(ExprId, String)> {
    let (format, elements) = literal_call(checked, id)?;
    let mut requested = 0;
    let result = interpolate(
        format,
        elements.len(),
        |index| {
            requested += 1;
            Ok(index)
        },
        |clause, index| {
            if let Some(arg) = elements.get(index) {
                verify(checked, *arg, clause)?;
            }
            Ok(String::new())
        },
    );
    if let Err(error) = result {
        return Some((error.at.unwrap_or(id), error.message));
    }
    let given = elements.len();
    (given > requested).then(|| {
        let text =
            format!("too many arguments supplied to string.format (expected {requested}, got {given})");
        (id, text)
    })
}

/// The format and the arguments of a call that has both as literals.
fn literal_call(checked: &Checked, id: ExprId) -> Option<(&str, &[ExprId])> {
    let Expr::Call {
        target: Some(target),
        function,
        args,
    } = checked.ast.get(id)
    else {
        return None;
    };
    let ("format", [list]) = (&**function, &args[..]) else {
        return None;
    };
    match (checked.ast.get(*target), checked.ast.get(*list)) {
        (Expr::Literal(Literal::String(format)), Expr::List { elements, .. }) => Some((format, elements)),
        _ => None,
    }
}

fn verify(checked: &Checked, arg: ExprId, clause: Clause) -> Result<(), FormatError> {
    let bad = match clause {
        Clause::String => unprintable(checked, arg),
        Clause::Decimal | Clause::Octal => not_of(checked, arg, &[Kind::Int, Kind::Uint]),
        Clause::Fixed(_) | Clause::Scientific(_) => not_of(checked, arg, &[Kind::Double, Kind::String]),
        Clause::Binary => not_of(checked, arg, &[Kind::Int, Kind::Uint, Kind::Bool]),
        Clause::Hex { .. } => not_of(checked, arg, &[Kind::Int, Kind::Uint, Kind::String, Kind::Bytes]),
    };
    match bad {
        Some(at) => Err(FormatError {
            at: Some(at),
            message: clause.refuses(&checked.ty(at).name()),
        }),
        None => Ok(()),
    }
}

fn not_of(checked: &Checked, arg: ExprId, kinds: &[Kind]) -> Option<ExprId> {
    let ty = checked.ty(arg);
    (*ty != Type::Dyn && !kinds.contains(&ty.kind())).then_some(arg)
}

/// The first part of an argument that cannot be printed.
fn unprintable(checked: &Checked, arg: ExprId) -> Option<ExprId> {
    const PRINTABLE: [Kind; 12] = [
        Kind::List,
        Kind::Map,
        Kind::Int,
        Kind::Uint,
        Kind::Double,
        Kind::Bool,
        Kind::String,
        Kind::Timestamp,
        Kind::Bytes,
        Kind::Duration,
        Kind::Type,
        Kind::Null,
    ];
    if let Some(bad) = not_of(checked, arg, &PRINTABLE) {
        return Some(bad);
    }
    match checked.ast.get(arg) {
        Expr::List { .. } | Expr::Map(_) => checked
            .ast
            .children(arg)
            .into_iter()
            .find_map(|child| unprintable(checked, child)),
        _ => None,
    }
}
