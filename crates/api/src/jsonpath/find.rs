//! Where paths lead (`JSONPath.walk` in client-go's util/jsonpath/jsonpath.go).

use kindsmith_json::Value;

use super::compare::compare;
use super::{Filter, Node, Slice};

/// Values that a search may collect; what finds more finds nothing.
const MOST: usize = 100_000;
/// How deep `..` goes.
const DEEPEST: usize = 512;

/// Follows all steps from some values; none if one of them is impossible.
pub(super) fn walk<'v>(from: &[Value<'v>], nodes: &'v [Node], depth: usize) -> Option<Vec<Value<'v>>> {
    let mut here = from.to_vec();
    for node in nodes {
        here = step(here, node, depth)?;
        if here.len() > MOST {
            return None;
        }
    }
    Some(here)
}

fn step<'v>(from: Vec<Value<'v>>, node: &'v Node, depth: usize) -> Option<Vec<Value<'v>>> {
    let constant = |value: Value<'v>| Some(vec![value; from.len()]);
    match node {
        Node::Field(name) => Some(from.iter().filter_map(|value| value.get(name)).collect()),
        Node::Slice(bounds) => {
            let mut found = Vec::new();
            for value in from.iter().filter(|value| !value.is_null()) {
                // Nothing of one list is nothing of all.
                if !slice(value.as_array()?, bounds, &mut found)? {
                    return Some(found);
                }
            }
            Some(found)
        }
        Node::Wildcard => Some(from.iter().flat_map(|&value| children(value)).collect()),
        Node::Recursive => {
            let mut found = Vec::new();
            from.iter().for_each(|&value| descend(value, &mut found, 0));
            Some(found)
        }
        Node::Filter(filter) => {
            let mut found = Vec::new();
            for value in from {
                for &item in value.as_array()? {
                    if passes(item, filter, depth)? {
                        found.push(item);
                    }
                }
            }
            Some(found)
        }
        Node::Union(lists) => {
            let found = lists.iter().map(|nodes| walk(&from, nodes, depth + 1));
            Some(found.collect::<Option<Vec<_>>>()?.concat())
        }
        // A text stands for itself, however many values there were.
        Node::Text(text) => Some(vec![Value::Str(text)]),
        Node::Int(number) => constant(Value::Int(*number)),
        Node::Float(number) => constant(Value::Float(*number)),
        Node::Bool(truth) => constant(Value::Bool(*truth)),
        Node::Word => None,
    }
}

/// Appends a part of a list. Says whether anything at all was asked for.
fn slice<'v>(items: &'v [Value<'v>], bounds: &Slice, found: &mut Vec<Value<'v>>) -> Option<bool> {
    let length = i64::try_from(items.len()).ok()?;
    let mut start = bounds.start.unwrap_or(0);
    if start < 0 {
        start = start.checked_add(length)?;
    }
    let mut end = bounds.end.unwrap_or(length);
    if end < 0 || (end == 0 && bounds.is_index) {
        end = end.checked_add(length)?;
    }
    if start == end {
        return Some(false);
    }
    if start < 0 || start >= length || end < 0 || end > length || start > end {
        return None;
    }
    let step = usize::try_from(bounds.step.unwrap_or(1))
        .ok()
        .filter(|&step| step > 0)?;
    let part = items.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)?;
    found.extend(part.iter().copied().step_by(step));
    Some(true)
}

fn children<'v>(value: Value<'v>) -> Vec<Value<'v>> {
    match value {
        Value::Array(items) => items.to_vec(),
        Value::Object(object) => object.sorted().into_iter().map(|entry| entry.value).collect(),
        _ => Vec::new(),
    }
}

fn descend<'v>(value: Value<'v>, found: &mut Vec<Value<'v>>, depth: usize) {
    let children = children(value);
    if children.is_empty() || depth > DEEPEST || found.len() > MOST {
        return;
    }
    found.push(value);
    for child in children {
        descend(child, found, depth + 1);
    }
}

fn passes(item: Value<'_>, filter: &Filter, depth: usize) -> Option<bool> {
    let left = walk(&[item], &filter.left, depth + 1);
    if filter.operator == "exists" {
        return Some(left.is_some_and(|found| !found.is_empty()));
    }
    let left = left?;
    let right = walk(&[item], &filter.right, depth + 1)?;
    match (&left[..], &right[..]) {
        (&[left], &[right]) => compare(&filter.operator, left, right),
        // Nothing passes no filter; several cannot be compared.
        ([], _) | ([_], []) => Some(false),
        _ => None,
    }
}
