//! Format strings with literal argument lists are checked before they run (cel-go `ext/formatting.go`).

use crate::library::format_string::{Clause, FormatError, interpolate};
use crate::syntax::ast::{Expr, ExprId, Literal};
use crate::syntax::error::Errors;
use crate::syntax::source::Source;
use crate::types::{Kind, Type};

use super::Checked;

/// Checks a call of `format` on a string literal with a list literal.
pub(super) fn check(checked: &Checked, source: &Source, errors: &mut Errors, id: ExprId) {
    let Expr::Call {
        target: Some(target),
        function,
        args,
    } = checked.ast.get(id)
    else {
        return;
    };
    if &**function != "format" || args.len() != 1 {
        return;
    }
    let Expr::Literal(Literal::String(format)) = checked.ast.get(*target) else {
        return;
    };
    let Expr::List { elements, .. } = checked.ast.get(args[0]) else {
        return;
    };
    let mut requested = 0;
    let result = interpolate(
        format,
        elements.len(),
        |index| {
            requested += 1;
            Ok(index)
        },
        |clause, index| {
            elements.get(index).map_or(Ok(String::new()), |arg| {
                verify(checked, *arg, clause).map(|()| String::new())
            })
        },
    );
    let mut report = |at: ExprId, text: String| errors.report(source.location(checked.ast.offset(at)), text);
    match result {
        Err(error) => report(error.at.unwrap_or(id), error.message),
        Ok(_) if elements.len() > requested => report(
            id,
            format!(
                "too many arguments supplied to string.format (expected {requested}, got {})",
                elements.len()
            ),
        ),
        Ok(_) => {}
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

/// The first part of an argument that has no text form.
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
