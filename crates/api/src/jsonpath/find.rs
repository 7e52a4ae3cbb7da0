//! Evaluation of paths (`JSONPath.walk` in client-go's util/jsonpath/jsonpath.go).

use kindsmith_json::Value;

use super::compare::compare;
use super::{Filter, Node, Slice};

/// How many values a search may visit; one that needs more finds nothing.
const MOST: usize = 1_000_000;
/// The deepest level that `..` reaches.
const DEEPEST: usize = 512;

/// A search in progress. Unions multiply the results, and each filter step visits all of them, so the limit counts
/// visited values, not results.
#[derive(Debug)]
pub(crate) struct Search {
    left: usize,
}

impl Default for Search {
    fn default() -> Self {
        Search { left: MOST }
    }
}

impl Search {
    /// For many paths, which together may visit as much as `searches` single ones.
    pub(crate) fn for_many(searches: usize) -> Self {
        Search {
            left: searches * MOST,
        }
    }

    /// Counts visited values; `None` once the limit is exceeded.
    fn look(&mut self, values: usize) -> Option<()> {
        let left = self.left.checked_sub(values);
        self.left = left.unwrap_or_default();
        left.map(drop)
    }

    /// Follows all steps from some values; `None` if a step is impossible.
    pub(super) fn walk<'v>(&mut self, from: &[Value<'v>], nodes: &'v [Node]) -> Option<Vec<Value<'v>>> {
        let mut here = from.to_vec();
        for node in nodes {
            self.look(here.len())?;
            here = self.step(here, node)?;
        }
        Some(here)
    }

    fn step<'v>(&mut self, from: Vec<Value<'v>>, node: &'v Node) -> Option<Vec<Value<'v>>> {
        let constant = |value: Value<'v>| Some(vec![value; from.len()]);
        match node {
            Node::Field(name) => Some(from.iter().filter_map(|value| value.get(name)).collect()),
            Node::Slice(bounds) => self.slices(&from, bounds),
            Node::Wildcard => {
                let mut found = Vec::new();
                for value in from {
                    let children = children(value);
                    self.look(children.len())?;
                    found.extend(children);
                }
                Some(found)
            }
            Node::Recursive => {
                let mut found = Vec::new();
                for value in from {
                    self.descend(value, &mut found, 0)?;
                }
                Some(found)
            }
            Node::Filter(filter) => self.filtered(&from, filter),
            Node::Union(lists) => {
                let mut found = Vec::new();
                for nodes in lists {
                    self.look(from.len())?;
                    found.extend(self.walk(&from, nodes)?);
                }
                Some(found)
            }
            // A literal is one result, however many values there were.
            Node::Text(text) => Some(vec![Value::Str(text)]),
            Node::Int(number) => constant(Value::Int(*number)),
            Node::Float(number) => constant(Value::Float(*number)),
            Node::Bool(truth) => constant(Value::Bool(*truth)),
            Node::Word => None,
        }
    }

    fn slices<'v>(&mut self, from: &[Value<'v>], bounds: &Slice) -> Option<Vec<Value<'v>>> {
        let mut found = Vec::new();
        for value in from.iter().filter(|value| !value.is_null()) {
            let items = value.as_array()?;
            self.look(items.len())?;
            // One empty slice empties the whole result.
            if !slice(items, bounds, &mut found)? {
                break;
            }
        }
        Some(found)
    }

    fn filtered<'v>(&mut self, from: &[Value<'v>], filter: &'v Filter) -> Option<Vec<Value<'v>>> {
        let mut found = Vec::new();
        for value in from {
            for &item in value.as_array()? {
                if self.passes(item, filter)? {
                    found.push(item);
                }
            }
        }
        Some(found)
    }

    fn descend<'v>(&mut self, value: Value<'v>, found: &mut Vec<Value<'v>>, depth: usize) -> Option<()> {
        let children = children(value);
        if children.is_empty() || depth > DEEPEST {
            return Some(());
        }
        self.look(children.len())?;
        found.push(value);
        for child in children {
            self.descend(child, found, depth + 1)?;
        }
        Some(())
    }

    fn passes(&mut self, item: Value<'_>, filter: &Filter) -> Option<bool> {
        self.look(1)?;
        let left = self.walk(&[item], &filter.left);
        if filter.operator == "exists" {
            return Some(left.is_some_and(|found| !found.is_empty()));
        }
        let left = left?;
        let right = self.walk(&[item], &filter.right)?;
        match (&left[..], &right[..]) {
            (&[left], &[right]) => compare(&filter.operator, left, right),
            // A missing value passes no filter; several values cannot be compared.
            ([], _) | ([_], []) => Some(false),
            _ => None,
        }
    }
}

/// Appends a part of a list; `false` if the bounds select nothing.
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

fn children(value: Value<'_>) -> Vec<Value<'_>> {
    match value {
        Value::Array(items) => items.to_vec(),
        Value::Object(object) => object.sorted().into_iter().map(|entry| entry.value).collect(),
        _ => Vec::new(),
    }
}
