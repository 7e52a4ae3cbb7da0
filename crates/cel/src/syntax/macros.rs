//! The macros of the API server's environment: one function each, listed in `MACROS`.
//!
//! Knows only how trees are built; whether the result type-checks is the checker's concern.

use std::sync::Arc;

use crate::dialect::Feature;

use super::ast::{Comprehension, Expr, ExprId, Literal};
use super::build::{ACCUMULATOR, Builder, OLD_ACCUMULATOR};

const UNUSED: &str = "#unused";
const ACCU_ERROR: &str = "iteration variable overwrites accumulator variable";
const NOT_IDENT: &str = "argument is not an identifier";
const NOT_SIMPLE: &str = "argument must be a simple name";

/// An error of a macro: the argument it points at and the text.
type Failure = (ExprId, String);
type Expander = fn(&mut Factory<'_, '_>, ExprId, &[ExprId]) -> Result<ExprId, Failure>;

/// What a macro is called on.
#[derive(Clone, Copy)]
enum On {
    Nothing,
    Value,
    /// The name `cel`, in environments with bindings.
    Cel,
}

impl On {
    fn fits(self, builder: &Builder<'_>, target: Option<ExprId>) -> bool {
        let target = target.map(|target| builder.ast.get(target));
        match self {
            On::Nothing => target.is_none(),
            On::Value => target.is_some(),
            On::Cel => builder.binds && matches!(target, Some(Expr::Ident(name)) if **name == *"cel"),
        }
    }
}

/// The names of macros, some more than once.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    MACROS.iter().map(|(name, ..)| *name)
}

/// Name, what it is called on, number of arguments, expansion.
const MACROS: &[(&str, On, usize, Expander)] = &[
    ("has", On::Nothing, 1, has),
    ("all", On::Value, 2, all),
    ("exists", On::Value, 2, exists),
    ("exists_one", On::Value, 2, exists_one),
    ("map", On::Value, 2, map),
    ("map", On::Value, 3, map),
    ("filter", On::Value, 2, filter),
    ("optMap", On::Value, 2, opt_map),
    ("optFlatMap", On::Value, 2, opt_flat_map),
    ("sortBy", On::Value, 2, sort_by),
    ("all", On::Value, 3, all),
    ("exists", On::Value, 3, exists),
    ("exists_one", On::Value, 3, exists_one),
    ("existsOne", On::Value, 3, exists_one),
    ("transformList", On::Value, 3, transform_list),
    ("transformList", On::Value, 4, transform_list),
    ("transformMap", On::Value, 3, transform_map),
    ("transformMap", On::Value, 4, transform_map),
    ("transformMapEntry", On::Value, 3, transform_map_entry),
    ("transformMapEntry", On::Value, 4, transform_map_entry),
    ("bind", On::Cel, 3, cel_bind),
];

/// Macros that older releases do not have.
const LATER: &[(&str, Feature)] = &[("sortBy", Feature::ListFunctions)];

/// The expansion of a call that is a macro, or `None`.
pub(super) fn expand(
    builder: &mut Builder<'_>,
    offset: u32,
    function: &str,
    target: Option<ExprId>,
    args: &[ExprId],
) -> Option<ExprId> {
    let is_there = |name: &str| {
        let mut later = LATER.iter();
        !later.any(|(later, feature)| *later == name && !builder.dialect.has(*feature))
    };
    let found = MACROS.iter().find(|(name, on, count, _)| {
        *name == function && *count == args.len() && on.fits(builder, target) && is_there(name)
    });
    let (_, _, _, expander) = found?;
    let mut factory = Factory { builder, offset };
    let result = expander(&mut factory, target.unwrap_or(args[0]), args);
    Some(result.unwrap_or_else(|(at, message)| {
        let offset = builder.ast.offset(at);
        builder.error(offset, message)
    }))
}

/// Makes nodes at the place of the macro call.
struct Factory<'b, 's> {
    builder: &'b mut Builder<'s>,
    offset: u32,
}

/// The parts of a comprehension that differ between macros.
struct Loop {
    init: ExprId,
    condition: ExprId,
    step: ExprId,
    result: ExprId,
}

