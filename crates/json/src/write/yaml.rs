//! Writes values as YAML, byte for byte like sigs.k8s.io/yaml: block style, two spaces, sequences not
//! indented below their key.
//!
//! Open containers are on an explicit stack, so deep values cannot overflow the thread's stack. `yaml_scalar`
//! decides the style of strings.

use super::yaml_documents::{Known, Place};
use super::yaml_order::sort;
use super::yaml_scalar::{append_indent, append_string, is_long_key, is_word};
use super::{Order, append_float, append_float_general};
use crate::pause::Pace;
use crate::{Entry, Object, Value};

/// Writes a value as a YAML document. Sorted keys are in the order of sigs.k8s.io/yaml, where numbers in keys
/// count.
#[must_use]
pub fn to_yaml(value: Value<'_>, order: Order) -> String {
    let mut out = String::new();
    append(&mut out, value, order, None);
    out
}

/// Appends a document to a text, which must be empty or end with a line break. Parts that were written before
/// are copied. Returns whether some string has escapes of unusual characters.
pub(super) fn append<'a>(
    out: &mut String,
    value: Value<'a>,
    order: Order,
    known: Option<Known<'_, 'a>>,
) -> bool {
    let mut writer = Writer {
        out,
        order,
        known,
        escapes: false,
        open: Vec::new(),
        entries: Vec::new(),
    };
    writer.value(value, 0, true);
    let mut pace = Pace::default();
    while writer.step() {
        pace.step(|| writer.out.len());
    }
    writer.escapes
}

/// A container that is being written.
struct Frame<'a> {
    items: Items<'a>,
    next: usize,
    indent: usize,
    /// Its first child continues the current line.
    inline: bool,
    /// Where its text begins.
    from: usize,
}

#[derive(Clone, Copy)]
enum Items<'a> {
    Seq(&'a [Value<'a>]),
    /// An object; its entries start at this index and are the last ones.
    Map(Object<'a>, usize),
}

struct Writer<'o, 'a> {
    out: &'o mut String,
    order: Order,
    known: Option<Known<'o, 'a>>,
    /// Whether some string has escapes of unusual characters.
    escapes: bool,
    open: Vec<Frame<'a>>,
    /// Entries of all open objects, each object's after its parent's.
    entries: Vec<Entry<'a>>,
}

impl<'a> Writer<'_, 'a> {
    /// Writes a scalar with its line break, or opens a container whose children are indented by `indent`.
    fn value(&mut self, value: Value<'a>, indent: usize, inline: bool) {
        let items = match value {
            Value::Array([]) => return self.out.push_str("[]\n"),
            Value::Object(object) if object.is_empty() => return self.out.push_str("{}\n"),
            Value::Array(items) => Items::Seq(items),
            Value::Object(object) => {
                let place = Place { indent, inline };
                if self
                    .known
                    .as_ref()
                    .is_some_and(|known| known.copy(self.out, object, place))
                {
                    return;
                }
                Items::Map(object, self.open_entries(object))
            }
            scalar => return self.scalar(scalar, indent),
        };
        self.open.push(Frame {
            items,
            next: 0,
            indent,
            inline,
            from: self.out.len(),
        });
    }

    /// Puts the entries of an object in order; returns where they begin.
    fn open_entries(&mut self, object: Object<'a>) -> usize {
        let start = self.entries.len();
        self.entries.extend_from_slice(object.entries());
        if self.order == Order::Sorted {
            sort(&mut self.entries[start..]);
        }
        start
    }

    /// Writes the next child of the innermost container, or ends it; false when everything is done.
    fn step(&mut self) -> bool {
        let Some(frame) = self.open.last_mut() else {
            return false;
        };
        let (at, indent) = (frame.next, frame.indent);
        let begins_line = at > 0 || !frame.inline;
        frame.next += 1;
        match frame.items {
            Items::Seq(items) => match items.get(at) {
                Some(item) => {
                    self.begin(begins_line, indent);
                    self.out.push_str("- ");
                    self.value(*item, indent + 2, true);
                }
                None => self.close(),
            },
            Items::Map(_, start) => match self.entries.get(start + at).copied() {
                Some(Entry { key, value }) => {
                    self.begin(begins_line, indent);
                    self.entry(key, value, indent);
                }
                None => self.close(),
            },
        }
        true
    }

    fn begin(&mut self, begins_line: bool, indent: usize) {
        if begins_line {
            append_indent(self.out, indent);
        }
    }

    fn close(&mut self) {
        let Some(frame) = self.open.pop() else {
            return;
        };
        let Items::Map(object, start) = frame.items else {
            return;
        };
        self.entries.truncate(start);
        if let Some(known) = &mut self.known {
            let place = Place {
                indent: frame.indent,
                inline: frame.inline,
            };
            known.remember(object, place, frame.from..self.out.len());
        }
    }

    fn entry(&mut self, key: &str, value: Value<'a>, indent: usize) {
        if is_word(key) {
            self.out.push_str(key);
        } else if is_long_key(key) {
            self.out.push_str("? ");
            self.string(key, indent + 2, true);
            append_indent(self.out, indent);
            self.out.push_str(": ");
            return self.value(value, indent + 2, true);
        } else {
            self.string(key, indent + 2, false);
        }
        self.out.push(':');
        match value {
            Value::Array([_, ..]) => {
                self.out.push('\n');
                self.value(value, indent, false);
            }
            Value::Object(object) if !object.is_empty() => {
                self.out.push('\n');
                self.value(value, indent + 2, false);
            }
            _ => {
                self.out.push(' ');
                self.value(value, indent + 2, true);
            }
        }
    }

    fn string(&mut self, text: &str, indent: usize, whole_line: bool) {
        self.escapes |= append_string(self.out, text, indent, whole_line);
    }

    fn scalar(&mut self, value: Value<'_>, indent: usize) {
        match value {
            Value::Bool(truth) => self.out.push_str(if truth { "true" } else { "false" }),
            Value::Int(number) => self.out.push_str(itoa::Buffer::new().format(number)),
            Value::Uint(number) => self.out.push_str(itoa::Buffer::new().format(number)),
            Value::Float(number) => append_number(self.out, number),
            Value::Str(text) if is_word(text) => self.out.push_str(text),
            Value::Str(text) => return self.string(text, indent.max(2), true),
            _ => self.out.push_str("null"),
        }
        self.out.push('\n');
    }
}

/// A float as it looks after a round trip through JSON: a whole number becomes an integer.
fn append_number(out: &mut String, number: f64) {
    let mut literal = String::new();
    append_float(&mut literal, number);
    if let Ok(whole) = literal.parse::<i64>() {
        // An integer has no negative zero.
        out.push_str(itoa::Buffer::new().format(whole));
    } else if literal.parse::<u64>().is_ok() || !number.is_finite() {
        out.push_str(&literal);
    } else {
        append_float_general(out, number);
    }
}
