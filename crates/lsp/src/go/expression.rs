//! The dotted path that ends a piece of CEL or of a JSON path: where it starts, and the names of its fields.
//!
//! Works on text as it is typed, which need not be a whole expression yet.

/// A path such as `self.hours[0].from`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Path<'t> {
    /// What the first name is a member of.
    pub(crate) root: Root<'t>,
    /// The fields; indexes and calls between them are left out.
    pub(crate) names: Vec<&'t str>,
}

/// Where a path starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Root<'t> {
    /// At the value itself: `self.x`, or `.x` of a JSON path.
    Value,
    /// At what another path leads to: the items of a list in a loop, or what a name is bound to.
    Path(Box<Path<'t>>),
    /// At a name that nothing around it binds.
    Unbound,
}

/// Calls that bind names to the items of what they are called on.
const LOOPS: &[&str] = &[
    "all",
    "exists",
    "exists_one",
    "existsOne",
    "filter",
    "map",
    "optFlatMap",
    "optMap",
    "sortBy",
    "transformList",
    "transformMap",
    "transformMapEntry",
];

/// The path that ends a text; `None` if the text ends with a single name or with none.
pub(crate) fn path(text: &str) -> Option<Path<'_>> {
    let (start, mut names) = names(text);
    let before = &text[..start];
    if names.len() < 2 {
        return None;
    }
    let root = match names.remove(0) {
        "self" | "oldSelf" => Root::Value,
        // `@` of a filter in a JSON path is an item of the list before it.
        "" if before.ends_with('@') => Root::Path(Box::new(filtered(before)?)),
        "" => Root::Value,
        name => bound(before, name).map_or(Root::Unbound, |path| Root::Path(Box::new(path))),
    };
    Some(Path { root, names })
}

/// What a value in the middle of an expression is: a path, or just a name.
fn value(text: &str) -> Option<Path<'_>> {
    let text = text.trim_end();
    if let Some(path) = path(text) {
        return Some(path);
    }
    let (start, names) = names(text);
    let root = match names[..] {
        ["self" | "oldSelf"] => Root::Value,
        [name] if !name.is_empty() => Root::Path(Box::new(bound(&text[..start], name)?)),
        _ => return None,
    };
    Some(Path {
        root,
        names: Vec::new(),
    })
}

/// The names of the path that ends a text, and where it starts. The first is empty if the path starts with a dot.
fn names(text: &str) -> (usize, Vec<&str>) {
    let mut names = Vec::new();
    let mut end = text.len();
    loop {
        let (opened, is_call) = before_brackets(&text[..end]);
        let start = name_start(&text[..opened]);
        // A call is a method of what is before it.
        if !is_call {
            names.push(&text[start..opened]);
        }
        let before = text[..start].trim_end_matches('?');
        match before.strip_suffix('.') {
            Some(before) if is_call || start < opened || opened < end || names.len() == 1 => {
                end = before.len();
            }
            _ => {
                names.reverse();
                return (start, names);
            }
        }
        if end == 0 || !text[..end].ends_with(|last: char| is_name(last) || last == ']' || last == ')') {
            names.push("");
            names.reverse();
            return (end, names);
        }
    }
}

/// The text without the indexes and arguments at its end, and whether there were arguments.
fn before_brackets(text: &str) -> (usize, bool) {
    let (mut end, mut is_call) = (text.len(), false);
    while let Some(close @ (']' | ')')) = text[..end].chars().next_back() {
        let Some(open) = opening(&text[..end]) else {
            break;
        };
        is_call |= close == ')';
        end = open;
    }
    (end, is_call)
}

/// The bracket that the last one of a text closes.
fn opening(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices().rev() {
        match letter {
            ')' | ']' => depth += 1,
            '(' | '[' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The brackets that are open at the end of a text, innermost first.
fn open_brackets(text: &str) -> Vec<usize> {
    let mut open = Vec::new();
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(close), letter) if close == letter => quote = None,
            (Some(_), _) => {}
            // The double quotes and backticks around a marker's argument hold the whole expression.
            (None, '\'') => quote = Some(letter),
            (None, '(' | '[') => open.push(at),
            (None, ')' | ']') => {
                open.pop();
            }
            _ => {}
        }
    }
    open.reverse();
    open
}

