//! A plain evaluator: walks the checked tree, copies every value, ignores costs, schemas and speed.

use std::collections::BTreeMap;

use kindsmith_cel::check::Checked;
use kindsmith_cel::syntax::ast::{Comprehension, Expr, ExprId, Literal};
use kindsmith_json::Value as Json;

/// A value of the compared subset.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Bool(bool),
    Int(i64),
    Text(String),
    List(Vec<Value>),
    Map(BTreeMap<String, Value>),
}

/// A value, or the text of an error.
pub(crate) type Answer = Result<Value, String>;

pub(crate) fn from_json(json: Json<'_>) -> Value {
    match json {
        Json::Bool(truth) => Value::Bool(truth),
        Json::Int(number) => Value::Int(number),
        Json::Str(text) => Value::Text(text.to_owned()),
        Json::Array(items) => Value::List(items.iter().map(|item| from_json(*item)).collect()),
        Json::Object(object) => Value::Map(
            object
                .iter()
                .map(|(key, value)| (key.to_owned(), from_json(value)))
                .collect(),
        ),
        other => panic!("no {other:?} is generated"),
    }
}

/// Variables, the innermost last.
pub(crate) struct Naive<'c> {
    pub(crate) checked: &'c Checked,
    pub(crate) variables: Vec<(String, Answer)>,
}

impl Naive<'_> {
    pub(crate) fn eval(&mut self, id: ExprId) -> Answer {
        match self.checked.ast.get(id).clone() {
            Expr::Literal(Literal::Bool(truth)) => Ok(Value::Bool(truth)),
            Expr::Literal(Literal::Int(number)) => Ok(Value::Int(number)),
            Expr::Literal(Literal::String(text)) => Ok(Value::Text(text.to_string())),
            Expr::Ident(name) => {
                let found = self.variables.iter().rev().find(|(known, _)| **known == *name);
                found.expect("checked names are bound").1.clone()
            }
            Expr::Select { operand, field, test } => {
                let Value::Map(members) = self.eval(operand)? else {
                    return Err("no such overload".into());
                };
                match (members.get(&*field), test) {
                    (found, true) => Ok(Value::Bool(found.is_some())),
                    (Some(value), false) => Ok(value.clone()),
                    (None, false) => Err(format!("no such key: {field}")),
                }
            }
            Expr::List { elements, .. } => {
                let elements = elements.into_iter().map(|element| self.eval(element));
                elements.collect::<Result<_, _>>().map(Value::List)
            }
            Expr::Call {
                target,
                function,
                args,
            } => self.call(&function, &target.into_iter().chain(args).collect::<Vec<_>>()),
            Expr::Comprehension(fold) => self.fold(&fold),
            other => panic!("no {other:?} is generated"),
        }
    }

    fn call(&mut self, function: &str, args: &[ExprId]) -> Answer {
        match function {
            "_&&_" | "_||_" => return self.logic(args, function == "_||_"),
            "_?_:_" => {
                return match self.eval(args[0])? {
                    Value::Bool(true) => self.eval(args[1]),
                    _ => self.eval(args[2]),
                };
            }
            "@not_strictly_false" => {
                return Ok(Value::Bool(self.eval(args[0]) != Ok(Value::Bool(false))));
            }
            _ => {}
        }
        // The first error wins, whatever the other operands are.
        let mut values = Vec::new();
        for arg in args {
            values.push(self.eval(*arg)?);
        }
        apply(function, &values)
    }

    /// One deciding operand is enough, even if the other is an error.
    fn logic(&mut self, args: &[ExprId], decides: bool) -> Answer {
        let decided = Ok(Value::Bool(decides));
        let left = self.eval(args[0]);
        if left == decided {
            return left;
        }
        let right = self.eval(args[1]);
        if right == decided {
            return right;
        }
        left.and(right)
    }

    fn fold(&mut self, fold: &Comprehension) -> Answer {
        let range = self.eval(fold.range)?;
        let elements: Vec<Value> = match range {
            Value::List(elements) => elements,
            Value::Map(members) => members.into_keys().map(Value::Text).collect(),
            _ => return Err("no such overload".into()),
        };
        let start = self.variables.len();
        let initial = self.eval(fold.accu_init);
        self.variables.push((fold.accu_var.to_string(), initial));
        for element in elements {
            self.variables.push((fold.iter_var.to_string(), Ok(element)));
            let goes_on = self.eval(fold.condition) != Ok(Value::Bool(false));
            let next = if goes_on { Some(self.eval(fold.step)) } else { None };
            self.variables.pop();
            match next {
                Some(next) => self.variables[start].1 = next,
                None => break,
            }
        }
        let result = self.eval(fold.result);
        self.variables.truncate(start);
        result
    }
}