impl Loop {
    fn new(init: ExprId, condition: ExprId, step: ExprId, result: ExprId) -> Self {
        Loop {
            init,
            condition,
            step,
            result,
        }
    }
}

/// The loop variables of a macro call and how many arguments they took.
struct Vars {
    first: Arc<str>,
    second: Option<Arc<str>>,
    count: usize,
}

impl Factory<'_, '_> {
    fn add(&mut self, expr: Expr) -> ExprId {
        self.builder.ast.add(expr, self.offset)
    }

    fn literal(&mut self, literal: Literal) -> ExprId {
        self.add(Expr::Literal(literal))
    }

    fn accu(&mut self) -> ExprId {
        self.ident(ACCUMULATOR)
    }

    fn ident(&mut self, name: &str) -> ExprId {
        self.add(Expr::Ident(name.into()))
    }

    fn call(&mut self, function: &str, args: Vec<ExprId>) -> ExprId {
        self.add(Expr::Call {
            target: None,
            function: function.into(),
            args,
        })
    }

    fn method(&mut self, function: &str, target: ExprId, args: Vec<ExprId>) -> ExprId {
        self.add(Expr::Call {
            target: Some(target),
            function: function.into(),
            args,
        })
    }

    fn list(&mut self, elements: Vec<ExprId>) -> ExprId {
        let optional = vec![false; elements.len()];
        self.add(Expr::List { elements, optional })
    }

    fn fold(&mut self, range: ExprId, vars: Vars, parts: &Loop) -> ExprId {
        self.comprehension(range, (vars.first, vars.second), ACCUMULATOR, parts)
    }

    fn comprehension(
        &mut self,
        range: ExprId,
        vars: (Arc<str>, Option<Arc<str>>),
        accu_var: &str,
        parts: &Loop,
    ) -> ExprId {
        self.add(Expr::Comprehension(Box::new(Comprehension {
            range,
            iter_var: vars.0,
            iter_var2: vars.1,
            accu_var: accu_var.into(),
            accu_init: parts.init,
            condition: parts.condition,
            step: parts.step,
            result: parts.result,
        })))
    }

    fn name(&self, arg: ExprId) -> Option<Arc<str>> {
        match self.builder.ast.get(arg) {
            Expr::Ident(name) => Some(name.clone()),
            _ => None,
        }
    }

    /// One loop variable.
    fn one_var(&self, args: &[ExprId], not_ident: &str) -> Result<Vars, Failure> {
        let first = self.name(args[0]).ok_or((args[0], not_ident.to_owned()))?;
        if [ACCUMULATOR, OLD_ACCUMULATOR].contains(&&*first) {
            return Err((args[0], ACCU_ERROR.to_owned()));
        }
        Ok(Vars {
            first,
            second: None,
            count: 1,
        })
    }

    /// Two loop variables.
    fn two_vars(&self, args: &[ExprId]) -> Result<Vars, Failure> {
        let first = self.name(args[0]).ok_or((args[0], NOT_SIMPLE.to_owned()))?;
        let second = self.name(args[1]).ok_or((args[1], NOT_SIMPLE.to_owned()))?;
        if first == second {
            return Err((args[1], format!("duplicate variable name: {first}")));
        }
        for (name, arg) in [(&first, args[0]), (&second, args[1])] {
            if [ACCUMULATOR, OLD_ACCUMULATOR].contains(&&**name) {
                return Err((arg, ACCU_ERROR.to_owned()));
            }
        }
        Ok(Vars {
            first,
            second: Some(second),
            count: 2,
        })
    }

    /// The variables of a quantifier: one in its short form, two in its long form.
    fn quantifier_vars(&self, args: &[ExprId]) -> Result<Vars, Failure> {
        if args.len() == 2 {
            self.one_var(args, NOT_SIMPLE)
        } else {
            self.two_vars(args)
        }
    }
}

fn has(f: &mut Factory<'_, '_>, _: ExprId, args: &[ExprId]) -> Result<ExprId, Failure> {
    match f.builder.ast.get(args[0]).clone() {
        // An argument that is itself a presence test counts as a selection.
        Expr::Select { operand, field, .. } => Ok(f.add(Expr::Select {
            operand,
            field,
            test: true,
        })),
        _ => Err((args[0], "invalid argument to has() macro".to_owned())),
    }
}

