//! Parses paths (`Parser` in client-go's util/jsonpath/parser.go).

use kindsmith_gostd::strconv::{atoi, parse_f64};

use super::{Filter, Node, Slice};

/// How deeply expressions may nest.
const DEEPEST: usize = 16;

/// The steps of an expression; `None` if it is malformed.
pub(super) fn parse(text: &str) -> Option<Vec<Node>> {
    action(text, 0)
}

fn action(text: &str, depth: usize) -> Option<Vec<Node>> {
    if depth > DEEPEST {
        return None;
    }
    let mut parser = Parser {
        rest: text,
        depth,
        nodes: Vec::new(),
    };
    while !parser.rest.is_empty() {
        parser.step()?;
    }
    Some(parser.nodes)
}

struct Parser<'t> {
    rest: &'t str,
    depth: usize,
    nodes: Vec<Node>,
}

impl Parser<'_> {
    fn step(&mut self) -> Option<()> {
        if self.rest.starts_with("[?(") {
            return self.filter();
        }
        if let Some(rest) = self.rest.strip_prefix("..") {
            return self.recursive(rest.len());
        }
        let first = self.rest.chars().next()?;
        match first {
            ' ' | '@' | '$' => {
                self.skip(1);
                Some(())
            }
            '[' => self.array(),
            '"' | '\'' => self.quote(first),
            '.' => {
                self.skip(1);
                self.field()
            }
            '+' | '-' | '0'..='9' => self.number(),
            '_' => self.word(),
            letter if letter.is_alphanumeric() => self.word(),
            _ => None,
        }
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    fn take(&mut self, bytes: usize) -> String {
        let taken = self.rest.get(..bytes).unwrap_or(self.rest).to_owned();
        self.skip(bytes);
        taken
    }

    fn recursive(&mut self, rest: usize) -> Option<()> {
        if self.nodes.last() == Some(&Node::Recursive) {
            return None;
        }
        self.skip(self.rest.len() - rest);
        self.nodes.push(Node::Recursive);
        let next = self.rest.chars().next();
        if next.is_some_and(|next| next == '_' || next.is_alphanumeric()) {
            return self.field();
        }
        Some(())
    }

    fn field(&mut self) -> Option<()> {
        let (mut end, mut is_escaped) = (self.rest.len(), false);
        for (at, character) in self.rest.char_indices() {
            match character {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                character if is_terminator(character) => {
                    end = at;
                    break;
                }
                _ => {}
            }
        }
        let text = self.take(end);
        self.nodes.push(match text.as_str() {
            "*" => Node::Wildcard,
            _ => Node::Field(text.replace('\\', "")),
        });
        Some(())
    }

    fn word(&mut self) -> Option<()> {
        let end = self.rest.find(is_terminator).unwrap_or(self.rest.len());
        let node = match self.take(end).as_str() {
            "true" => Node::Bool(true),
            "false" => Node::Bool(false),
            _ => Node::Word,
        };
        self.nodes.push(node);
        Some(())
    }

    fn number(&mut self) -> Option<()> {
        let signed = usize::from(self.rest.starts_with(['+', '-']));
        let digits =
            self.rest[signed..].find(|character: char| character != '.' && !character.is_ascii_digit());
        let text = self.take(digits.map_or(self.rest.len(), |digits| signed + digits));
        let node = match atoi(&text) {
            Ok(number) => Node::Int(number),
            Err(_) => Node::Float(parse_f64(&text).ok()?),
        };
        self.nodes.push(node);
        Some(())
    }

    fn quote(&mut self, quote: char) -> Option<()> {
        let mut is_escaped = false;
        let end = self.rest.char_indices().skip(1).find(|&(_, character)| {
            let found = character == quote && !is_escaped;
            is_escaped = character == '\\';
            found
        });
        let text = self.take(end?.0 + 1);
        self.nodes.push(Node::Text(unquote(&text[1..text.len() - 1])?));
        Some(())
    }

    fn array(&mut self) -> Option<()> {
        let end = self
            .rest
            .find([']', '\n'])
            .filter(|&end| self.rest[end..].starts_with(']'))?;
        let text = self.take(end + 1);
        let text = &text[1..end];
        if text.contains(',') {
            let parts = text
                .split(',')
                .map(|part| format!("[{}]", part.trim_matches(' ')));
            let parts = parts.map(|part| action(&part, self.depth + 1));
            self.nodes.push(Node::Union(parts.collect::<Option<_>>()?));
            return Some(());
        }
        let key = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
        if let Some(key) = key.filter(|key| !key.contains('\'')) {
            self.nodes.extend(action(&format!(".{key}"), self.depth + 1)?);
            return Some(());
        }
        self.nodes
            .push(Node::Slice(slice(if text == "*" { ":" } else { text })?));
        Some(())
    }

    fn filter(&mut self) -> Option<()> {
        let inner = &self.rest["[?(".len()..];
        let (mut begun, mut ended, mut previous, mut end) = (None, false, ' ', None);
        for (at, character) in inner.char_indices() {
            match character {
                '\n' => return None,
                '"' | '\'' => match begun {
                    None => begun = Some(character),
                    Some(pair) => ended |= previous != '\\' && character == pair,
                },
                ')' if begun.is_some() == ended => {
                    end = Some(at);
                    break;
                }
                _ => {}
            }
            previous = character;
        }
        let text = &inner[..end?];
        if !inner[text.len() + 1..].starts_with(']') {
            return None;
        }
        let filter = filter(text, self.depth + 1)?;
        self.skip("[?(".len() + text.len() + ")]".len());
        self.nodes.push(Node::Filter(Box::new(filter)));
        Some(())
    }
}

