//! Finds a field path in the text of a value. Values have no positions: this scans the text again, and only
//! when a message needs it.

use std::ops::Range;

pub use crate::location::{Location, line_column};
use crate::path::Segment;
use crate::{Arena, read};

/// Finds a path in JSON text, as far as it exists. The text must be valid JSON; otherwise the result is
/// meaningless.
#[must_use]
pub fn in_json<'p>(text: &str, path: impl IntoIterator<Item = Segment<'p>>) -> Location {
    let arena = Arena::new();
    let finder = Finder { text, arena: &arena };
    let start = finder.skip_space(0);
    let mut location = Location {
        found: 0,
        key: None,
        value: start..finder.skip_value(start),
    };
    for segment in path {
        let at = location.value.start;
        let child = match segment {
            Segment::Nil => continue,
            Segment::Index(index) => finder.element(at, index).map(|value| (None, value)),
            Segment::Field(key) | Segment::Key(key) => {
                finder.entry(at, key).map(|(key, value)| (Some(key), value))
            }
        };
        let Some((key, value)) = child else {
            break;
        };
        location = Location {
            found: location.found + 1,
            key,
            value,
        };
    }
    location
}

/// Finds a path in the first document of YAML text, as far as it exists.
#[must_use]
pub fn in_yaml<'p>(text: &str, path: impl IntoIterator<Item = Segment<'p>>) -> Option<Location> {
    Some(Index::new(text)?.find(path))
}

/// Where everything in a document of YAML or JSON is, for many paths: finding each by itself scans the whole text.
#[derive(Debug)]
pub struct Index(crate::yaml::Index);

impl Index {
    /// Reads a document; `None` if the text cannot be parsed.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        crate::yaml::Index::new(text).map(Index)
    }

    /// Finds a path, as far as it exists.
    #[must_use]
    pub fn find<'p>(&self, path: impl IntoIterator<Item = Segment<'p>>) -> Location {
        self.0.find(path)
    }
}

struct Finder<'t, 'a> {
    text: &'t str,
    arena: &'a Arena,
}

impl<'t: 'a, 'a> Finder<'t, 'a> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn skip_space(&self, mut at: usize) -> usize {
        while matches!(self.byte(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            at += 1;
        }
        at
    }

    /// The offset after the string whose opening quote is at `at`.
    fn skip_string(&self, mut at: usize) -> usize {
        at += 1;
        loop {
            match self.byte(at) {
                None => return at,
                Some(b'"') => return at + 1,
                Some(b'\\') => at += 2,
                Some(_) => at += 1,
            }
        }
    }

    /// The offset after the value at `at`.
    fn skip_value(&self, mut at: usize) -> usize {
        let mut depth = 0_usize;
        loop {
            match self.byte(at) {
                None => return self.text.len(),
                Some(b'"') => at = self.skip_string(at),
                Some(b'{' | b'[') => {
                    depth += 1;
                    at += 1;
                }
                Some(b'}' | b']') if depth == 0 => return at,
                Some(b'}' | b']') => {
                    depth -= 1;
                    at += 1;
                }
                Some(b',' | b' ' | b'\t' | b'\n' | b'\r') if depth == 0 => return at,
                Some(_) => {
                    at += 1;
                    continue;
                }
            }
            if depth == 0 {
                return at;
            }
        }
    }

    fn element(&self, at: usize, index: usize) -> Option<Range<usize>> {
        if self.byte(at) != Some(b'[') {
            return None;
        }
        let mut start = self.skip_space(at + 1);
        for _ in 0..index {
            start = self.next_child(start)?;
        }
        (self.byte(start)? != b']').then(|| start..self.skip_value(start))
    }

    /// The start of the child after the one at `at`.
    fn next_child(&self, at: usize) -> Option<usize> {
        let end = self.skip_space(self.skip_value(at));
        (self.byte(end)? == b',').then(|| self.skip_space(end + 1))
    }

    /// The spans of the last entry under `key`: if a key is repeated, the last one counts.
    fn entry(&self, at: usize, key: &str) -> Option<(Range<usize>, Range<usize>)> {
        if self.byte(at) != Some(b'{') {
            return None;
        }
        let mut found = None;
        let mut start = self.skip_space(at + 1);
        while self.byte(start) == Some(b'"') {
            let name = start..self.skip_string(start);
            let colon = self.skip_space(name.end);
            let value_start = self.skip_space(colon + 1);
            if read::parse_str(self.arena, self.text.get(name.clone())?)
                .ok()?
                .as_str()
                == Some(key)
            {
                found = Some((name, value_start..self.skip_value(value_start)));
            }
            match self.next_child(value_start) {
                Some(next) => start = next,
                None => break,
            }
        }
        found
    }
}
