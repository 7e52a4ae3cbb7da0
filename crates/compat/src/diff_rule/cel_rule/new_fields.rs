//! Whether a rule can only fail for objects that use something new: it holds if the fields that the old schema does not
//! have are absent, and enums have one of the old values. Unsure means no.

use kindsmith_cel::syntax::ast::{Ast, Comprehension, Expr, ExprId, Literal};
use kindsmith_cel::syntax::parse;
use kindsmith_cel::syntax::source::Source;
use kindsmith_schema::{Json, JsonSchema};

/// Whether an expression holds for all values of the old schema.
pub(super) fn concerns_only(text: &str, old: &JsonSchema) -> bool {
    let Ok(ast) = parse(&Source::new(text)) else {
        return false;
    };
    let Some(root) = ast.root else {
        return false;
    };
    let reader = Reader { ast: &ast };
    reader.is_sure(root, true, &[("self", old)])
}

/// Variables with the old schemas of their values.
type Scope<'s> = [(&'s str, &'s JsonSchema)];

struct Reader<'a> {
    ast: &'a Ast,
}

/// What is known about the schema of an operand.
enum Known<'s> {
    /// The old schema of its values.
    Schema(&'s JsonSchema),
    /// It goes through a field that the old schema does not have.
    New,
    /// Nothing.
    Unknown,
}

impl Reader<'_> {
    /// Whether an expression is sure to be `wanted` while new fields are absent.
    fn is_sure(&self, id: ExprId, wanted: bool, scope: &Scope<'_>) -> bool {
        match self.ast.get(id) {
            Expr::Literal(Literal::Bool(value)) => *value == wanted,
            Expr::Select { test: true, .. } => !wanted && matches!(self.known(id, scope), Known::New),
            Expr::Call {
                target: None,
                function,
                args,
            } => self.is_sure_call(function, args, wanted, scope),
            Expr::Comprehension(all) if wanted => self.holds_for_all(all, scope),
            _ => false,
        }
    }

    fn is_sure_call(&self, function: &str, args: &[ExprId], wanted: bool, scope: &Scope<'_>) -> bool {
        let sure = |id: &ExprId, wanted: bool| self.is_sure(*id, wanted, scope);
        match (function, args) {
            ("!_", [negated]) => sure(negated, !wanted),
            ("_==_", [one, other]) => !wanted && self.is_new_value(*one, *other, scope),
            ("_!=_", [one, other]) => wanted && self.is_new_value(*one, *other, scope),
            ("_<=_", [size, limit]) => wanted && self.is_empty_filter(*size, scope) && self.is_count(*limit),
            ("_&&_", args) if wanted => args.iter().all(|arg| sure(arg, true)),
            ("_&&_", args) => args.iter().any(|arg| sure(arg, false)),
            ("_||_", args) if wanted => args.iter().any(|arg| sure(arg, true)),
            ("_||_", args) => args.iter().all(|arg| sure(arg, false)),
            ("_?_:_", [condition, then, otherwise]) => {
                let chosen = (sure(condition, true) && sure(then, wanted))
                    || (sure(condition, false) && sure(otherwise, wanted));
                chosen || (sure(then, wanted) && sure(otherwise, wanted))
            }
            _ => false,
        }
    }

    /// `range.all(x, condition)`: a loop that starts with true and adds conditions with `&&`.
    fn holds_for_all(&self, all: &Comprehension, scope: &Scope<'_>) -> bool {
        let starts_true = matches!(self.ast.get(all.accu_init), Expr::Literal(Literal::Bool(true)));
        let Expr::Call { function, args, .. } = self.ast.get(all.step) else {
            return false;
        };
        let (true, "_&&_", [_, condition]) = (starts_true, &**function, &args[..]) else {
            return false;
        };
        let below = match self.known(all.range, scope) {
            Known::New => return true,
            Known::Schema(schema) => schema.item(),
            Known::Unknown => None,
        };
        let Some(item) = below else {
            return false;
        };
        let mut inner = scope.to_vec();
        inner.push((&all.iter_var, item));
        self.is_sure(*condition, true, &inner)
    }

    /// Whether a field that is always set is compared with a value that the old schema does not allow.
    fn is_new_value(&self, one: ExprId, other: ExprId, scope: &Scope<'_>) -> bool {
        let is_new = |field: ExprId, value: ExprId| {
            let (Expr::Select { operand, field, test: false }, Expr::Literal(Literal::String(value))) =
                (self.ast.get(field), self.ast.get(value))
            else {
                return false;
            };
            let Known::Schema(parent) = self.known(*operand, scope) else {
                return false;
            };
            let is_set = parent.required.iter().any(|name| **name == **field);
            let values = parent.property(field).map(|schema| &schema.enum_values);
            is_set && values.is_some_and(|values| !values.is_empty() && !values.contains(&Json::from(&**value)))
        };
        is_new(one, other) || is_new(other, one)
    }

    /// `list.filter(x, condition).size()` with a condition that is never true.
    fn is_empty_filter(&self, size: ExprId, scope: &Scope<'_>) -> bool {
        let Expr::Call { target: Some(target), function, args } = self.ast.get(size) else {
            return false;
        };
        let Expr::Comprehension(filter) = self.ast.get(*target) else {
            return false;
        };
        let starts_empty = matches!(self.ast.get(filter.accu_init), Expr::List { elements, .. } if elements.is_empty());
        let (Expr::Call { function: step, args: parts, .. }, Known::Schema(range)) =
            (self.ast.get(filter.step), self.known(filter.range, scope))
        else {
            return false;
        };
        let (true, "size", true, "_?_:_", [condition, ..], Some(item)) =
            (args.is_empty(), &**function, starts_empty, &**step, &parts[..], range.item())
        else {
            return false;
        };
        let mut inner = scope.to_vec();
        inner.push((&filter.iter_var, item));
        self.is_sure(*condition, false, &inner)
    }

    fn is_count(&self, id: ExprId) -> bool {
        matches!(self.ast.get(id), Expr::Literal(Literal::Int(number)) if *number >= 0)
    }

    fn known<'s>(&self, id: ExprId, scope: &Scope<'s>) -> Known<'s> {
        match self.ast.get(id) {
            Expr::Ident(name) => {
                let found = scope.iter().rev().find(|(known, _)| **known == **name);
                found.map_or(Known::Unknown, |(_, schema)| Known::Schema(schema))
            }
            Expr::Select { operand, field, .. } => match self.known(*operand, scope) {
                Known::Schema(schema) => match schema.property(field) {
                    Some(schema) => Known::Schema(schema),
                    None if is_closed(schema) => Known::New,
                    None => Known::Unknown,
                },
                other => other,
            },
            _ => Known::Unknown,
        }
    }
}

/// Whether objects have no other members than those of the schema.
fn is_closed(schema: &JsonSchema) -> bool {
    &*schema.ty == "object"
        && !schema.preserves_unknown_fields()
        && schema.additional_properties.is_none()
        && !schema.embedded_resource
}
