//! Composite literals in gofmt's layout (go/printer `exprList`): what stands on its own line, and which values are
//! aligned.

/// Keys up to this length are always aligned with their neighbors.
const SMALL: usize = 40;

/// A key that is this many times longer or shorter than those above begins a new column.
const RATIO: f64 = 2.5;

/// An expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Expr {
    /// On one line.
    Line(String),
    /// A literal with each element on a line of its own; its type may be empty.
    Block(String, Vec<Element>),
    /// A literal whose elements share the line below its type.
    Packed(String, Vec<String>),
    /// A call with literals for arguments.
    Call(String, Vec<Expr>),
}

/// An element of a literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Element {
    key: Option<String>,
    value: Expr,
}

impl Element {
    /// `key: value`.
    pub(super) fn new(key: impl Into<String>, value: Expr) -> Self {
        Self {
            key: Some(key.into()),
            value,
        }
    }

    /// A value without a key.
    pub(super) fn alone(value: Expr) -> Self {
        Self { key: None, value }
    }

    /// The length of the key, or else of the value; `None` if it has several lines.
    fn size(&self) -> Option<usize> {
        let line = self.value.line()?;
        Some(self.key.as_ref().unwrap_or(&line).len())
    }
}

impl Expr {
    /// Text on one line.
    pub(super) fn line_of(text: impl Into<String>) -> Self {
        Self::Line(text.into())
    }

    /// A literal with one element, over several lines.
    pub(super) fn around(ty: &str, key: &str, value: Self) -> Self {
        Self::Block(ty.to_owned(), vec![Element::new(key, value)])
    }

    /// The literal with a type.
    pub(super) fn typed(self, ty: &str) -> Self {
        match self {
            Self::Block(_, elements) => Self::Block(ty.to_owned(), elements),
            other => other,
        }
    }

    /// The literal with one more element, if there is one.
    pub(super) fn with(mut self, element: Option<Element>) -> Self {
        if let Self::Block(_, elements) = &mut self {
            elements.extend(element);
        }
        self
    }

    /// The text if it fits on one line.
    fn line(&self) -> Option<String> {
        match self {
            Self::Line(text) => Some(text.clone()),
            Self::Block(ty, elements) if elements.is_empty() => Some(format!("{ty}{{}}")),
            _ => None,
        }
    }

    /// Writes the expression; its further lines are indented by `depth`.
    pub(super) fn write(&self, depth: usize, out: &mut String) {
        match self {
            Self::Line(text) => out.push_str(text),
            Self::Block(ty, elements) => {
                out.push_str(ty);
                out.push('{');
                if !elements.is_empty() {
                    out.push('\n');
                    write_elements(elements, depth + 1, out);
                    indent(depth, out);
                }
                out.push('}');
            }
            Self::Packed(ty, items) => {
                out.push_str(ty);
                out.push_str("{\n");
                indent(depth + 1, out);
                out.push_str(&items.join(", "));
                out.push('}');
            }
            Self::Call(function, arguments) => {
                out.push_str(function);
                for (index, argument) in arguments.iter().enumerate() {
                    out.push_str(if index == 0 { "(" } else { ", " });
                    argument.write(depth, out);
                }
                out.push(')');
            }
        }
    }
}

fn indent(depth: usize, out: &mut String) {
    out.extend(std::iter::repeat_n('\t', depth));
}

fn write_elements(elements: &[Element], depth: usize, out: &mut String) {
    let columns = columns(elements);
    for (element, column) in elements.iter().zip(columns) {
        indent(depth, out);
        if let Some(key) = &element.key {
            out.push_str(key);
            out.push(':');
            let width = key.chars().count();
            out.extend(std::iter::repeat_n(' ', column.saturating_sub(width) + 1));
        }
        element.value.write(depth, out);
        out.push_str(",\n");
    }
}

/// For each element, the width of the longest key in its section.
fn columns(elements: &[Element]) -> Vec<usize> {
    let mut columns = vec![0; elements.len()];
    let mut start = 0;
    for end in sections(elements) {
        let widths = elements[start..end].iter().map(|element| match &element.key {
            Some(key) if element.size().is_some() => key.chars().count(),
            _ => 0,
        });
        let widest = widths.max().unwrap_or_default();
        for (element, column) in elements[start..end].iter().zip(&mut columns[start..end]) {
            // A value of several lines is not aligned, and ends its section.
            *column = element.size().map_or(0, |_| widest);
        }
        start = end;
    }
    columns
}

/// The ends of the sections within which values are aligned.
fn sections(elements: &[Element]) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut previous: Option<usize> = None;
    let (mut logarithms, mut count) = (0.0_f64, 0_u32);
    for (index, element) in elements.iter().enumerate() {
        let size = element.size().filter(|size| *size > 0);
        let joins = match (previous, size) {
            (Some(previous), Some(size)) if count == 0 || (previous <= SMALL && size <= SMALL) => true,
            (Some(_), Some(size)) => {
                let mean = (logarithms / f64::from(count)).exp();
                let ratio = size as f64 / mean;
                RATIO * ratio > 1.0 && ratio < RATIO
            }
            _ => false,
        };
        if index > 0 && !joins {
            ends.push(index);
            (logarithms, count) = (0.0, 0);
        }
        if let Some(size) = size {
            logarithms += (size as f64).ln();
            count += 1;
        }
        previous = size;
    }
    ends.push(elements.len());
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(elements: Vec<Element>, expected: &str) {
        let mut text = String::new();
        Expr::Block("T".to_owned(), elements).write(0, &mut text);
        assert_eq!(text, expected);
    }

    fn line(key: &str) -> Element {
        Element::new(key, Expr::line_of("1"))
    }

    #[test]
    fn neighbors_on_one_line_are_aligned() {
        check(vec![line("A"), line("Long")], "T{\n\tA:    1,\n\tLong: 1,\n}");
    }

    #[test]
    fn several_lines_begin_a_new_section() {
        let block = Element::new("Block", Expr::around("U", "X", Expr::line_of("1")));
        check(
            vec![line("A"), block, line("Longest"), line("B")],
            "T{\n\tA: 1,\n\tBlock: U{\n\t\tX: 1,\n\t},\n\tLongest: 1,\n\tB:       1,\n}",
        );
        let empty = Element::new("Empty", Expr::Block("U".to_owned(), Vec::new()));
        check(vec![line("A"), empty], "T{\n\tA:     1,\n\tEmpty: U{},\n}");
    }

    #[test]
    fn a_key_of_another_length_begins_a_new_section() {
        let long = "x".repeat(60);
        check(
            vec![line("A"), line(&long), line(&long[..50])],
            &format!("T{{\n\tA: 1,\n\t{long}: 1,\n\t{}:           1,\n}}", &long[..50]),
        );
    }
}