fn apply(function: &str, values: &[Value]) -> Answer {
    use Value::{Bool, Int, List, Map, Text};
    let checked = |number: Option<i64>| number.map(Int).ok_or_else(|| "integer overflow".to_owned());
    match (function, values) {
        ("_+_", [Int(a), Int(b)]) => checked(a.checked_add(*b)),
        ("_-_", [Int(a), Int(b)]) => checked(a.checked_sub(*b)),
        ("_*_", [Int(a), Int(b)]) => checked(a.checked_mul(*b)),
        ("_/_", [Int(_), Int(0)]) => Err("division by zero".into()),
        ("_/_", [Int(a), Int(b)]) => checked(a.checked_div(*b)),
        ("_%_", [Int(_), Int(0)]) => Err("modulus by zero".into()),
        ("_%_", [Int(a), Int(b)]) => checked(a.checked_rem(*b)),
        ("-_", [Int(a)]) => checked(a.checked_neg()),
        ("!_", [Bool(a)]) => Ok(Bool(!a)),
        ("_==_", [a, b]) => Ok(Bool(a == b)),
        ("_!=_", [a, b]) => Ok(Bool(a != b)),
        ("_<_", [Int(a), Int(b)]) => Ok(Bool(a < b)),
        ("_<=_", [Int(a), Int(b)]) => Ok(Bool(a <= b)),
        ("_>_", [Int(a), Int(b)]) => Ok(Bool(a > b)),
        ("_>=_", [Int(a), Int(b)]) => Ok(Bool(a >= b)),
        ("_<_", [Text(a), Text(b)]) => Ok(Bool(a < b)),
        ("_>=_", [Text(a), Text(b)]) => Ok(Bool(a >= b)),
        ("_+_", [Text(a), Text(b)]) => Ok(Text(format!("{a}{b}"))),
        ("_+_", [List(a), List(b)]) => Ok(List(a.iter().chain(b).cloned().collect())),
        ("@in", [a, List(list)]) => Ok(Bool(list.contains(a))),
        ("@in", [Text(key), Map(members)]) => Ok(Bool(members.contains_key(key))),
        ("_[_]", [List(list), Int(index)]) => usize::try_from(*index)
            .ok()
            .and_then(|index| list.get(index).cloned())
            .ok_or_else(|| format!("index out of bounds: {index}")),
        ("_[_]", [Map(members), Text(key)]) => members
            .get(key)
            .cloned()
            .ok_or_else(|| format!("no such key: {key}")),
        ("size", [Text(text)]) => Ok(Int(text.chars().count() as i64)),
        ("size", [List(list)]) => Ok(Int(list.len() as i64)),
        ("size", [Map(members)]) => Ok(Int(members.len() as i64)),
        ("startsWith", [Text(text), Text(part)]) => Ok(Bool(text.starts_with(part.as_str()))),
        ("endsWith", [Text(text), Text(part)]) => Ok(Bool(text.ends_with(part.as_str()))),
        ("contains", [Text(text), Text(part)]) => Ok(Bool(text.contains(part.as_str()))),
        _ => panic!("{function} of {values:?} is not generated"),
    }
}
