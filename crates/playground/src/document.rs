//! A document of a pane: its value, and where its fields are.

use std::ops::Range;

use kindsmith_json::path::PathBuf;
use kindsmith_json::{Arena, Value, locate, yaml};

use crate::response::{Pane, Place};
use crate::utf16::Utf16;

/// One document of a text.
pub(crate) struct Document<'a> {
    pub(crate) value: Value<'a>,
    pane: Pane,
    whole: &'a str,
    text: &'a str,
    offset: usize,
    index: std::cell::OnceCell<Option<locate::Index>>,
}

/// Why a document cannot be read.
pub(crate) struct Unreadable {
    pub(crate) message: String,
    pub(crate) place: Place,
}

impl<'a> Document<'a> {
    /// The documents of a text that are not empty.
    pub(crate) fn all(arena: &'a Arena, pane: Pane, text: &'a str) -> (Vec<Self>, Vec<Unreadable>) {
        let (mut read, mut unreadable) = (Vec::new(), Vec::new());
        for part in yaml::documents(text) {
            match yaml::read(
                arena,
                part.text.as_bytes(),
                kindsmith_json::read::Options::default(),
            ) {
                Ok(document) if document.value.is_null() => {}
                Ok(document) => read.push(Self {
                    value: document.value,
                    pane,
                    whole: text,
                    text: part.text,
                    offset: part.offset,
                    index: std::cell::OnceCell::new(),
                }),
                Err(error) => {
                    let line = error.line.saturating_sub(1);
                    let before = part.text.split_inclusive('\n').take(line);
                    let start = part.offset + before.map(str::len).sum::<usize>();
                    unreadable.push(Unreadable {
                        message: error.to_string(),
                        place: place(pane, text, line_at(text, start)),
                    });
                }
            }
        }
        (read, unreadable)
    }

    /// Its `apiVersion` and `kind`; empty if missing.
    pub(crate) fn identity(&self) -> (&'a str, &'a str) {
        (self.value.text("apiVersion"), self.value.text("kind"))
    }

    /// The place of a field's value, or of the key of its nearest parent if it is missing.
    pub(crate) fn place(&self, path: &PathBuf) -> Place {
        let steps = path.steps().len();
        let range = self.location(path).map_or(0..0, |location| match location.key {
            Some(key) if location.found < steps => key,
            _ if location.found == 0 && steps > 0 => location.value.start..location.value.start,
            _ => location.value,
        });
        self.at(range)
    }

    /// The place of a field's key, or of its nearest parent.
    pub(crate) fn key_place(&self, path: &PathBuf) -> Place {
        match self.location(path) {
            Some(locate::Location {
                key: Some(key),
                found,
                ..
            }) if found == path.steps().len() => self.at(key),
            _ => self.place(path),
        }
    }

    /// The place of a field, with key and all lines of its value; `None` if it is not there.
    pub(crate) fn whole_place(&self, path: &PathBuf) -> Option<Place> {
        let location = self.location(path)?;
        if location.found < path.steps().len() {
            return None;
        }
        let start = location.key.map_or(location.value.start, |key| key.start);
        let range = self.offset + start..self.offset + location.value.end;
        let text = &self.whole[range.clone()];
        Some(place(
            self.pane,
            self.whole,
            range.start..range.start + text.trim_end().len(),
        ))
    }

    fn location(&self, path: &PathBuf) -> Option<locate::Location> {
        let index = self.index.get_or_init(|| locate::Index::new(self.text));
        Some(index.as_ref()?.find(path.segments()))
    }

    /// A range of the document, as far as its first line goes.
    fn at(&self, range: Range<usize>) -> Place {
        let (start, end) = (self.offset + range.start, self.offset + range.end);
        let line_end = line_at(self.whole, start).end;
        let end = if end <= start { line_end } else { end.min(line_end) };
        place(self.pane, self.whole, start..end.max(start))
    }
}

/// A range of a text as the page counts.
pub(crate) fn place(pane: Pane, text: &str, range: Range<usize>) -> Place {
    let counted = Utf16::new(text);
    Place {
        pane,
        from: counted.offset(range.start),
        to: counted.offset(range.end),
        line: counted.line(range.start),
    }
}

/// From an offset to the end of its line.
fn line_at(text: &str, start: usize) -> Range<usize> {
    let start = start.min(text.len());
    let end = text[start..].find('\n').map_or(text.len(), |end| start + end);
    start..end
}
