//! Validators of literals, run on checked trees: durations, timestamps, regular expressions, homogeneous aggregates,
//! format strings (cel-go `cel/validator.go`).

use crate::library::literal::{is_duration, is_regex, is_timestamp};
use crate::syntax::ast::{Entry, Expr, ExprId, Literal};
use crate::syntax::error::Errors;
use crate::syntax::source::Source;
use crate::types::Type;

use super::{Checked, validate_format};

/// What the reference's validator panics with when an optional element has type dyn.
const PANIC: &str = "runtime error: index out of range [0] with length 0";

/// Runs all validators; `Err` is the text of a crash of the reference.
pub(super) fn run(checked: &Checked, source: &Source, errors: &mut Errors) -> Result<(), String> {
    let mut walk = Walk {
        checked,
        nodes: Vec::new(),
    };
    walk.visit(checked.root(), false);
    let nodes = walk.nodes;
    for (function, valid) in LITERALS {
        for (id, _) in &nodes {
            check_literal(checked, source, errors, *id, function, *valid);
        }
    }
    for (id, exempt) in &nodes {
        if !exempt {
            check_aggregate(checked, source, errors, *id, Aggregate::List)?;
        }
    }
    for (id, exempt) in &nodes {
        if !exempt {
            check_aggregate(checked, source, errors, *id, Aggregate::Map)?;
        }
    }
    for (id, _) in &nodes {
        validate_format::check(checked, source, errors, *id);
    }
    Ok(())
}

/// A function and whether a literal is good as its first argument.
type LiteralCheck = (&'static str, fn(&Literal) -> bool);

/// Functions whose first argument, if a literal, must be well-formed.
const LITERALS: &[LiteralCheck] = &[
    ("duration", is_duration),
    ("timestamp", is_timestamp),
    ("matches", is_regex),
];

/// All nodes in order, each with whether it is below a call of `format`, whose arguments may be mixed.
struct Walk<'c> {
    checked: &'c Checked,
    nodes: Vec<(ExprId, bool)>,
}

impl Walk<'_> {
    fn visit(&mut self, id: ExprId, exempt: bool) {
        self.nodes.push((id, exempt));
        let below = exempt
            || matches!(self.checked.ast.get(id), Expr::Call { function, .. } if &**function == "format");
        for child in self.checked.ast.children(id) {
            self.visit(child, below);
        }
    }
}

fn check_literal(
    checked: &Checked,
    source: &Source,
    errors: &mut Errors,
    id: ExprId,
    wanted: &str,
    valid: fn(&Literal) -> bool,
) {
    let Expr::Call { function, args, .. } = checked.ast.get(id) else {
        return;
    };
    let Some(first) = args.first().filter(|_| &**function == wanted) else {
        return;
    };
    let Expr::Literal(literal) = checked.ast.get(*first) else {
        return;
    };
    if !valid(literal) {
        errors.report(
            source.location(checked.ast.offset(*first)),
            format!("invalid {wanted} argument"),
        );
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Aggregate {
    List,
    Map,
}

fn check_aggregate(
    checked: &Checked,
    source: &Source,
    errors: &mut Errors,
    id: ExprId,
    kind: Aggregate,
) -> Result<(), String> {
    let mut report = |at: ExprId, expected: &Type, actual: &Type| {
        let text = format!(
            "expected type '{}' but found '{}'",
            expected.in_errors(),
            actual.in_errors()
        );
        errors.report(source.location(checked.ast.offset(at)), text);
    };
    match checked.ast.get(id) {
        Expr::List { elements, optional } if kind == Aggregate::List => {
            let mut first: Option<Type> = None;
            for (element, optional) in elements.iter().zip(optional) {
                let ty = inner(checked.ty(*element), *optional)?;
                match &first {
                    None => first = Some(ty),
                    Some(first) if !first.is_equivalent(&ty) => {
                        report(*element, first, &ty);
                        break;
                    }
                    Some(_) => {}
                }
            }
        }
        Expr::Map(entries) if kind == Aggregate::Map => {
            let mut first: Option<(Type, Type)> = None;
            for Entry { key, value, optional } in entries {
                let pair = (checked.ty(*key).clone(), inner(checked.ty(*value), *optional)?);
                match &first {
                    None => first = Some(pair),
                    Some((key_type, value_type)) => {
                        if !key_type.is_equivalent(&pair.0) {
                            report(*key, key_type, &pair.0);
                        }
                        if !value_type.is_equivalent(&pair.1) {
                            report(*value, value_type, &pair.1);
                        }
                    }
                }
            }
        }
        _ => {}
    }
    Ok(())
}

fn inner(ty: &Type, optional: bool) -> Result<Type, String> {
    if !optional {
        return Ok(ty.clone());
    }
    ty.parameters()
        .first()
        .map(|inner| (*inner).clone())
        .ok_or_else(|| PANIC.to_owned())
}