fn all(f: &mut Factory<'_, '_>, range: ExprId, args: &[ExprId]) -> Result<ExprId, Failure> {
    let vars = f.quantifier_vars(args)?;
    let init = f.literal(Literal::Bool(true));
    let accu = f.accu();
    let condition = f.call("@not_strictly_false", vec![accu]);
    let accu = f.accu();
    let step = f.call("_&&_", vec![accu, args[vars.count]]);
    let result = f.accu();
    Ok(f.fold(range, vars, &Loop::new(init, condition, step, result)))
}

fn exists(f: &mut Factory<'_, '_>, range: ExprId, args: &[ExprId]) -> Result<ExprId, Failure> {
    let vars = f.quantifier_vars(args)?;
    let init = f.literal(Literal::Bool(false));
    let accu = f.accu();
    let not = f.call("!_", vec![accu]);
    let condition = f.call("@not_strictly_false", vec![not]);
    let accu = f.accu();
    let step = f.call("_||_", vec![accu, args[vars.count]]);
    let result = f.accu();
    Ok(f.fold(range, vars, &Loop::new(init, condition, step, result)))
}

fn exists_one(f: &mut Factory<'_, '_>, range: ExprId, args: &[ExprId]) -> Result<ExprId, Failure> {
    let vars = f.quantifier_vars(args)?;
    let init = f.literal(Literal::Int(0));
    let condition = f.literal(Literal::Bool(true));
    let accu = f.accu();
    let one = f.literal(Literal::Int(1));
    let more = f.call("_+_", vec![accu, one]);
    let accu = f.accu();
    let step = f.call("_?_:_", vec![args[vars.count], more, accu]);
    let accu = f.accu();
    let one = f.literal(Literal::Int(1));
    let result = f.call("_==_", vec![accu, one]);
    Ok(f.fold(range, vars, &Loop::new(init, condition, step, result)))
}

/// A loop that collects `transform` into a list, for all elements or those that pass `filter`.
fn collect(
    f: &mut Factory<'_, '_>,
    range: ExprId,
    vars: Vars,
    filter: Option<ExprId>,
    transform: ExprId,
) -> ExprId {
    let init = f.list(Vec::new());
    let condition = f.literal(Literal::Bool(true));
    let accu = f.accu();
    let added = f.list(vec![transform]);
    let mut step = f.call("_+_", vec![accu, added]);
    if let Some(filter) = filter {
        let accu = f.accu();
        step = f.call("_?_:_", vec![filter, step, accu]);
    }
    let result = f.accu();
    f.fold(range, vars, &Loop::new(init, condition, step, result))
}

fn map(f: &mut Factory<'_, '_>, range: ExprId, args: &[ExprId]) -> Result<ExprId, Failure> {
    let vars = f.one_var(args, NOT_IDENT)?;
    let filter = (args.len() == 3).then(|| args[1]);
    Ok(collect(f, range, vars, filter, args[args.len() - 1]))
}

fn filter(f: &mut Factory<'_, '_>, range: ExprId, args: &[ExprId]) -> Result<ExprId, Failure> {
    let vars = f.one_var(args, NOT_IDENT)?;
    Ok(collect(f, range, vars, Some(args[1]), args[0]))
}

fn transform_list(f: &mut Factory<'_, '_>, range: ExprId, args: &[ExprId]) -> Result<ExprId, Failure> {
    let vars = f.two_vars(args)?;
    let filter = (args.len() == 4).then(|| args[2]);
    Ok(collect(f, range, vars, filter, args[args.len() - 1]))
}

fn transform_map(f: &mut Factory<'_, '_>, range: ExprId, args: &[ExprId]) -> Result<ExprId, Failure> {
    let vars = f.two_vars(args)?;
    let accu = f.accu();
    let key = f.ident(&vars.first);
    let insert = f.call("cel.@mapInsert", vec![accu, key, args[args.len() - 1]]);
    Ok(into_map(f, range, vars, args, insert))
}