/// Left side, operator and right side; without an operator the filter tests for existence.
fn filter(text: &str, depth: usize) -> Option<Filter> {
    let is_operator = |character: char| matches!(character, '!' | '<' | '>' | '=');
    let split = text.find(is_operator).filter(|&at| at > 0).and_then(|at| {
        let (left, rest) = text.split_at(at);
        let width = rest
            .find(|character| !is_operator(character))
            .unwrap_or(rest.len());
        // At least one character must be left for the right side.
        let width = width.min(rest.len().saturating_sub(1));
        (width > 0).then(|| (left, &rest[..width], &rest[width..]))
    });
    let Some((left, operator, right)) = split else {
        return Some(Filter {
            left: action(text, depth)?,
            operator: "exists".to_owned(),
            right: Vec::new(),
        });
    };
    Some(Filter {
        left: action(left, depth)?,
        operator: operator.to_owned(),
        right: action(right, depth)?,
    })
}

fn slice(text: &str) -> Option<Slice> {
    let mut parts = text.split(':');
    let start = parts.next().unwrap_or_default();
    let (end, step) = (parts.next(), parts.next());
    if parts.next().is_some() {
        return None;
    }
    let number = |text: &str| match text {
        "" => Some(None),
        text if text.starts_with('+') => None,
        text => atoi(text).ok().map(Some),
    };
    let start = number(start)?;
    Some(Slice {
        start,
        end: match end {
            // The index after the largest one wraps, as in Go, and then selects nothing.
            None => Some(start.unwrap_or_default().wrapping_add(1)),
            Some(end) => number(end)?,
        },
        step: number(step.unwrap_or_default())?,
        is_index: end.is_none(),
    })
}

/// Decodes simple escapes within quotes.
fn unquote(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        out.push(match character {
            '\\' => match characters.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                same @ ('\\' | '"' | '\'') => same,
                _ => return None,
            },
            character => character,
        });
    }
    Some(out)
}

fn is_terminator(character: char) -> bool {
    matches!(
        character,
        ' ' | '\t' | '\r' | '\n' | '.' | ',' | '[' | ']' | '$' | '@' | '{' | '}'
    )
}
