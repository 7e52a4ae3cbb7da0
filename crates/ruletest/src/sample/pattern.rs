//! A text that matches a regular expression: the common part of the syntax, checked with the real matcher.

use kindsmith_gostd::regexp::Regexp;

/// Whether a text matches.
pub(super) fn is_match(pattern: &str, text: &str) -> bool {
    Regexp::new(pattern).is_ok_and(|pattern| pattern.is_match(text))
}

/// A matching text, of at least this many characters if the pattern allows it; `None` if none was found.
pub(super) fn matching(pattern: &str, least: usize) -> Option<String> {
    let parsed = Parser { rest: pattern }.alternatives()?;
    let matcher = Regexp::new(pattern).ok()?;
    // Repetitions grow until the text is long enough.
    let mut best = None;
    let mut more = 0;
    while more <= least.max(2) {
        let mut text = String::new();
        parsed.write(more, &mut text);
        if matcher.is_match(&text) {
            let length = text.chars().count();
            best = Some(text);
            if length >= least {
                break;
            }
        }
        more += 1;
    }
    best
}

enum Node {
    Text(char),
    Sequence(Vec<Node>),
    Either(Vec<Node>),
    Repeat {
        node: Box<Node>,
        least: usize,
        most: usize,
    },
}

impl Node {
    /// Writes a match with this many more repetitions than needed.
    fn write(&self, more: usize, out: &mut String) {
        match self {
            Node::Text(one) => out.push(*one),
            Node::Sequence(all) => all.iter().for_each(|one| one.write(more, out)),
            Node::Either(all) => all[0].write(more, out),
            Node::Repeat { node, least, most } => {
                let count = least.saturating_add(more).min(*most);
                (0..count).for_each(|_| node.write(0, out));
            }
        }
    }
}

struct Parser<'p> {
    rest: &'p str,
}

impl Parser<'_> {
    fn next(&mut self) -> Option<char> {
        let one = self.rest.chars().next()?;
        self.rest = &self.rest[one.len_utf8()..];
        Some(one)
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.rest.strip_prefix(text);
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }

    fn alternatives(&mut self) -> Option<Node> {
        let mut all = vec![self.sequence()?];
        while self.take("|") {
            all.push(self.sequence()?);
        }
        Some(Node::Either(all))
    }

    fn sequence(&mut self) -> Option<Node> {
        let mut all = Vec::new();
        while !self.rest.is_empty() && !self.rest.starts_with(['|', ')']) {
            let node = self.atom()?;
            all.push(self.repeated(node)?);
        }
        Some(Node::Sequence(all))
    }

    fn atom(&mut self) -> Option<Node> {
        let nothing = || Node::Sequence(Vec::new());
        Some(match self.next()? {
            '^' | '$' => nothing(),
            '.' => Node::Text('a'),
            '(' => {
                if self.rest.starts_with('?') {
                    let end = self.rest.find([':', ')'])?;
                    let is_group = self.rest[end..].starts_with(':');
                    self.rest = &self.rest[end + 1..];
                    if !is_group {
                        return Some(nothing());
                    }
                }
                let inner = self.alternatives()?;
                self.take(")").then_some(inner)?
            }
            '[' => Node::Text(self.class()?),
            '\\' => match self.next()? {
                'd' => Node::Text('0'),
                'w' | 'D' | 'S' => Node::Text('a'),
                's' => Node::Text(' '),
                'W' => Node::Text('-'),
                'n' => Node::Text('\n'),
                't' => Node::Text('\t'),
                'A' | 'z' | 'b' => nothing(),
                'p' | 'P' | 'x' | 'Q' | 'C' | 'B' => return None,
                other => Node::Text(other),
            },
            other => Node::Text(other),
        })
    }

    /// A member of a character class; letters and digits first.
    fn class(&mut self) -> Option<char> {
        let negated = self.take("^");
        let mut ranges: Vec<(char, char)> = Vec::new();
        let mut is_first = true;
        loop {
            let mut one = self.next()?;
            if one == ']' && !is_first {
                break;
            }
            is_first = false;
            if one == '[' && self.rest.starts_with(':') {
                let end = self.rest.find(":]")?;
                let name = &self.rest[1..end];
                ranges.push(match name {
                    "digit" => ('0', '9'),
                    "upper" => ('A', 'Z'),
                    "space" => (' ', ' '),
                    _ => ('a', 'z'),
                });
                self.rest = &self.rest[end + 2..];
                continue;
            }
            if one == '\\' {
                one = match self.next()? {
                    'd' => {
                        ranges.push(('0', '9'));
                        continue;
                    }
                    'w' => {
                        ranges.extend([('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')]);
                        continue;
                    }
                    's' => ' ',
                    'n' => '\n',
                    't' => '\t',
                    'x' | 'p' | 'P' | 'S' | 'D' | 'W' => return None,
                    other => other,
                };
            }
            let is_range = self.rest.starts_with('-') && !self.rest.starts_with("-]");
            if is_range {
                self.next();
                let last = match self.next()? {
                    '\\' => self.next()?,
                    last => last,
                };
                ranges.push((one, last));
            } else {
                ranges.push((one, one));
            }
        }
        let has = |one: char| ranges.iter().any(|(first, last)| (*first..=*last).contains(&one)) != negated;
        let likely = ('a'..='z').chain('0'..='9').chain('A'..='Z').chain(' '..='~');
        likely
            .into_iter()
            .find(|one| has(*one))
            .or_else(|| ranges.first().map(|range| range.0))
    }

    fn repeated(&mut self, node: Node) -> Option<Node> {
        let (least, most) = match self.rest.chars().next() {
            Some('*') => (0, usize::MAX),
            Some('+') => (1, usize::MAX),
            Some('?') => (0, 1),
            Some('{') if self.rest[1..].starts_with(|one: char| one.is_ascii_digit()) => {
                let end = self.rest.find('}')?;
                let (least, most) = match self.rest[1..end].split_once(',') {
                    None => (&self.rest[1..end], Some(&self.rest[1..end])),
                    Some((least, "")) => (least, None),
                    Some((least, most)) => (least, Some(most)),
                };
                let bounds = (
                    least.parse().ok()?,
                    most.map_or(Some(usize::MAX), |most| most.parse().ok())?,
                );
                self.rest = &self.rest[end + 1..];
                self.take("?");
                return Some(Node::Repeat {
                    node: Box::new(node),
                    least: bounds.0,
                    most: bounds.1,
                });
            }
            _ => return Some(node),
        };
        self.next();
        self.take("?");
        Some(Node::Repeat {
            node: Box::new(node),
            least,
            most,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, least: usize, expected: Option<&str>) {
        assert_eq!(matching(pattern, least).as_deref(), expected, "{pattern}");
    }

    #[test]
    fn texts_match_their_pattern() {
        check("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", 0, Some("a"));
        check("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", 5, Some("aa"));
        check("^v[0-9]+(alpha|beta)[0-9]+$", 0, Some("v0alpha0"));
        check(
            "^arn:aws:iam::\\d{12}:role/.+$",
            0,
            Some("arn:aws:iam::000000000000:role/a"),
        );
        check("^https?://", 0, Some("http://"));
        check("^(?:a|b){2,3}$", 3, Some("aaa"));
        check("\\p{Greek}", 0, None);
    }
}
