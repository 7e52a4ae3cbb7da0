//! JSON files: one or several values; lists are split into their items.

use std::ops::Range;

use kindsmith_json::path::Segment;
use kindsmith_json::{Arena, Value, locate};

use super::{Entry, Syntax, head};

/// The entries of JSON text; `None` if it is not valid JSON.
pub(super) fn scan(text: &str) -> Option<Vec<Entry<'_>>> {
    let mut entries = Vec::new();
    let mut at = skip_space(text, 0);
    if !text[at..].starts_with('{') {
        return None;
    }
    while at < text.len() {
        let end = skip_value(text, at)?;
        document(&text[at..end], at, &mut entries)?;
        at = skip_space(text, end);
    }
    Some(entries)
}

fn document<'t>(text: &'t str, offset: usize, entries: &mut Vec<Entry<'t>>) -> Option<()> {
    let arena = Arena::new();
    let value = kindsmith_json::parse_str(&arena, text).ok()?;
    let Some(items) = head::items(value) else {
        entries.push(entry(value, text, offset));
        return Some(());
    };
    let list = locate::in_json(text, [Segment::Field("items")]).value;
    let ranges = elements(text, list);
    if ranges.len() != items.len() {
        // Probably a repeated key: the located one may not be the one that counts.
        entries.extend(head::parsed(text, offset..offset + text.len(), Syntax::Json));
        return Some(());
    }
    let item =
        |(&item, range): (&Value<'_>, Range<usize>)| entry(item, &text[range.clone()], offset + range.start);
    entries.extend(items.iter().zip(ranges).map(item));
    Some(())
}

fn entry<'t>(value: Value<'_>, text: &'t str, offset: usize) -> Entry<'t> {
    let range = offset..offset + text.len();
    head::entry(head::of(value), range, text.into(), Syntax::Json)
}

/// The elements of a well-formed array.
fn elements(text: &str, list: Range<usize>) -> Vec<Range<usize>> {
    let mut elements = Vec::new();
    let mut at = skip_space(text, list.start + 1);
    while at + 1 < list.end {
        let Some(end) = skip_value(text, at) else {
            break;
        };
        elements.push(at..end);
        at = skip_space(text, end);
        if text.as_bytes().get(at) == Some(&b',') {
            at = skip_space(text, at + 1);
        }
    }
    elements
}

fn skip_space(text: &str, at: usize) -> usize {
    let rest = &text.as_bytes()[at..];
    let space = rest
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    at + space.count()
}

/// The end of the value that begins at `at`: the matching bracket, otherwise the next delimiter.
fn skip_value(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut here) = (0usize, at);
    loop {
        match bytes.get(here)? {
            b'"' => here = skip_string(bytes, here)?,
            b'{' | b'[' => {
                depth += 1;
                here += 1;
            }
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                here += 1;
            }
            _ => here += 1,
        }
        if depth == 0 && is_end(bytes, here) {
            return Some(here);
        }
    }
}

/// Whether a value outside of brackets ends here.
fn is_end(bytes: &[u8], here: usize) -> bool {
    let closed = matches!(bytes[here - 1], b'}' | b']' | b'"');
    closed
        || matches!(
            bytes.get(here),
            None | Some(b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r')
        )
}

fn skip_string(bytes: &[u8], at: usize) -> Option<usize> {
    let mut here = at + 1;
    loop {
        match bytes.get(here)? {
            b'"' => return Some(here + 1),
            b'\\' => here += 2,
            _ => here += 1,
        }
    }
}
