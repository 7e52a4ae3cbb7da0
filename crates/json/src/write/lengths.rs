//! The length as JSON of values that share parts: a shared object is counted only once.

use std::marker::PhantomData;

use rustc_hash::FxHashMap;

use super::Format;
use crate::{Object, Value};

/// The length of values as compact JSON in bytes, like [`Format::len`].
#[derive(Debug, Default)]
pub struct Lengths<'a> {
    /// By address and number of an object's entries.
    known: FxHashMap<(usize, usize), usize>,
    /// The values live as long as this does, so no address is reused.
    values: PhantomData<Value<'a>>,
}

/// Values nested deeper are left to the writer, which does not recurse.
const MAX_RECURSION: usize = 64;

impl<'a> Lengths<'a> {
    /// The length of a value.
    pub fn of(&mut self, value: Value<'a>) -> usize {
        self.value(value, 0)
    }

    fn value(&mut self, value: Value<'a>, depth: usize) -> usize {
        match value {
            Value::Array(items) if !items.is_empty() && depth < MAX_RECURSION => {
                let inside: usize = items.iter().map(|item| self.value(*item, depth + 1)).sum();
                inside + brackets_and_commas(items.len())
            }
            Value::Object(object) if !object.is_empty() && depth < MAX_RECURSION => {
                self.object(object, depth)
            }
            Value::Str(text) => string(text),
            _ => Format::default().len(value),
        }
    }

    fn object(&mut self, object: Object<'a>, depth: usize) -> usize {
        let entries = object.entries();
        let part = (entries.as_ptr().addr(), entries.len());
        if let Some(known) = self.known.get(&part) {
            return *known;
        }
        let mut bytes = brackets_and_commas(entries.len());
        for entry in entries {
            bytes += string(entry.key) + ":".len() + self.value(entry.value, depth + 1);
        }
        self.known.insert(part, bytes);
        bytes
    }
}

/// The length of a string with its quotes and escapes.
fn string(text: &str) -> usize {
    let mut bytes = 2 + text.len();
    for part in text.as_bytes().chunks(BLOCK * PART) {
        let (blocks, rest) = part.as_chunks::<BLOCK>();
        let mut added = [0; BLOCK];
        for block in blocks {
            for (added, &byte) in added.iter_mut().zip(block) {
                *added += added_to(byte);
            }
        }
        if !blocks.is_empty() {
            bytes += added.into_iter().map(usize::from).sum::<usize>();
        }
        let rest = rest.iter().map(|&byte| usize::from(ADDED[usize::from(byte)]));
        bytes += rest.sum::<usize>();
    }
    // U+2028 and U+2029 are escaped too; both begin with the same byte.
    if text.as_bytes().contains(&0xe2) {
        bytes += 3 * text.matches(['\u{2028}', '\u{2029}']).count();
    }
    bytes
}

/// The number of bytes counted together: by sums without branches, which the compiler vectorizes.
const BLOCK: usize = 32;
/// After this many blocks, a sum of five each still fits a byte.
const PART: usize = 51;

/// The number of bytes that escaping adds to a byte: one for escapes with a letter, five for other control
/// characters.
const fn added_to(byte: u8) -> u8 {
    let by_letter = (byte == 0x8)
        || (byte == b'\t')
        || (byte == b'\n')
        || (byte == 0xc)
        || (byte == b'\r')
        || (byte == b'"')
        || (byte == b'\\');
    let by_number = if byte < 0x20 { 5 } else { 0 };
    if by_letter { 1 } else { by_number }
}

const ADDED: [u8; 256] = {
    let mut added = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        added[byte] = added_to(byte as u8);
        byte += 1;
    }
    added
};

/// The brackets and commas around this many children.
fn brackets_and_commas(children: usize) -> usize {
    2 + children.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_escape_is_counted_at_any_position() {
        let characters = (0..0x80).chain([0xe9, 0x2027, 0x2028, 0x2029, 0x1f600]);
        for character in characters.filter_map(char::from_u32) {
            for count in [1, 31, 32, 33, BLOCK * PART, 2 * BLOCK * PART + 7] {
                let text: String = std::iter::repeat_n(character, count).chain(['x']).collect();
                let written = crate::to_string(Value::Str(&text));
                assert_eq!(string(&text), written.len(), "{count} times {character:?}");
            }
        }
    }
}
