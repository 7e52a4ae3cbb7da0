//! Functions and variables that an expression misspells, with the ones that were probably meant.
//!
//! Only the text is read: whether names fit their types is the checker's concern.

use kindsmith_formats::nearest::nearest_of;

use crate::library;
use crate::syntax::ast::{Ast, Expr, ExprId};
use crate::syntax::macro_names;
use crate::syntax::parse;
use crate::syntax::source::{Location, Source};

/// A name that nothing declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misspelled {
    /// Where the compiler's error about it points.
    pub location: Location,
    /// The name that was probably meant.
    pub meant: String,
}

/// The misspelled functions and variables of an expression, in the order of its tree.
pub fn misspelled(text: &str, variables: &[&str]) -> Vec<Misspelled> {
    let source = Source::new(text);
    let Ok(ast) = parse(&source) else {
        return Vec::new();
    };
    let ids = || (0..ast.len()).map(|index| ExprId(index as u32));
    let bound: Vec<&str> = ids().flat_map(|id| loop_variables(&ast, id)).collect();
    let is_known = |name: &str| variables.contains(&name) || bound.contains(&name);
    let meant = |id: ExprId| match ast.get(id) {
        Expr::Call { function, .. } if !functions().any(|known| *known == **function) => {
            nearest_of(function, functions())
        }
        Expr::Ident(name) if !is_known(name) => nearest_of(name, variables.iter().copied()),
        _ => None,
    };
    let found = ids().filter_map(|id| {
        Some(Misspelled {
            meant: meant(id)?.to_owned(),
            location: source.location(ast.offset(id)),
        })
    });
    found.collect()
}

/// What a reader calls functions by: the last word of `sets.contains`; operators have no name.
fn functions() -> impl Iterator<Item = &'static str> {
    let names = library::all().map(|function| function.name);
    let words = names
        .chain(macro_names())
        .filter_map(|name| name.rsplit('.').next());
    words.filter(|word| word.starts_with(|first: char| first.is_ascii_alphabetic()))
}

fn loop_variables(ast: &Ast, id: ExprId) -> Vec<&str> {
    match ast.get(id) {
        Expr::Comprehension(loops) => {
            let names = [
                Some(&loops.iter_var),
                loops.iter_var2.as_ref(),
                Some(&loops.accu_var),
            ];
            names.into_iter().flatten().map(|name| &**name).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(i32, &str)]) {
        let found = misspelled(text, &["self", "oldSelf"]);
        let found: Vec<(i32, &str)> = found
            .iter()
            .map(|found| (found.location.column, &*found.meant))
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn functions_and_variables_are_found_by_near_names() {
        check("self.name.startWith('x')", &[(19, "startsWith")]);
        check("self.all(x, x.conatins('y'))", &[(22, "contains")]);
        check("slef.name == oldself.name", &[(0, "self"), (13, "oldSelf")]);
        check("sets.contain(self.a, [1])", &[(12, "contains")]);
        check("self.exsits(x, x > 1)", &[(11, "exists")]);
    }

    #[test]
    fn known_and_strange_names_are_left_alone() {
        check("self.size() > 1 && self.exists(sel, sel.startsWith('x'))", &[]);
        check("ip('1.2.3.4').family() == 4 && optional.of(1).hasValue()", &[]);
        check("frobnicate(self)", &[]);
        check("self.name.startWith(", &[]);
    }
}