/// What a name is bound to by the calls around the end of a text.
fn bound<'t>(text: &'t str, name: &str) -> Option<Path<'t>> {
    for open in open_brackets(text) {
        let mut arguments = text[open + 1..].split(',').map(str::trim);
        let start = name_start(&text[..open]);
        let called = &text[start..open];
        let receiver = text[..start].strip_suffix('.');
        if called == "bind" && arguments.next() == Some(name) {
            let rest = &text[open + 1..];
            let comma = rest.find(',')? + 1;
            return value(&rest[..comma + argument_end(&rest[comma..])]);
        }
        let mut binds = text[open + 1..].split(',').map(str::trim).take(2);
        if LOOPS.contains(&called) && binds.any(|bound| bound == name) {
            return value(receiver?);
        }
    }
    None
}

/// Where the first argument of a text ends.
fn argument_end(text: &str) -> usize {
    let mut commas = text.match_indices(',').map(|(at, _)| at);
    commas
        .find(|at| open_brackets(&text[..*at]).is_empty())
        .unwrap_or(text.len())
}

/// The list that the filter around the end of a JSON path is about: `.conditions` of `.conditions[?(@`.
fn filtered(text: &str) -> Option<Path<'_>> {
    let mut open = open_brackets(text).into_iter();
    let list = open.find(|at| text[*at..].starts_with("[?"))?;
    path(&text[..list])
}

fn name_start(text: &str) -> usize {
    let last = text.char_indices().rev().find(|(_, letter)| !is_name(*letter));
    last.map_or(0, |(at, letter)| at + letter.len_utf8())
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path as text: `value` or `?`, then its names; a path in parentheses is what a variable stands for.
    fn shown(path: &Path<'_>) -> String {
        let root = match &path.root {
            Root::Value => "value".to_owned(),
            Root::Path(path) => format!("({})", shown(path)),
            Root::Unbound => "?".to_owned(),
        };
        let names = path.names.iter().map(|name| format!(".{name}"));
        root + &names.collect::<String>()
    }

    #[test]
    fn paths_end_at_the_word() {
        for (text, expected) in [
            ("rule=\"self.a.b", "value.a.b"),
            ("rule=\"has(self.a", "value.a"),
            ("rule=\"self.?a", "value.a"),
            ("rule=\"self.?a[?0].?b", "value.a.b"),
            ("rule=\"self.a[0].b", "value.a.b"),
            ("rule=\"self.a.filter(x, x > 1).b", "value.a.b"),
            ("rule=\"self.a > 1 && oldSelf.b", "value.b"),
            ("rule=\"self.a.all(x, x.b", "(value.a).b"),
            ("rule=\"self.all(x, x.b", "(value).b"),
            ("rule=\"self.a.all(x, x.b.exists(y, y.c", "((value.a).b).c"),
            ("rule=\"self.a.all(i, x, x.b", "(value.a).b"),
            ("rule=\"self.a.all(x, x.b) && x.c", "?.c"),
            ("rule=\"self.a.all(x, x == 'x(') && self.c", "value.c"),
            ("rule=\"cel.bind(x, self.a.b, x.c", "(value.a.b).c"),
            ("rule=\"cel.bind(x, self, x.c", "(value).c"),
            ("JSONPath=.spec.a", "value.spec.a"),
            ("JSONPath=`.a[?(@.b", "(value.a).b"),
            ("JSONPath=`.a[?(@.b==\"c\")].d", "value.a.d"),
        ] {
            assert_eq!(
                path(text).as_ref().map(shown).as_deref(),
                Some(expected),
                "{text}"
            );
        }
    }

    #[test]
    fn single_names_are_none() {
        for text in [
            "listMapKey=name",
            "rule=\"self",
            "",
            "(",
            "é",
            "rule=\"a.all(x, x",
        ] {
            assert_eq!(path(text), None, "{text}");
        }
    }

    #[test]
    fn strange_text_is_read_too() {
        for text in ["..a", "]).a", "a.[.b", ").(", "self.(a).b", "@.", ".?", "self..b"] {
            let _ = path(text);
        }
    }
}
