//! Whether everything that satisfies one rule satisfies another, read from their form. Unsure means no.

use kindsmith_cel::syntax::ast::{Ast, Expr, ExprId, Literal};
use kindsmith_cel::syntax::parse;
use kindsmith_cel::syntax::source::Source;

/// How deep expressions are compared; deeper ones count as different.
const MAX_DEPTH: usize = 48;

/// Whether a rule holds wherever another does.
pub(super) fn is_implied(rule: &str, by: &str) -> bool {
    let (Ok(rule), Ok(by)) = (parse(&Source::new(rule)), parse(&Source::new(by))) else {
        return false;
    };
    match (At::root(&rule), At::root(&by)) {
        (Some(rule), Some(by)) => implies(by, rule, 0),
        _ => false,
    }
}

/// A part of an expression.
#[derive(Clone, Copy)]
struct At<'a> {
    ast: &'a Ast,
    id: ExprId,
}

impl<'a> At<'a> {
    fn root(ast: &'a Ast) -> Option<Self> {
        ast.root.map(|id| Self { ast, id })
    }

    /// The operands of an operator or function.
    fn call(self, wanted: &str) -> Option<Vec<At<'a>>> {
        match self.ast.get(self.id) {
            Expr::Call {
                target: None,
                function,
                args,
            } if **function == *wanted => Some(args.iter().map(|id| Self { id: *id, ..self }).collect()),
            _ => None,
        }
    }

    /// The same text for the same meaning, wherever it is written.
    fn text(self, depth: usize) -> Option<String> {
        if depth > MAX_DEPTH {
            return None;
        }
        let head = match self.ast.get(self.id) {
            Expr::Literal(literal) => format!("{literal:?}"),
            Expr::Ident(name) => name.to_string(),
            Expr::Select { field, test, .. } => format!("{}.{field}", if *test { "has" } else { "" }),
            Expr::Call { target, function, .. } => format!("{function}/{}", target.is_some()),
            Expr::List { optional, .. } => format!("{optional:?}"),
            Expr::Comprehension(all) => format!("{} {:?} {}", all.iter_var, all.iter_var2, all.accu_var),
            _ => return None,
        };
        let children = self.ast.children(self.id).into_iter();
        let children: Option<Vec<String>> =
            children.map(|id| Self { id, ..self }.text(depth + 1)).collect();
        Some(format!("{head}({})", children?.join(",")))
    }

    fn number(self) -> Option<f64> {
        match self.ast.get(self.id) {
            Expr::Literal(Literal::Int(number)) => Some(*number as f64),
            Expr::Literal(Literal::Uint(number)) => Some(*number as f64),
            Expr::Literal(Literal::Double(number)) => Some(*number),
            _ => None,
        }
    }
}

fn implies(one: At<'_>, other: At<'_>, depth: usize) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    let below = |one: At<'_>, other: At<'_>| implies(one, other, depth + 1);
    if one.text(0).is_some_and(|text| Some(text) == other.text(0)) || is_looser_bound(one, other) {
        return true;
    }
    if let (Some(one), Some(other)) = (one.call("!_"), other.call("!_")) {
        return below(other[0], one[0]);
    }
    let alternatives = one.call("_||_");
    let parts = other.call("_&&_");
    alternatives.is_some_and(|all| all.into_iter().all(|each| below(each, other)))
        || parts.is_some_and(|all| all.into_iter().all(|each| below(one, each)))
        || other
            .call("_||_")
            .is_some_and(|all| all.into_iter().any(|each| below(one, each)))
        || one
            .call("_&&_")
            .is_some_and(|all| all.into_iter().any(|each| below(each, other)))
}

/// Whether two comparisons of the same value differ in a bound, and the other one is looser.
fn is_looser_bound(one: At<'_>, other: At<'_>) -> bool {
    let operands = |function: &str| Some((one.call(function)?, other.call(function)?));
    let bounds = |(one, other): (Vec<At<'_>>, Vec<At<'_>>)| {
        let is_same = one[0].text(0).is_some_and(|text| Some(text) == other[0].text(0));
        is_same.then_some(())?;
        Some((one[1].number()?, other[1].number()?))
    };
    let compared = |functions: [&str; 2]| functions.into_iter().find_map(|name| bounds(operands(name)?));
    compared(["_>_", "_>=_"]).is_some_and(|(one, other)| other <= one)
        || compared(["_<_", "_<=_"]).is_some_and(|(one, other)| other >= one)
        || operands("@in").is_some_and(|(one, other)| is_subset(&one, &other))
}

/// Whether `x in [a]` and `x in [a, b]` have the same value, and the first list is part of the second.
fn is_subset(one: &[At<'_>], other: &[At<'_>]) -> bool {
    let elements = |list: At<'_>| match list.ast.get(list.id) {
        Expr::List { elements, optional } if !optional.contains(&true) => elements
            .iter()
            .map(|id| At { id: *id, ..list }.text(0))
            .collect::<Option<Vec<String>>>(),
        _ => None,
    };
    let is_same = one[0].text(0).is_some_and(|text| Some(text) == other[0].text(0));
    let (Some(few), Some(many)) = (elements(one[1]), elements(other[1])) else {
        return false;
    };
    is_same && few.iter().all(|element| many.contains(element))
}

#[cfg(test)]
mod tests {
    use super::is_implied;

    #[test]
    fn rules_that_accept_more() {
        for (old, new) in [
            ("self > 1", "self > 1"),
            ("self > 2", "self > 1"),
            ("size(self) <= 5", "size(self) <= 9"),
            ("self.a > 1", "self.a > 1 || has(self.b)"),
            ("self.a > 1 && self.b", "self.a > 0"),
            ("self.a || self.b", "self.b || self.a || self.c"),
            ("self in ['a']", "self in ['b', 'a']"),
            ("!(self.a && self.b)", "!(self.a && self.b && self.c)"),
            ("self.all(x, x > 1)", "self.all(x, x > 1) || self.size() == 0"),
        ] {
            assert!(is_implied(new, old), "{old} => {new}");
        }
    }

    #[test]
    fn rules_that_do_not() {
        for (old, new) in [
            ("self > 1", "self > 2"),
            ("self > 1", "self >= 1 && self < 9"),
            ("self.a > 1 || self.b", "self.a > 1"),
            ("self in ['a', 'b']", "self in ['a']"),
            ("!(self.a && self.b)", "!self.a"),
            ("self.all(x, x > 1)", "self.all(x, x > 0)"),
            ("self ==", "self"),
        ] {
            assert!(!is_implied(new, old), "{old} => {new}");
        }
    }
}