fn transform_map_entry(f: &mut Factory<'_, '_>, range: ExprId, args: &[ExprId]) -> Result<ExprId, Failure> {
    let vars = f.two_vars(args)?;
    let accu = f.accu();
    let insert = f.call("cel.@mapInsert", vec![accu, args[args.len() - 1]]);
    Ok(into_map(f, range, vars, args, insert))
}

fn into_map(f: &mut Factory<'_, '_>, range: ExprId, vars: Vars, args: &[ExprId], insert: ExprId) -> ExprId {
    let mut step = insert;
    if args.len() == 4 {
        let accu = f.accu();
        step = f.call("_?_:_", vec![args[2], step, accu]);
    }
    let init = f.add(Expr::Map(Vec::new()));
    let condition = f.literal(Literal::Bool(true));
    let result = f.accu();
    f.fold(range, vars, &Loop::new(init, condition, step, result))
}

/// Binds `init` to a name in `result`, by a loop over an empty list.
fn bind(f: &mut Factory<'_, '_>, name: &str, init: ExprId, step: ExprId, result: ExprId) -> ExprId {
    let range = f.list(Vec::new());
    let condition = f.literal(Literal::Bool(false));
    f.comprehension(
        range,
        (UNUSED.into(), None),
        name,
        &Loop::new(init, condition, step, result),
    )
}

fn cel_bind(f: &mut Factory<'_, '_>, _: ExprId, args: &[ExprId]) -> Result<ExprId, Failure> {
    let text = "cel.bind() variable names must be simple identifiers";
    let name = f.name(args[0]).ok_or((args[0], text.to_owned()))?;
    let step = f.ident(&name);
    Ok(bind(f, &name, args[1], step, args[2]))
}

/// How large a tree may be for a macro that copies a part of it. Even the longest allowed expression has fewer nodes
/// without such macros.
const MOST_NODES: usize = 200_000;

/// The value of an optional target under the name of the first argument.
fn bind_value(
    f: &mut Factory<'_, '_>,
    target: ExprId,
    args: &[ExprId],
    macro_name: &str,
) -> Result<ExprId, Failure> {
    let text = format!("{macro_name}() variable name must be a simple identifier");
    let name = f.name(args[0]).ok_or((args[0], text))?;
    // Each of these macros has its target twice, so a chain of them doubles with every link.
    if f.builder.ast.len() > MOST_NODES {
        return Err((target, format!("{macro_name}() makes the expression too large")));
    }
    let copy = f.builder.copy(target);
    let value = f.method("value", copy, Vec::new());
    let step = f.ident(&name);
    Ok(bind(f, &name, value, step, args[1]))
}

fn opt_map(f: &mut Factory<'_, '_>, target: ExprId, args: &[ExprId]) -> Result<ExprId, Failure> {
    let bound = bind_value(f, target, args, "optMap")?;
    let some = f.call("optional.of", vec![bound]);
    Ok(if_present(f, target, some))
}

fn opt_flat_map(f: &mut Factory<'_, '_>, target: ExprId, args: &[ExprId]) -> Result<ExprId, Failure> {
    let bound = bind_value(f, target, args, "optFlatMap")?;
    Ok(if_present(f, target, bound))
}

fn if_present(f: &mut Factory<'_, '_>, target: ExprId, then: ExprId) -> ExprId {
    let has_value = f.method("hasValue", target, Vec::new());
    let none = f.call("optional.none", Vec::new());
    f.call("_?_:_", vec![has_value, then, none])
}

fn sort_by(f: &mut Factory<'_, '_>, target: ExprId, args: &[ExprId]) -> Result<ExprId, Failure> {
    const INPUT: &str = "@__sortBy_input__";
    let sortable = matches!(
        f.builder.ast.get(target),
        Expr::List { .. } | Expr::Select { .. } | Expr::Ident(_) | Expr::Comprehension(_) | Expr::Call { .. }
    );
    if !sortable {
        let text =
            "sortBy can only be applied to a list, identifier, comprehension, call or select expression";
        return Err((target, text.to_owned()));
    }
    let range = f.ident(INPUT);
    let keys = map(f, range, args)?;
    let input = f.ident(INPUT);
    let sorted = f.method("@sortByAssociatedKeys", input, vec![keys]);
    let step = f.ident(INPUT);
    Ok(bind(f, INPUT, target, step, sorted))
}
