//! A YAML document that keeps the order of keys, comments and how scalars are written, and is written with the layout of
//! Go's YAML encoder: two spaces, lists indented, one line per scalar. Reads the block style of manifests; collections in
//! flow style stay as text.

use std::fmt::Write;

/// A part of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    Map(Vec<Entry>),
    List(Vec<Entry>),
    /// A scalar or a flow collection, as written.
    Text(String),
    /// A block scalar: its indicator and its lines, without their common indentation.
    Block(String, Vec<String>),
}

/// A member of a map, or an item of a list, whose key is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// Comment lines above it.
    above: Vec<String>,
    /// The key as written.
    key: String,
    /// The comment at the end of its line.
    beside: Option<String>,
    node: Node,
}

impl Node {
    /// Reads one document.
    pub(super) fn read(text: &str) -> Self {
        let lines = text.lines().map(|line| line.trim_end().to_owned());
        let lines = lines.skip_while(|line| line.is_empty() || line == "---");
        let mut reader = Reader {
            lines: lines.collect(),
            at: 0,
        };
        reader.node(0)
    }

    /// A generated document. The other encoder quotes what only YAML 1.1 reads as something else than a string.
    pub(super) fn encoded(text: &str) -> Self {
        let mut node = Self::read(text);
        node.unquote();
        node
    }

    /// The document as text.
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 0);
        out
    }

    /// A member of a map.
    pub(super) fn member(&mut self, key: &str) -> Option<&mut Node> {
        let Self::Map(entries) = self else { return None };
        let entry = entries.iter_mut().find(|entry| plain(&entry.key) == key)?;
        Some(&mut entry.node)
    }

    /// A member of a map, added at its end if it is missing.
    pub(super) fn member_or_new(&mut self, key: &str) -> &mut Node {
        if !matches!(self, Self::Map(_)) {
            *self = Self::Map(Vec::new());
        }
        let Self::Map(entries) = self else {
            unreachable!("it was made a map")
        };
        let known = entries.iter().position(|entry| plain(&entry.key) == key);
        let index = known.unwrap_or_else(|| {
            entries.push(Entry {
                above: Vec::new(),
                key: format!("\"{key}\""),
                beside: None,
                node: Node::Map(Vec::new()),
            });
            entries.len() - 1
        });
        &mut entries[index].node
    }

    /// Removes a member of a map.
    pub(super) fn remove(&mut self, key: &str) {
        if let Self::Map(entries) = self {
            entries.retain(|entry| plain(&entry.key) != key);
        }
    }

    /// The items of a list.
    pub(super) fn items(&mut self) -> Vec<&mut Node> {
        match self {
            Self::List(items) => items.iter_mut().map(|item| &mut item.node).collect(),
            _ => Vec::new(),
        }
    }

    fn unquote(&mut self) {
        match self {
            Self::Map(entries) | Self::List(entries) => {
                for entry in entries {
                    unquote(&mut entry.key);
                    entry.node.unquote();
                }
            }
            Self::Text(text) => unquote(text),
            Self::Block(..) => {}
        }
    }

    /// Writes the node; its first line starts where the text ends.
    fn write(&self, out: &mut String, indent: usize) {
        match self {
            Self::Map(entries) | Self::List(entries) => {
                for (index, entry) in entries.iter().enumerate() {
                    entry.write(out, indent, index == 0 && !out.ends_with('\n') && !out.is_empty());
                }
            }
            Self::Text(text) => {
                out.push_str(text);
                out.push('\n');
            }
            Self::Block(indicator, lines) => block(out, indicator, lines, indent),
        }
    }
}

fn block(out: &mut String, indicator: &str, lines: &[String], indent: usize) {
    out.push_str(indicator);
    out.push('\n');
    for line in lines {
        if !line.is_empty() {
            let _ = write!(out, "{:indent$}{line}", "");
        }
        out.push('\n');
    }
}

impl Entry {
    fn write(&self, out: &mut String, indent: usize, is_started: bool) {
        if !is_started {
            for comment in &self.above {
                let _ = writeln!(out, "{:indent$}{comment}", "");
            }
            let _ = write!(out, "{:indent$}", "");
        }
        let is_item = self.key.is_empty();
        out.push_str(if is_item { "-" } else { &self.key });
        if !is_item {
            out.push(':');
        }
        let beside = self.beside.as_ref().map(|comment| format!(" {comment}"));
        let beside = beside.unwrap_or_default();
        match &self.node {
            Node::Map(entries) | Node::List(entries) if entries.is_empty() => {
                let empty = if matches!(self.node, Node::Map(_)) {
                    " {}"
                } else {
                    " []"
                };
                let _ = writeln!(out, "{empty}{beside}");
            }
            Node::Map(_) | Node::List(_) if is_item => {
                out.push(' ');
                self.node.write(out, indent + 2);
            }
            Node::Map(_) | Node::List(_) => {
                let _ = writeln!(out, "{beside}");
                self.node.write(out, indent + 2);
            }
            Node::Text(text) if text.is_empty() => {
                let _ = writeln!(out, "{beside}");
            }
            Node::Text(text) => {
                let _ = writeln!(out, " {text}{beside}");
            }
            Node::Block(indicator, lines) => {
                out.push(' ');
                block(out, indicator, lines, indent + 2);
            }
        }
    }
}

