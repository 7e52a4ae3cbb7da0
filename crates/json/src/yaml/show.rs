//! Values as Go's `%#v` prints them in error texts.

use super::key::distinct_entries;
use super::tree::{Kind, Tree};
use crate::{Value, write};

/// Prints a scalar.
pub(super) fn show_scalar(value: Value<'_>) -> String {
    match value {
        Value::Null => "interface {}(nil)".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Uint(number) => format!("{number:#x}"),
        Value::Float(number) => {
            let mut text = String::new();
            write::append_float_general(&mut text, number);
            text
        }
        Value::Str(text) => write::go_quote(text),
        Value::Array(_) | Value::Object(_) => String::new(),
    }
}

enum Piece {
    Node(u32),
    Text(&'static str),
}

/// Prints a node and everything in it.
pub(super) fn show(tree: &Tree<'_>, values: &[Value<'_>], id: u32) -> String {
    let mut shown = String::new();
    let mut open = vec![Piece::Node(id)];
    while let Some(piece) = open.pop() {
        let id = match piece {
            Piece::Text(text) => {
                shown.push_str(text);
                continue;
            }
            Piece::Node(id) => tree.target(id),
        };
        match tree.nodes[id as usize].kind {
            Kind::Seq { .. } => {
                shown.push_str("[]interface {}{");
                open.push(Piece::Text("}"));
                for (position, &child) in tree.children(id).iter().enumerate().rev() {
                    open.push(Piece::Node(child));
                    open.push(Piece::Text(if position > 0 { ", " } else { "" }));
                }
            }
            Kind::Map { .. } => {
                shown.push_str("map[interface {}]interface {}{");
                open.push(Piece::Text("}"));
                let mut entries = distinct_entries(tree.children(id), values);
                entries.sort_by_cached_key(|&(key, _)| rank(values[tree.target(key) as usize]));
                for (position, &(key, value)) in entries.iter().enumerate().rev() {
                    open.push(Piece::Node(value));
                    open.push(Piece::Text(":"));
                    open.push(Piece::Node(key));
                    open.push(Piece::Text(if position > 0 { ", " } else { "" }));
                }
            }
            Kind::Scalar { .. } => shown.push_str(&show_scalar(values[id as usize])),
            Kind::Alias { .. } => shown.push_str("interface {}(nil)"),
        }
    }
    shown
}

/// Go sorts the keys it prints: by type, then by value.
fn rank(key: Value<'_>) -> (u8, i128, String) {
    match key {
        Value::Null => (0, 0, String::new()),
        Value::Str(text) => (1, 0, text.to_owned()),
        Value::Bool(truth) => (2, truth.into(), String::new()),
        Value::Int(number) => (3, number.into(), String::new()),
        Value::Uint(number) => (4, number.into(), String::new()),
        Value::Float(number) => (5, (number * 1e6) as i128, String::new()),
        Value::Array(_) | Value::Object(_) => (6, 0, String::new()),
    }
}
