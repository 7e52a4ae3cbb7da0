//! The place of a cursor in a YAML document, found by indentation, so that half-written documents have places too.

/// A step from the root of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// To a member.
    Key(String),
    /// To an item of a list.
    Item,
}

/// A place in a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Place {
    /// The `apiVersion` of the document.
    pub(super) api_version: String,
    /// The `kind` of the document.
    pub(super) kind: String,
    /// The object that the line is a member of.
    pub(super) parent: Vec<Step>,
    /// The key of the line; what is written of it, without a colon.
    pub(super) key: String,
    /// The range of the key in the text.
    pub(super) key_range: std::ops::Range<usize>,
    /// The range of the value in the text, if there is a colon.
    pub(super) value_range: Option<std::ops::Range<usize>>,
    /// Keys that the object already has.
    pub(super) siblings: Vec<String>,
}

/// A line other than a comment: where its content starts, and its key.
#[derive(Debug, Clone, Copy)]
struct Line<'t> {
    /// The offset of the line in the text.
    start: usize,
    /// Columns before the content, dashes included.
    indent: usize,
    /// The column of the first dash, if there is one.
    dash: Option<usize>,
    /// The content after dashes.
    content: &'t str,
}

impl<'t> Line<'t> {
    fn of(text: &'t str, start: usize) -> Self {
        let end = text[start..].find('\n').map_or(text.len(), |end| start + end);
        let line = &text[start..end];
        let mut indent = line.len() - line.trim_start_matches(' ').len();
        let mut dash = None;
        while line[indent..].starts_with("- ") || &line[indent..] == "-" {
            dash.get_or_insert(indent);
            indent += 1;
            let rest = &line[indent..];
            indent += rest.len() - rest.trim_start_matches(' ').len();
        }
        Self {
            start,
            indent,
            dash,
            content: line[indent..].trim_end(),
        }
    }

    fn is_empty(&self) -> bool {
        (self.content.is_empty() && self.dash.is_none()) || self.content.starts_with('#')
    }

    /// The key, without quotes.
    fn key(&self) -> Option<&'t str> {
        let end = self.colon()?;
        Some(self.content[..end].trim_matches(['"', '\'']))
    }

    /// The offset of the colon in the content.
    fn colon(&self) -> Option<usize> {
        let found = self.content.find(": ");
        found.or_else(|| self.content.strip_suffix(':').map(str::len))
    }
}

/// The place at an offset of a text.
pub(super) fn place(text: &str, offset: usize) -> Place {
    let offset = offset.min(text.len());
    let (first, last) = document(text, offset);
    let lines: Vec<Line<'_>> = starts(text, first, last)
        .map(|start| Line::of(text, start))
        .collect();
    let Some(index) = lines.iter().rposition(|line| line.start <= offset) else {
        return Place::default();
    };
    let here = lines[index];
    let top = |name: &str| {
        let line = lines
            .iter()
            .find(|line| line.indent == 0 && line.key() == Some(name));
        let value = line
            .and_then(|line| line.content.split_once(':'))
            .map(|(_, value)| value);
        value
            .unwrap_or_default()
            .trim()
            .trim_matches(['"', '\''])
            .to_owned()
    };
    let content_start = here.start + here.indent;
    // On an empty line the cursor says how deep it is.
    let indent = if here.content.is_empty() && here.dash.is_none() {
        offset - here.start
    } else {
        here.indent
    };
    let (parent, siblings) = parents(&lines, index, indent, here.dash);
    let key = here.key().unwrap_or(here.content);
    let key_end = content_start + here.colon().unwrap_or(here.content.len());
    let value_range = here.colon().map(|colon| {
        let after = &here.content[colon + 1..];
        let start = content_start + colon + 1 + (after.len() - after.trim_start().len());
        let value = after.trim_start();
        let end = value.find(" #").unwrap_or(value.len());
        start..start + value[..end].trim_end().len()
    });
    Place {
        api_version: top("apiVersion"),
        kind: top("kind"),
        parent,
        key: key.to_owned(),
        key_range: if here.content.is_empty() {
            offset..offset
        } else {
            content_start..key_end
        },
        value_range,
        siblings,
    }
}

/// The document of a text that contains an offset.
fn document(text: &str, offset: usize) -> (usize, usize) {
    let (mut first, mut last) = (0, text.len());
    for start in starts(text, 0, text.len()) {
        if text[start..].starts_with("---") {
            if start > offset {
                last = start;
                break;
            }
            first = text[start..].find('\n').map_or(text.len(), |end| start + end + 1);
        }
    }
    (first.min(last), last)
}

/// The offsets at which lines start.
fn starts(text: &str, first: usize, last: usize) -> impl Iterator<Item = usize> + '_ {
    let inner = text[first..last]
        .match_indices('\n')
        .map(move |(at, _)| first + at + 1);
    std::iter::once(first).chain(inner.filter(move |start| *start < last || last == text.len()))
}

