//! Operators on constant values. Overflow and invalid operands give `None`.

use super::Value;
use crate::syntax::{BinaryOp, UnaryOp};

pub(super) fn unary(op: UnaryOp, value: Value) -> Option<Value> {
    Some(match (op, value) {
        (UnaryOp::Plus, value @ (Value::Int(_) | Value::Float(_))) => value,
        (UnaryOp::Minus, Value::Int(value)) => Value::Int(value.checked_neg()?),
        (UnaryOp::Minus, Value::Float(value)) => Value::Float(-value),
        (UnaryOp::Complement, Value::Int(value)) => Value::Int(!value),
        (UnaryOp::Not, Value::Bool(value)) => Value::Bool(!value),
        _ => return None,
    })
}

pub(super) fn binary(op: BinaryOp, left: Value, right: Value) -> Option<Value> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => ints(op, left, right),
        (Value::Float(left), Value::Float(right)) => floats(op, left, right),
        (Value::Int(left), Value::Float(right)) => floats(op, left as f64, right),
        (Value::Float(left), Value::Int(right)) => floats(op, left, right as f64),
        (Value::String(left), Value::String(right)) if op == BinaryOp::Add => {
            Some(Value::String(left + &right))
        }
        (Value::String(left), Value::String(right)) => compare(op, left.partial_cmp(&right)),
        (Value::Bool(left), Value::Bool(right)) => bools(op, left, right),
        _ => None,
    }
}

fn bools(op: BinaryOp, left: bool, right: bool) -> Option<Value> {
    Some(Value::Bool(match op {
        BinaryOp::And => left && right,
        BinaryOp::Or => left || right,
        BinaryOp::Equal => left == right,
        BinaryOp::NotEqual => left != right,
        _ => return None,
    }))
}

fn compare(op: BinaryOp, order: Option<std::cmp::Ordering>) -> Option<Value> {
    let order = order?;
    Some(Value::Bool(match op {
        BinaryOp::Equal => order.is_eq(),
        BinaryOp::NotEqual => order.is_ne(),
        BinaryOp::Less => order.is_lt(),
        BinaryOp::LessEqual => order.is_le(),
        BinaryOp::Greater => order.is_gt(),
        BinaryOp::GreaterEqual => order.is_ge(),
        _ => return None,
    }))
}

fn ints(op: BinaryOp, left: i128, right: i128) -> Option<Value> {
    let shift = || u32::try_from(right).ok().filter(|shift| *shift < 127);
    let value = match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Subtract => left.checked_sub(right),
        BinaryOp::Multiply => left.checked_mul(right),
        BinaryOp::Divide => left.checked_div(right),
        BinaryOp::Remainder => left.checked_rem(right),
        BinaryOp::ShiftLeft => {
            let shift = shift()?;
            left.checked_mul(1i128 << shift)
        }
        BinaryOp::ShiftRight => Some(left >> shift()?),
        BinaryOp::BitAnd => Some(left & right),
        BinaryOp::BitOr => Some(left | right),
        BinaryOp::BitXor => Some(left ^ right),
        BinaryOp::BitClear => Some(left & !right),
        _ => return compare(op, Some(left.cmp(&right))),
    };
    value.map(Value::Int)
}

fn floats(op: BinaryOp, left: f64, right: f64) -> Option<Value> {
    let value = match op {
        BinaryOp::Add => left + right,
        BinaryOp::Subtract => left - right,
        BinaryOp::Multiply => left * right,
        BinaryOp::Divide if right != 0.0 => left / right,
        _ => return compare(op, left.partial_cmp(&right)),
    };
    value.is_finite().then_some(Value::Float(value))
}
