//! Checks of literals in a tree whose types are known: durations, timestamps, regular expressions, lists and maps of one
//! type, format strings.

use crate::library::literal::{is_duration, is_regex, is_timestamp};
use crate::syntax::ast::{Expr, ExprId, Literal};
use crate::syntax::error::Errors;
use crate::syntax::source::Source;
use crate::types::Type;

use super::infer::mismatch;
use super::{Checked, validate_format};

/// The message of Kubernetes' panic for an optional element of type dyn.
const PANIC: &str = "runtime error: index out of range [0] with length 0";

type Pass = fn(&mut Validation<'_>, &Node) -> Result<(), String>;

/// Every pass goes over the whole tree before the next one starts, which decides the order of errors.
const PASSES: &[Pass] = &[
    |validation, node| validation.literal(node, "duration", is_duration),
    |validation, node| validation.literal(node, "timestamp", is_timestamp),
    |validation, node| validation.literal(node, "matches", is_regex),
    |validation, node| validation.uniform_list(node),
    |validation, node| validation.uniform_map(node),
    |validation, node| validation.format(node),
];

/// Runs all passes; `Err` is the message of a panic of Kubernetes.
pub(super) fn validate(checked: &Checked, source: &Source) -> Result<Errors, String> {
    let mut nodes = Vec::with_capacity(checked.ast.len());
    collect(checked, checked.root(), false, &mut nodes);
    let mut validation = Validation {
        checked,
        source,
        errors: Errors::default(),
    };
    for pass in PASSES {
        for node in &nodes {
            pass(&mut validation, node)?;
        }
    }
    Ok(validation.errors)
}

struct Node {
    id: ExprId,
    /// Inside a call of `format`, whose arguments may have different types.
    in_format: bool,
}

fn collect(checked: &Checked, id: ExprId, in_format: bool, nodes: &mut Vec<Node>) {
    nodes.push(Node { id, in_format });
    let is_format = matches!(checked.ast.get(id), Expr::Call { function, .. } if &**function == "format");
    for child in checked.ast.children(id) {
        collect(checked, child, in_format || is_format, nodes);
    }
}

struct Validation<'c> {
    checked: &'c Checked,
    source: &'c Source,
    errors: Errors,
}

impl Validation<'_> {
    fn report(&mut self, at: ExprId, message: String) {
        let location = self.source.location(self.checked.ast.offset(at));
        self.errors.report(location, message);
    }

    /// A literal as first argument of `function` must be valid.
    fn literal(&mut self, node: &Node, function: &str, valid: fn(&Literal) -> bool) -> Result<(), String> {
        if let Expr::Call {
            function: called,
            args,
            ..
        } = self.checked.ast.get(node.id)
            && &**called == function
            && let Some(first) = args.first()
            && let Expr::Literal(literal) = self.checked.ast.get(*first)
            && !valid(literal)
        {
            self.report(*first, format!("invalid {function} argument"));
        }
        Ok(())
    }

    /// All elements must have the type of the first; only the first that differs is reported.
    fn uniform_list(&mut self, node: &Node) -> Result<(), String> {
        let Expr::List { elements, optional } = self.checked.ast.get(node.id) else {
            return Ok(());
        };
        let mut first = None;
        for (element, optional) in elements.iter().zip(optional).filter(|_| !node.in_format) {
            let ty = self.element_type(*element, *optional)?;
            if !self.same_type(*element, first.get_or_insert(ty), ty) {
                break;
            }
        }
        Ok(())
    }

    /// All keys must have the type of the first, and so must all values.
    fn uniform_map(&mut self, node: &Node) -> Result<(), String> {
        let Expr::Map(entries) = self.checked.ast.get(node.id) else {
            return Ok(());
        };
        let mut first = None;
        for entry in entries.iter().filter(|_| !node.in_format) {
            let key = self.checked.ty(entry.key);
            let value = self.element_type(entry.value, entry.optional)?;
            let (first_key, first_value) = *first.get_or_insert((key, value));
            self.same_type(entry.key, first_key, key);
            self.same_type(entry.value, first_value, value);
        }
        Ok(())
    }

    fn format(&mut self, node: &Node) -> Result<(), String> {
        if let Some((at, message)) = validate_format::check(self.checked, node.id) {
            self.report(at, message);
        }
        Ok(())
    }

    fn same_type(&mut self, at: ExprId, wanted: &Type, actual: &Type) -> bool {
        let same = wanted.is_equivalent(actual);
        if !same {
            self.report(at, mismatch(wanted, actual));
        }
        same
    }
}

impl<'c> Validation<'c> {
    /// The type an element adds to its aggregate.
    fn element_type(&self, element: ExprId, optional: bool) -> Result<&'c Type, String> {
        let ty = self.checked.ty(element);
        if !optional {
            return Ok(ty);
        }
        ty.parameters().first().ok_or_else(|| PANIC.to_owned())
    }
}
