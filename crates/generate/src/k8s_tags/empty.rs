//! Whether rules hold for an object that contains only its defaults. If they do, an absent struct can be
//! treated as a zero struct, as in Go.
//!
//! Understands presence, literals, logic and comparisons; anything else counts as a failure.

use kindsmith_cel::escape::unescape;
use kindsmith_cel::syntax::ast::{Ast, Expr, ExprId, Literal};
use kindsmith_cel::syntax::parse;
use kindsmith_cel::syntax::source::Source;
use kindsmith_json::{Arena, Value};
use kindsmith_schema::{JsonSchema, ValidationRule};

/// Whether a struct without members is valid after its own defaulting.
pub(crate) fn is_valid_empty(declared: &JsonSchema) -> bool {
    let has_default = |name: &str| {
        declared
            .property(name)
            .is_some_and(|property| property.default.is_some())
    };
    declared.all_of.is_empty() && is_taken(declared) && declared.required.iter().all(|name| has_default(name))
}

/// Whether all rules of a schema hold for `{}`.
pub(super) fn is_taken(schema: &JsonSchema) -> bool {
    let rules = &schema.validations;
    rules
        .iter()
        .all(|rule| answer(schema, rule) == Some(Literal::Bool(true)))
}

/// Whether a rule of a schema certainly fails for `{}`.
pub(super) fn is_refused(schema: &JsonSchema) -> bool {
    let rules = &schema.validations;
    rules
        .iter()
        .any(|rule| answer(schema, rule) == Some(Literal::Bool(false)))
}

/// What a rule says about `{}`, if understood.
fn answer(schema: &JsonSchema, rule: &ValidationRule) -> Option<Literal> {
    // A transition rule does not run for a new value.
    if rule.rule.contains("oldSelf") && rule.optional_old_self != Some(true) {
        return Some(Literal::Bool(true));
    }
    let ast = parse(&Source::new(&rule.rule)).ok()?;
    let object = Object { schema, ast: &ast };
    object.value(ast.root?)
}

struct Object<'a> {
    schema: &'a JsonSchema,
    ast: &'a Ast,
}

impl Object<'_> {
    /// The value of an expression, if understood. The parser limits the depth of expressions.
    fn value(&self, id: ExprId) -> Option<Literal> {
        match self.ast.get(id) {
            Expr::Literal(literal) => Some(literal.clone()),
            Expr::Select { operand, field, test } if self.is_self(*operand) => {
                let default = self.default(field);
                if *test {
                    Some(Literal::Bool(default.is_some()))
                } else {
                    default?
                }
            }
            Expr::Call {
                target: None,
                function,
                args,
            } => self.call(function, args),
            // There is no old value.
            Expr::Call { function, args, .. } if &**function == "hasValue" && args.is_empty() => {
                Some(Literal::Bool(false))
            }
            _ => None,
        }
    }

    fn is_self(&self, id: ExprId) -> bool {
        matches!(self.ast.get(id), Expr::Ident(name) if &**name == "self")
    }

    /// The default of a member, if it has one; and its value, if understood.
    fn default(&self, field: &str) -> Option<Option<Literal>> {
        let name = unescape(field)?;
        let arena = Arena::new();
        let default = self.schema.property(&name)?.default.as_ref()?;
        Some(match default.value(&arena) {
            Value::Str(text) => Some(Literal::String(text.into())),
            Value::Bool(truth) => Some(Literal::Bool(truth)),
            Value::Int(number) => Some(Literal::Int(number)),
            _ => None,
        })
    }

    fn call(&self, function: &str, args: &[ExprId]) -> Option<Literal> {
        let truth = |at: usize| match self.value(*args.get(at)?) {
            Some(Literal::Bool(truth)) => Some(truth),
            _ => None,
        };
        let found = match function {
            "_||_" => match (truth(0), truth(1)) {
                (Some(true), _) | (_, Some(true)) => true,
                (one, other) => one? || other?,
            },
            "_&&_" => match (truth(0), truth(1)) {
                (Some(false), _) | (_, Some(false)) => false,
                (one, other) => one? && other?,
            },
            "!_" => !truth(0)?,
            "_?_:_" => return self.value(args[if truth(0)? { 1 } else { 2 }]),
            "_+_" => {
                let (one, other) = self.numbers(args)?;
                return Some(Literal::Int(one.checked_add(other)?));
            }
            "_==_" => self.value(args[0])? == self.value(args[1])?,
            "_!=_" => self.value(args[0])? != self.value(args[1])?,
            "_<=_" => self.numbers(args).map(|(one, other)| one <= other)?,
            "_>=_" => self.numbers(args).map(|(one, other)| one >= other)?,
            _ => return None,
        };
        Some(Literal::Bool(found))
    }

    fn numbers(&self, args: &[ExprId]) -> Option<(i64, i64)> {
        match (self.value(*args.first()?)?, self.value(*args.get(1)?)?) {
            (Literal::Int(one), Literal::Int(other)) => Some((one, other)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kindsmith_schema::Json;

    #[test]
    fn presence_and_logic_are_understood() {
        let check = |rule: &str, wanted: bool| {
            let kind = JsonSchema {
                default: Some(Json::from("")),
                ..JsonSchema::default()
            };
            let schema = JsonSchema {
                properties: vec![("kind".into(), kind), ("a".into(), JsonSchema::default())].into(),
                ..JsonSchema::default()
            };
            let rule = ValidationRule {
                rule: rule.into(),
                optional_old_self: rule.contains("hasValue").then_some(true),
                ..ValidationRule::default()
            };
            let found = answer(&schema, &rule) == Some(Literal::Bool(true));
            assert_eq!(found, wanted, "{}", rule.rule);
        };
        check("has(self.kind) && !has(self.a)", true);
        check("has(self.a)", false);
        check("(has(self.a) ? 1 : 0) + (has(self.kind) ? 1 : 0) <= 1", true);
        check("(has(self.a) ? 1 : 0) >= 1", false);
        check("(has(self.kind) ? self.kind : 'x') == ''", true);
        check("!has(self.a) || self.a.all(item, item > 1)", true);
        check("self.a.all(item, item > 1)", false);
        check(
            "has(self.a) || (oldSelf.hasValue() && has(oldSelf.value().a))",
            false,
        );
        check("self == oldSelf", true);
        check("not CEL", false);
    }
}