/// A key or scalar without its quotes.
fn plain(text: &str) -> &str {
    let quoted = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    quoted('"').or_else(|| quoted('\'')).unwrap_or(text)
}

/// Removes quotes that only YAML 1.1 needs: around its words for booleans, and numbers to the base 60.
fn unquote(text: &mut String) {
    const WORDS: [&str; 8] = ["y", "n", "yes", "no", "on", "off", "Y", "N"];
    let Some(inner) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) else {
        return;
    };
    let is_word = WORDS.iter().any(|word| word.eq_ignore_ascii_case(inner))
        && (inner.chars().all(char::is_lowercase)
            || inner.chars().all(char::is_uppercase)
            || inner.chars().skip(1).all(char::is_lowercase));
    let is_base_60 = inner.contains(':')
        && inner
            .trim_start_matches(['+', '-'])
            .starts_with(|c: char| c.is_ascii_digit())
        && inner.chars().all(|c| c.is_ascii_digit() || "+-:._".contains(c))
        && !inner.ends_with(':');
    if is_word || is_base_60 {
        *text = inner.to_owned();
    }
}

/// Reads lines from the top.
struct Reader {
    lines: Vec<String>,
    at: usize,
}

impl Reader {
    /// The indentation of the next line with content; comments before it are skipped by nobody.
    fn next(&self) -> Option<(usize, &str)> {
        let mut lines = self.lines[self.at..].iter();
        let line = lines.find(|line| !is_void(line))?;
        let content = line.trim_start();
        Some((line.len() - content.len(), content))
    }

    /// The comments before the next line with content.
    fn comments(&mut self) -> Vec<String> {
        let mut comments = Vec::new();
        while let Some(line) = self.lines.get(self.at).filter(|line| is_void(line)) {
            if !line.is_empty() {
                comments.push(line.trim_start().to_owned());
            }
            self.at += 1;
        }
        comments
    }

    /// The node that starts at the next line, if that is indented at least this far.
    fn node(&mut self, least: usize) -> Node {
        match self.next() {
            Some((indent, content)) if indent >= least => {
                if is_item(content) {
                    self.list(indent)
                } else if key_end(content).is_some() {
                    self.map(indent)
                } else {
                    self.comments();
                    let line = self.lines[self.at].trim().to_owned();
                    self.at += 1;
                    self.scalar(line, indent)
                }
            }
            _ => Node::Text(String::new()),
        }
    }

    fn list(&mut self, indent: usize) -> Node {
        let mut items = Vec::new();
        while self
            .next()
            .is_some_and(|(here, content)| here == indent && is_item(content))
        {
            let above = self.comments();
            let line = &mut self.lines[self.at];
            // What follows the dash is as deep as its column.
            line.replace_range(indent..=indent, " ");
            let node = if line.trim().is_empty() {
                self.at += 1;
                self.node(indent + 1)
            } else {
                self.inline(indent)
            };
            let (node, beside) = node.with_comment();
            items.push(Entry {
                above,
                key: String::new(),
                beside,
                node,
            });
        }
        Node::List(items)
    }

    /// The node on the rest of a line with a dash.
    fn inline(&mut self, indent: usize) -> Node {
        let content = self.lines[self.at].trim();
        if is_item(content) || key_end(content).is_some() {
            return self.node(indent + 1);
        }
        let content = content.to_owned();
        self.at += 1;
        self.scalar(content, indent)
    }

    fn map(&mut self, indent: usize) -> Node {
        let mut entries = Vec::new();
        while let Some((here, content)) = self.next() {
            let Some(end) = key_end(content).filter(|_| here == indent && !is_item(content)) else {
                break;
            };
            let above = self.comments();
            let line = self.lines[self.at].trim().to_owned();
            self.at += 1;
            let (rest, mut beside) = split_comment(line[end + 1..].trim());
            let node = if rest.is_empty() {
                match self.next() {
                    Some((deeper, _)) if deeper > indent => self.node(indent + 1),
                    Some((same, content)) if same == indent && is_item(content) => self.list(indent),
                    _ => Node::Text(String::new()),
                }
            } else {
                self.scalar(line[end + 1..].trim().to_owned(), indent)
            };
            let (node, more) = node.with_comment();
            beside = more.or(beside);
            entries.push(Entry {
                above,
                key: line[..end].trim_end().to_owned(),
                beside,
                node,
            });
        }
        Node::Map(entries)
    }

