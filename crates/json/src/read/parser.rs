//! The JSON grammar. Uses an explicit stack, so deep nesting cannot overflow the thread's stack.

use std::collections::BTreeMap;

use super::error::Fault;
use super::{Duplicate, Options, Read, ReadErrorKind, literal, number, string};
use crate::key::key_mark;
use crate::path::{PathBuf, Step};
use crate::pause::Pace;
use crate::value::SMALL;
use crate::{Arena, Entry, Object, Value};

pub(super) fn parse<'a>(arena: &'a Arena, text: &'a str, options: Options) -> Result<Read<'a>, Fault> {
    let mut parser = Parser {
        arena,
        text,
        bytes: text.as_bytes(),
        at: 0,
        options,
        open: Container {
            shape: Shape::Top,
            start: 0,
            key: "",
            seen: 0,
            repeated: None,
        },
        parents: Vec::new(),
        items: Vec::with_capacity(32),
        entries: Vec::with_capacity(64),
        indexes: Vec::new(),
        duplicates: Vec::new(),
        out_of_range: None,
        top: Value::Null,
        pace: Pace::default(),
    };
    let value = parser.document()?;
    match parser.out_of_range {
        Some(offset) => Err(Fault {
            kind: ReadErrorKind::NumberOutOfRange,
            offset,
        }),
        None => Ok(Read {
            value,
            duplicates: parser.duplicates,
        }),
    }
}

struct Parser<'a> {
    arena: &'a Arena,
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    options: Options,
    /// The innermost open container.
    open: Container<'a>,
    parents: Vec<Container<'a>>,
    /// Elements of all open arrays, each array's after its parent's.
    items: Vec<Value<'a>>,
    /// Entries of all open objects, in the same order.
    entries: Vec<Entry<'a>>,
    /// Key positions of open objects with many keys, innermost last.
    indexes: Vec<BTreeMap<&'a str, u32>>,
    duplicates: Vec<Duplicate>,
    out_of_range: Option<usize>,
    /// The value of the text, once it is read.
    top: Value<'a>,
    pace: Pace,
}

#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Top,
    Array,
    Object,
    /// An object with many keys: its index is the last one.
    IndexedObject,
}

struct Container<'a> {
    shape: Shape,
    /// Where its children start in `items` or `entries`.
    start: usize,
    /// The key whose value is being read.
    key: &'a str,
    /// One bit per hash of the keys so far: for most new keys this is enough to know that they are new.
    seen: u64,
    /// The entry that already has this key.
    repeated: Option<u32>,
}

/// The maximum number of duplicates that upstream keeps: `saveStrictError` in sigs.k8s.io/json.
const MAX_DUPLICATES: usize = 100;

