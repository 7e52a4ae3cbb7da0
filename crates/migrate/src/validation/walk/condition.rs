//! Conditions as they are written.

use super::super::syntax::Expr;
use super::super::value::{Cond, Place, Val};
use super::Walker;

impl Walker<'_, '_> {
    pub(super) fn condition(&mut self, expr: &Expr) -> Cond {
        match expr {
            Expr::Binary("&&", left, right) => all(vec![self.condition(left), self.condition(right)]),
            Expr::Binary("||", left, right) => any(vec![self.condition(left), self.condition(right)]),
            Expr::Unary("!", inner) => self.condition(inner).not(),
            Expr::Binary(operator @ ("==" | "!=" | "<" | "<=" | ">" | ">="), left, right) => {
                self.compare(operator, left, right)
            }
            Expr::Call { callee, args, .. } => self.question(callee, args),
            _ => match self.eval(expr) {
                Val::New(place) => Cond::Set(place),
                Val::Holds(condition) => condition,
                Val::Switch(name) => Cond::Gate(name, true),
                _ => Cond::Unknown,
            },
        }
    }

    pub(super) fn question(&mut self, callee: &Expr, args: &[Expr]) -> Cond {
        let Expr::Select(of, name) = callee else {
            return Cond::Unknown;
        };
        if name == "Enabled"
            && let [Expr::Select(_, gate)] = args
        {
            return Cond::Gate(gate.clone(), true);
        }
        if name == "DeepEqual"
            && let [left, right] = args
        {
            return match (self.eval(left), self.eval(right)) {
                (Val::New(new), Val::Old(old)) | (Val::Old(old), Val::New(new)) if new == old => {
                    Cond::Unchanged(new)
                }
                _ => Cond::Unknown,
            };
        }
        if name == "Contains"
            && let [texts, value] = args
        {
            return match (self.eval(texts), self.eval(value)) {
                (Val::Texts(texts), Val::New(place)) => Cond::In(place, texts),
                (Val::List(given), value) => contains(&given, &value),
                _ => Cond::Unknown,
            };
        }
        if name == "Has"
            && let [value] = args
        {
            return match (self.eval(of), self.eval(value)) {
                (Val::Texts(texts), Val::New(place)) => Cond::In(place, texts),
                (Val::Seen(_), Val::New(place)) => Cond::Seen(place),
                _ => Cond::Unknown,
            };
        }
        Cond::Unknown
    }

    pub(super) fn compare(&mut self, operator: &'static str, left: &Expr, right: &Expr) -> Cond {
        let (left, right) = (self.eval(left), self.eval(right));
        let is_equal = operator == "==";
        let zero = |place: Place| {
            if is_equal {
                Cond::Zero(place)
            } else {
                Cond::Set(place)
            }
        };
        match (left, right) {
            (Val::Int(left), Val::Int(right)) => constant(match operator {
                "==" => left == right,
                "!=" => left != right,
                "<" => left < right,
                "<=" => left <= right,
                ">" => left > right,
                _ => left >= right,
            }),
            (Val::Nil, Val::Nil) => constant(is_equal),
            (Val::New(place), Val::Nil) | (Val::Nil, Val::New(place)) => zero(place),
            (Val::New(place), Val::Text(text)) if text.is_empty() => zero(place),
            (Val::New(place), Val::Text(text)) if is_equal => Cond::In(place, vec![text]),
            (Val::New(place), Val::Text(text)) => Cond::NotIn(place, vec![text]),
            (Val::New(place), Val::Int(value)) => Cond::Number(place, operator, value),
            (Val::Length(place), Val::Int(0)) if operator == ">" || operator == "!=" => Cond::Set(place),
            (Val::Length(place), Val::Int(0)) if is_equal => Cond::Zero(place),
            (Val::Length(place), Val::Int(1)) if operator == "<" => Cond::Zero(place),
            (Val::Length(place), Val::Int(value)) => Cond::Length(place, operator, value),
            (Val::Characters(place), Val::Int(value)) => Cond::Characters(place, operator, value),
            (Val::Filled(place), Val::Int(0)) if operator == ">" || operator == "!=" => Cond::Set(place),
            (Val::Filled(place), Val::Int(0)) if is_equal => Cond::Zero(place),
            (Val::Old(place), Val::Nil) | (Val::Nil, Val::Old(place)) => old_zero(place, is_equal),
            (Val::Old(place), Val::Text(text)) if text.is_empty() => old_zero(place, is_equal),
            (Val::OldLength(place), Val::Int(0)) if is_equal || operator == "!=" || operator == ">" => {
                old_zero(place, is_equal)
            }
            (Val::ErrorCount, Val::Int(0)) if operator == ">" || operator == "!=" => Cond::Reported,
            (Val::Count(places), Val::Int(value)) => Cond::Count(places, operator, value),
            (Val::Messages(place, format), Val::Int(0)) if operator == ">" || operator == "!=" => {
                Cond::NotFormat(place, format)
            }
            (Val::New(new), Val::Old(old)) | (Val::Old(old), Val::New(new)) if new == old => {
                if is_equal {
                    Cond::Unchanged(new)
                } else {
                    Cond::Changed(new)
                }
            }
            _ => Cond::Unknown,
        }
    }
}

fn constant(holds: bool) -> Cond {
    if holds { Cond::All(Vec::new()) } else { Cond::NEVER }
}

fn old_zero(place: Place, is_equal: bool) -> Cond {
    if is_equal {
        Cond::OldZero(place)
    } else {
        Cond::OldSet(place)
    }
}

/// Whether a constant is among those that a function is given.
fn contains(given: &[Val], value: &Val) -> Cond {
    let numbers = given.iter().map(|one| match one {
        Val::Int(number) => Some(*number),
        _ => None,
    });
    match (numbers.collect::<Option<Vec<i128>>>(), value) {
        (Some(numbers), Val::Int(number)) => constant(numbers.contains(number)),
        _ => Cond::Unknown,
    }
}

fn all(conditions: Vec<Cond>) -> Cond {
    let mut flat = Vec::new();
    for condition in conditions {
        match condition {
            never if never == Cond::NEVER => return never,
            Cond::All(inner) => flat.extend(inner),
            other => flat.push(other),
        }
    }
    Cond::All(flat)
}

/// One of several; values of one place become a list.
pub(super) fn any(conditions: Vec<Cond>) -> Cond {
    if let [only] = &conditions[..] {
        return only.clone();
    }
    let mut texts: Vec<String> = Vec::new();
    let mut of: Option<Place> = None;
    for condition in &conditions {
        let (place, more) = match condition {
            Cond::In(place, more) => (place, more.clone()),
            Cond::Zero(place) => (place, vec![String::new()]),
            _ => return Cond::Any(conditions),
        };
        if of.as_ref().is_some_and(|known| known != place) {
            return Cond::Any(conditions);
        }
        of = Some(place.clone());
        texts.extend(more);
    }
    match of {
        Some(place) if texts.iter().any(|text| !text.is_empty()) => Cond::In(place, texts),
        _ => Cond::Any(conditions),
    }
}