    /// A scalar whose first line is given, in a collection of this indentation.
    fn scalar(&mut self, first: String, indent: usize) -> Node {
        if first.starts_with(['|', '>']) {
            return self.block(first, indent);
        }
        let mut text = first;
        let is_open = |text: &str| {
            let mut open = 0_i32;
            let mut quote = None;
            for character in text.chars() {
                match (quote, character) {
                    (Some(q), c) if q == c => quote = None,
                    (None, '"' | '\'') => quote = Some(character),
                    (None, '[' | '{') => open += 1,
                    (None, ']' | '}') => open -= 1,
                    _ => {}
                }
            }
            quote.is_some() && text.starts_with(['"', '\'']) || open > 0 && text.starts_with(['[', '{'])
        };
        while self.at < self.lines.len() {
            let line = &self.lines[self.at];
            let content = line.trim_start();
            let is_deeper = line.len() - content.len() > indent;
            if line.is_empty() || !(is_deeper || is_open(&text)) || content.starts_with('#') {
                break;
            }
            text.push(' ');
            text.push_str(content);
            self.at += 1;
        }
        Node::Text(text)
    }

    fn block(&mut self, indicator: String, indent: usize) -> Node {
        let mut lines = Vec::new();
        while let Some(line) = self.lines.get(self.at) {
            let deep = line.len() - line.trim_start().len();
            if !line.is_empty() && deep <= indent {
                break;
            }
            lines.push(line.clone());
            self.at += 1;
        }
        // Empty lines at the end belong to what follows.
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        let depth = lines.iter().find(|line| !line.is_empty());
        let depth = depth.map_or(0, |line| line.len() - line.trim_start().len());
        let lines = lines
            .iter()
            .map(|line| line.get(depth..).unwrap_or_default().to_owned());
        Node::Block(indicator, lines.collect())
    }
}

impl Node {
    /// The node, and the comment at the end of its text.
    fn with_comment(self) -> (Self, Option<String>) {
        match self {
            Self::Text(text) => {
                let (text, comment) = split_comment(&text);
                (Self::Text(text.to_owned()), comment)
            }
            other => (other, None),
        }
    }
}

/// Whether a line has no content: it is empty or a comment.
fn is_void(line: &str) -> bool {
    let content = line.trim_start();
    content.is_empty() || content.starts_with('#')
}

fn is_item(content: &str) -> bool {
    content == "-" || content.starts_with("- ")
}

/// The end of the key of a line.
fn key_end(content: &str) -> Option<usize> {
    let start = match content.chars().next()? {
        quote @ ('"' | '\'') => content[1..].find(quote)? + 2,
        '[' | '{' | '|' | '>' => return None,
        _ => 0,
    };
    let colon = content[start..].match_indices(':').map(|(at, _)| start + at);
    let mut ends = colon.filter(|end| content[end + 1..].is_empty() || content[end + 1..].starts_with(' '));
    ends.next().filter(|end| start == 0 || *end == start)
}

/// Text and the comment behind it.
fn split_comment(text: &str) -> (&str, Option<String>) {
    if text.starts_with('#') {
        return ("", Some(text.to_owned()));
    }
    let mut quote = None;
    let mut before = ' ';
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (Some(q), c) if q == c => quote = None,
            (None, '"' | '\'') if at == 0 || "[{, ".contains(before) => quote = Some(character),
            (None, '#') if before == ' ' => return (text[..at].trim_end(), Some(text[at..].to_owned())),
            _ => {}
        }
        before = character;
    }
    (text, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let once = Node::read(text).text();
        assert_eq!(once, expected);
        assert_eq!(Node::read(&once).text(), once, "a second time changes nothing");
    }

    #[test]
    fn lists_are_indented_and_the_rest_stays() {
        check("a:\n- b\n- c: 1\n  d: 'x'\n", "a:\n  - b\n  - c: 1\n    d: 'x'\n");
        check("a:\n  - - 1\n    - 2\n", "a:\n  - - 1\n    - 2\n");
        check("a: {}\nb: [1, 2]\n", "a: {}\nb: [1, 2]\n");
        check(
            "a:\n    b: |-\n        x\n          y\n    c: 1\n",
            "a:\n  b: |-\n    x\n      y\n  c: 1\n",
        );
        check("a: one\n  two\nb: 1\n", "a: one two\nb: 1\n");
        check(
            "# x\na: 1 # y\n\n# z\nb:\n# q\n- c\n",
            "# x\na: 1 # y\n# z\nb:\n  # q\n  - c\n",
        );
        check(
            "a:\nb: \"c: d\"\n\"e f\": http://x\n",
            "a:\nb: \"c: d\"\n\"e f\": http://x\n",
        );
    }

    #[test]
    fn generated_text_loses_old_quotes() {
        let node = Node::encoded("\"y\": \"on\"\nb: \"true\"\nc: \"1:30\"\nd: \"1\"\n");
        assert_eq!(node.text(), "y: on\nb: \"true\"\nc: 1:30\nd: \"1\"\n");
    }
}