/// What the lines above are searched for.
#[derive(Clone, Copy)]
enum Search {
    /// The key whose value is the object with keys in this column.
    Object(usize),
    /// The key whose value is the list with dashes in this column; it may stand in the same column.
    List(usize),
}

/// The steps to the object that a line is in, and the keys beside it. `indent` is the column of the line's key.
fn parents(lines: &[Line<'_>], index: usize, indent: usize, dash: Option<usize>) -> (Vec<Step>, Vec<String>) {
    let mut steps = Vec::new();
    let mut siblings = Vec::new();
    let mut search = Search::Object(indent);
    if let Some(dash) = dash {
        steps.push(Step::Item);
        search = Search::List(dash);
    }
    for line in lines[..index].iter().rev().filter(|line| !line.is_empty()) {
        let Some(key) = line.key() else {
            continue;
        };
        let is_parent = match search {
            Search::Object(column) => line.indent < column,
            Search::List(column) => line.indent <= column,
        };
        let is_beside = matches!(search, Search::Object(column) if line.indent == column);
        if is_parent {
            steps.push(Step::Key(key.to_owned()));
            search = Search::Object(line.indent);
        } else if is_beside && steps.is_empty() {
            siblings.push(key.to_owned());
        }
        // The first key of an item stands beside its dash.
        if (is_parent || is_beside)
            && let Some(dash) = line.dash
        {
            steps.push(Step::Item);
            search = Search::List(dash);
        }
    }
    steps.reverse();
    for line in lines[index + 1..].iter().filter(|line| !line.is_empty()) {
        if line.indent < indent || line.dash.is_some_and(|dash| dash < indent) {
            break;
        }
        if line.indent == indent {
            siblings.extend(line.key().map(str::to_owned));
        }
    }
    (steps, siblings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(marked: &str, path: &str, key: &str, has_value: bool) {
        let offset = marked.find('|').expect("a cursor");
        let text = marked.replace('|', "");
        let place = place(&text, offset);
        let steps: Vec<String> = place
            .parent
            .iter()
            .map(|step| match step {
                Step::Key(name) => name.clone(),
                Step::Item => "[]".to_owned(),
            })
            .collect();
        assert_eq!(
            (steps.join("."), &*place.key, place.value_range.is_some()),
            (path.to_owned(), key, has_value),
            "{marked}"
        );
    }

    #[test]
    fn members_of_objects() {
        check("a: 1\nb|: 2", "", "b", true);
        check("a:\n  b:\n    c: |1", "a.b", "c", true);
        check("a:\n  b: 1\n  c|", "a", "c", false);
        check("a:\n  b: 1\n  |", "a", "", false);
        check("a:\n  b: 1\n|", "", "", false);
        check("a:\n  b:\n    c: 1\n  d|: 2", "a", "d", true);
    }

    #[test]
    fn items_of_lists() {
        check("a:\n  - b|: 1", "a.[]", "b", true);
        check("a:\n- b|: 1", "a.[]", "b", true);
        check("a:\n  - b: 1\n    c|: 2", "a.[]", "c", true);
        check("a:\n- b: 1\n  c|: 2", "a.[]", "c", true);
        check("a:\n- b:\n  - c: 1\n    d|", "a.[].b.[]", "d", false);
        check("x: 1\na:\n- b: 1\n- c|", "a.[]", "c", false);
        check("a:\n- b: 1\nc|", "", "c", false);
    }

    #[test]
    fn documents_are_apart() {
        let text = "apiVersion: v1\nkind: A\n---\napiVersion: v2\nkind: B\nspec:\n  x";
        let found = place(text, text.len());
        assert_eq!((&*found.api_version, &*found.kind), ("v2", "B"));
        assert_eq!(place(text, 3).kind, "A");
    }

    #[test]
    fn every_offset_of_every_text_has_a_place() {
        for text in [
            "",
            "-",
            "é:\n - ü: 'x'\n  -\n\t:",
            "---\n---\na: # x\n- - b:\n",
            "a: |\n  b\n\r\n c",
        ] {
            for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
                let found = place(text, offset);
                assert!(
                    text.get(found.key_range.clone()).is_some(),
                    "{text:?} {offset} {found:?}"
                );
                let value = found.value_range.unwrap_or_default();
                assert!(text.get(value).is_some(), "{text:?} {offset}");
            }
        }
    }

    #[test]
    fn a_comment_is_not_part_of_the_value() {
        let found = place("a: x  # y", 4);
        assert_eq!(found.value_range, Some(3..4));
    }

    #[test]
    fn keys_beside_it_are_known() {
        let found = place("a: 1\nb:\n  c: 1\n  \n  d: 2\n", 17);
        assert_eq!(found.parent, [Step::Key("b".to_owned())]);
        assert_eq!(found.siblings, ["c", "d"]);
    }
}