impl<'a> Parser<'a> {
    fn document(&mut self) -> Result<Value<'a>, Fault> {
        loop {
            let (arena, items, entries) = (self.arena, &self.items, &self.entries);
            self.pace
                .step(|| arena.allocated_bytes() + 24 * items.len() + 40 * entries.len());
            if self.value()? && self.separators()? {
                return Ok(self.top);
            }
        }
    }

    /// Reads a scalar or an empty container; for other containers, reads only up to the first child (then
    /// returns false).
    ///
    /// Each kind of value is stored where it is read: a value merged in a variable first would be stored in
    /// parts and loaded in one piece, which stalls the processor.
    #[inline(always)]
    fn value(&mut self) -> Result<bool, Fault> {
        let byte = self.token();
        match byte {
            Some(b'"') => {
                let (text, end) = string::string(self.arena, self.text, self.at + 1)?;
                self.at = end;
                self.store(Value::Str(text));
            }
            Some(b'{') => return self.open_object(),
            Some(b'[') => return self.open_array(),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.literal(literal::TRUE, Value::Bool(true))?,
            Some(b'f') => self.literal(literal::FALSE, Value::Bool(false))?,
            Some(b'n') => self.literal(literal::NULL, Value::Null)?,
            _ => return Err(Fault::unexpected(byte, self.at, "looking for beginning of value")),
        }
        Ok(true)
    }

    /// Moves from the end of a value to the start of the next; true at the end of the text.
    #[inline(always)]
    fn separators(&mut self) -> Result<bool, Fault> {
        loop {
            let byte = self.token();
            match (self.open.shape, byte) {
                (Shape::Array, Some(b',')) => {
                    self.at += 1;
                    return Ok(false);
                }
                (Shape::Object | Shape::IndexedObject, Some(b',')) => {
                    self.at += 1;
                    self.key()?;
                    return Ok(false);
                }
                (Shape::Object | Shape::IndexedObject, Some(b'}')) => self.close_object(),
                (Shape::Array, Some(b']')) => self.close_array(),
                (Shape::Top, None) => return Ok(true),
                (shape, _) => {
                    let context = match shape {
                        Shape::Top => "after top-level value",
                        Shape::Array => "after array element",
                        Shape::Object | Shape::IndexedObject => "after object key:value pair",
                    };
                    return Err(Fault::unexpected(byte, self.at, context));
                }
            }
        }
    }

    fn open_object(&mut self) -> Result<bool, Fault> {
        self.nest(Shape::Object, self.entries.len())?;
        if self.token() == Some(b'}') {
            self.leave();
            self.store(Value::Object(Object::EMPTY));
            return Ok(true);
        }
        self.key()?;
        Ok(false)
    }

    fn open_array(&mut self) -> Result<bool, Fault> {
        self.nest(Shape::Array, self.items.len())?;
        if self.token() == Some(b']') {
            self.leave();
            self.store(Value::Array(&[]));
            return Ok(true);
        }
        Ok(false)
    }

    /// Enters the container whose bracket is next.
    fn nest(&mut self, shape: Shape, start: usize) -> Result<(), Fault> {
        if self.parents.len() >= self.options.max_depth {
            return Err(Fault::invalid(self.at, "exceeded max depth"));
        }
        self.at += 1;
        let opened = Container {
            shape,
            start,
            key: "",
            seen: 0,
            repeated: None,
        };
        self.parents.push(std::mem::replace(&mut self.open, opened));
        Ok(())
    }

    /// Leaves the container whose closing bracket is next.
    fn leave(&mut self) {
        self.at += 1;
        self.open = self
            .parents
            .pop()
            .expect("only a container that was entered can be left");
    }

    fn close_array(&mut self) {
        let items = self.arena.alloc_slice_copy(&self.items[self.open.start..]);
        self.items.truncate(self.open.start);
        self.leave();
        self.store(Value::Array(items));
    }

    fn close_object(&mut self) {
        let entries = self.arena.alloc_slice_copy(&self.entries[self.open.start..]);
        self.entries.truncate(self.open.start);
        let object = match self.open.shape {
            Shape::IndexedObject => {
                let index = self.indexes.pop().unwrap_or_default();
                let order = self.arena.alloc_slice_fill_iter(index.into_values());
                Object::with_order(self.arena, entries, order)
            }
            _ => Object::from_entries(self.arena, entries),
        };
        self.leave();
        self.store(Value::Object(object));
    }

    /// Reads a key and its colon.
    #[inline(always)]
    fn key(&mut self) -> Result<(), Fault> {
        let byte = self.token();
        if byte != Some(b'"') {
            return Err(Fault::unexpected(
                byte,
                self.at,
                "looking for beginning of object key string",
            ));
        }
        let offset = self.at;
        let (key, end) = string::string(self.arena, self.text, offset + 1)?;
        self.at = end;
        self.open.key = key;
        let mark = key_mark(key);
        if self.open.seen & mark != 0 || self.entries.len() - self.open.start >= SMALL {
            self.find_repeated(key, offset);
        }
        self.open.seen |= mark;
        match self.token() {
            Some(b':') => self.at += 1,
            byte => return Err(Fault::unexpected(byte, self.at, "after object key")),
        }
        Ok(())
    }

    fn find_repeated(&mut self, key: &'a str, offset: usize) {
        let entries = &self.entries[self.open.start..];
        let found = if entries.len() < SMALL {
            entries
                .iter()
                .position(|entry| entry.key == key)
                .map(|position| position as u32)
        } else {
            if self.open.shape == Shape::Object {
                self.open.shape = Shape::IndexedObject;
                let positions = 0_u32..;
                self.indexes
                    .push(entries.iter().map(|entry| entry.key).zip(positions).collect());
            }
            let next = entries.len() as u32;
            let index = self
                .indexes
                .last_mut()
                .expect("pushed when the object got its shape");
            let position = *index.entry(key).or_insert(next);
            (position != next).then_some(position)
        };
        self.open.repeated = found;
        if found.is_some() && self.duplicates.len() < MAX_DUPLICATES {
            self.report(offset);
        }
    }

    #[cold]
    fn report(&mut self, offset: usize) {
        let path = self.path();
        if self.duplicates.iter().all(|duplicate| duplicate.path != path) {
            self.duplicates.push(Duplicate { path, offset });
        }
    }

    /// The path of the key that was just read.
    fn path(&self) -> PathBuf {
        let containers = || self.parents.iter().chain([&self.open]);
        let array_starts = containers()
            .filter(|open| open.shape == Shape::Array)
            .map(|open| open.start);
        // An array's finished elements end where those of the next inner array begin.
        let mut array_ends = array_starts.skip(1).chain([self.items.len()]);
        let step = |open: &Container<'a>| match open.shape {
            Shape::Top => None,
            Shape::Array => Some(Step::Index(array_ends.next()? - open.start)),
            Shape::Object | Shape::IndexedObject => Some(Step::Field(open.key.into())),
        };
        containers().filter_map(step).collect()
    }

    /// Adds a value to the open container.
    #[inline(always)]
    fn store(&mut self, value: Value<'a>) {
        match self.open.shape {
            Shape::Top => self.top = value,
            Shape::Array => self.items.push(value),
            Shape::Object | Shape::IndexedObject => match self.open.repeated.take() {
                None => self.entries.push(Entry {
                    key: self.open.key,
                    value,
                }),
                Some(position) => self.entries[self.open.start + position as usize].value = value,
            },
        }
    }

    fn number(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let (value, end) = number::number(self.text, start, self.options.big_integers)?;
        self.at = end;
        if let Value::Float(number) = value
            && !number.is_finite()
        {
            self.out_of_range.get_or_insert(start);
        }
        self.store(value);
        Ok(())
    }

    fn literal(&mut self, word: literal::Word, value: Value<'a>) -> Result<(), Fault> {
        self.at = literal::literal(self.bytes, self.at, word)?;
        self.store(value);
        Ok(())
    }

    /// Skips white space and returns the byte there.
    #[inline]
    fn token(&mut self) -> Option<u8> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            if !matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                return Some(byte);
            }
            self.at += 1;
        }
    }
}
