//! The YAML writer: block style, as sigs.k8s.io/yaml prints. Keeps its own stack, so nesting never exhausts the
//! thread's.

use super::yaml_scalar::{Place, Style, has_breaks, is_break, is_printable, style};
use super::{Order, float, yaml_order};
use crate::{Entry, Value};

/// Writes a value as `yaml.Marshal` of sigs.k8s.io/yaml does; with [`Order::Kept`] keys stay in their order.
#[must_use]
pub fn to_yaml(value: Value<'_>, order: Order) -> String {
    let mut writer = Writer {
        out: String::with_capacity(256),
        column: 0,
        fresh: true,
        spaced: true,
        order,
        stack: Vec::new(),
    };
    writer.node(value, -1, Context::Other);
    while writer.step() {}
    writer.line_break_if_needed();
    writer.out
}

/// Lines are broken at spaces behind this column.
const WIDTH: usize = 80;

/// Longer keys get a `?` of their own.
const MAX_SIMPLE_KEY: usize = 128;

struct Writer<'v> {
    out: String,
    /// In characters.
    column: usize,
    /// Nothing but indentation and indicators on this line so far.
    fresh: bool,
    /// Ends in white space.
    spaced: bool,
    order: Order,
    stack: Vec<Frame<'v>>,
}

/// A collection being written: its children before `next` are done.
struct Frame<'v> {
    next: usize,
    indent: isize,
    children: Children<'v>,
}

enum Children<'v> {
    Sequence(&'v [Value<'v>]),
    Mapping(Vec<Entry<'v>>),
}

/// What a node belongs to.
#[derive(Clone, Copy, PartialEq)]
enum Context {
    MappingValue,
    Other,
}

impl<'v> Writer<'v> {
    /// Writes a scalar or an empty collection; of others only pushes the frame.
    fn node(&mut self, value: Value<'v>, indent: isize, context: Context) {
        match value {
            Value::Array([]) => self.indicator("[]", true),
            Value::Object(object) if object.is_empty() => self.indicator("{}", true),
            Value::Array(items) => {
                // A sequence is not further in than its key.
                let same = context == Context::MappingValue && !self.fresh;
                let indent = if indent >= 0 && same {
                    indent
                } else {
                    deeper(indent)
                };
                self.stack.push(Frame {
                    next: 0,
                    indent,
                    children: Children::Sequence(items),
                });
            }
            Value::Object(object) => {
                let mut entries = object.entries().to_vec();
                if self.order == Order::Sorted {
                    entries.sort_by(|left, right| yaml_order::compare(left.key, right.key));
                }
                let children = Children::Mapping(entries);
                self.stack.push(Frame {
                    next: 0,
                    indent: deeper(indent),
                    children,
                });
            }
            Value::Str(text) => self.string(text, indent, Place::Value),
            Value::Null => self.plain("null"),
            Value::Bool(truth) => self.plain(if truth { "true" } else { "false" }),
            Value::Int(number) => self.plain(itoa::Buffer::new().format(number)),
            Value::Uint(number) => self.plain(itoa::Buffer::new().format(number)),
            Value::Float(number) => self.float(number),
        }
    }

    /// Writes the next child of the innermost collection, or leaves it; false when all is done.
    fn step(&mut self) -> bool {
        let Some(frame) = self.stack.last_mut() else {
            return false;
        };
        let (position, indent) = (frame.next, frame.indent);
        frame.next += 1;
        match &frame.children {
            Children::Sequence(items) => match items.get(position) {
                Some(&item) => {
                    self.indent(indent);
                    self.block_indicator("-");
                    self.node(item, indent, Context::Other);
                }
                None => drop(self.stack.pop()),
            },
            Children::Mapping(entries) => match entries.get(position) {
                Some(&entry) => self.entry(entry, indent),
                None => drop(self.stack.pop()),
            },
        }
        true
    }

    fn entry(&mut self, entry: Entry<'v>, indent: isize) {
        self.indent(indent);
        if entry.key.len() <= MAX_SIMPLE_KEY && !has_breaks(entry.key) {
            self.string(entry.key, indent, Place::SimpleKey);
            self.put(":");
            self.spaced = false;
            self.fresh = false;
        } else {
            self.block_indicator("?");
            self.string(entry.key, indent, Place::Value);
            self.indent(indent);
            self.block_indicator(":");
        }
        self.node(entry.value, indent, Context::MappingValue);
    }

    /// A float as it comes out of JSON: what prints without fraction is an integer to YAML.
    fn float(&mut self, number: f64) {
        let mut printed = String::new();
        float::append(&mut printed, number);
        if printed.parse::<i64>().is_err() && printed.parse::<u64>().is_err() && number.is_finite() {
            printed.clear();
            float::append_general(&mut printed, number);
        }
        self.plain(if printed == "-0" { "0" } else { &printed });
    }

    fn string(&mut self, text: &str, indent: isize, place: Place) {
        let (indent, wrap) = (deeper_in_flow(indent), place == Place::Value);
        match style(text, place) {
            Style::Plain => self.words(text, indent, wrap, |writer, character| writer.push(character)),
            Style::SingleQuoted => {
                self.indicator("'", true);
                self.single_quoted(text, indent, wrap);
                self.indicator("'", false);
            }
            Style::DoubleQuoted => {
                self.indicator("\"", true);
                self.double_quoted(text, indent, wrap);
                self.indicator("\"", false);
            }
            Style::Literal => self.literal(text, indent),
        }
    }

    fn plain(&mut self, text: &str) {
        self.indicator(text, true);
    }

    /// Writes plain text, broken at single spaces once the line is long.
    fn words(&mut self, text: &str, indent: isize, wrap: bool, push: fn(&mut Self, char)) {
        if !self.spaced {
            self.put(" ");
        }
        self.wrapped(text, indent, wrap, push);
        self.spaced = false;
        self.fresh = false;
    }

    fn wrapped(&mut self, text: &str, indent: isize, wrap: bool, push: fn(&mut Self, char)) {
        let (mut after_space, mut after_break) = (false, false);
        let mut rest = text.chars();
        while let Some(character) = rest.next() {
            if is_break(character) {
                self.line_break(character.encode_utf8(&mut [0; 4]));
                after_break = true;
                continue;
            }
            if character != ' ' {
                if std::mem::take(&mut after_break) {
                    self.indent(indent);
                }
                push(self, character);
                self.fresh = false;
                after_space = false;
                continue;
            }
            let single = !after_space && !rest.as_str().starts_with(' ');
            let inside = rest.as_str().len() + 1 < text.len() && !rest.as_str().is_empty();
            if wrap && single && inside && self.column > WIDTH {
                self.indent(indent);
            } else {
                self.push(' ');
            }
            after_space = true;
        }
    }

    fn single_quoted(&mut self, text: &str, indent: isize, wrap: bool) {
        self.wrapped(text, indent, wrap, |writer, character| {
            if character == '\'' {
                writer.push('\'');
            }
            writer.push(character);
        });
    }

    fn double_quoted(&mut self, text: &str, indent: isize, wrap: bool) {
        // As upstream, whose test for the mark looks at the start of the text only.
        let escape_all = text.starts_with('\u{feff}');
        let mut after_space = false;
        for (at, character) in text.char_indices() {
            let rest = &text[at + character.len_utf8()..];
            let special = !is_printable(character) || is_break(character) || matches!(character, '"' | '\\');
            if special || escape_all {
                self.escape(character);
                after_space = false;
            } else if character == ' ' {
                if wrap && !after_space && self.column > WIDTH && at > 0 && !rest.is_empty() {
                    self.indent(indent);
                    if rest.starts_with(' ') {
                        self.push('\\');
                    }
                } else {
                    self.push(' ');
                }
                after_space = true;
            } else {
                self.push(character);
                after_space = false;
            }
        }
    }

    fn escape(&mut self, character: char) {
        let named = match character {
            '\0' => "\\0",
            '\u{7}' => "\\a",
            '\u{8}' => "\\b",
            '\t' => "\\t",
            '\n' => "\\n",
            '\u{b}' => "\\v",
            '\u{c}' => "\\f",
            '\r' => "\\r",
            '\u{1b}' => "\\e",
            '"' => "\\\"",
            '\\' => "\\\\",
            '\u{85}' => "\\N",
            '\u{a0}' => "\\_",
            '\u{2028}' => "\\L",
            '\u{2029}' => "\\P",
            _ => {
                let code = u32::from(character);
                let escaped = match code {
                    0..=0xff => format!("\\x{code:02X}"),
                    0x100..=0xffff => format!("\\u{code:04X}"),
                    _ => format!("\\U{code:08X}"),
                };
                self.put(&escaped);
                return;
            }
        };
        self.put(named);
    }

    fn literal(&mut self, text: &str, indent: isize) {
        self.indicator("|", true);
        if text.starts_with(' ') || text.starts_with(is_break) {
            self.put("2");
        }
        let mut ending = text.chars().rev();
        match (ending.next().is_some_and(is_break), ending.next()) {
            (false, _) => self.put("-"),
            (true, None) => self.put("+"),
            (true, Some(before)) if is_break(before) => self.put("+"),
            (true, Some(_)) => {}
        }
        self.line_break("\n");
        self.spaced = true;
        for character in text.chars() {
            if is_break(character) {
                self.line_break(character.encode_utf8(&mut [0; 4]));
            } else {
                if self.column == 0 && self.fresh {
                    self.indent(indent);
                }
                self.push(character);
                self.fresh = false;
            }
        }
    }

    /// Starts a line at this column, unless this one is just there.
    fn indent(&mut self, column: isize) {
        let column = usize::try_from(column).unwrap_or(0);
        if !self.fresh || self.column > column || (self.column == column && !self.spaced) {
            self.line_break("\n");
        }
        while self.column < column {
            self.push(' ');
        }
        self.spaced = true;
        self.fresh = true;
    }

    fn line_break(&mut self, text: &str) {
        self.out.push_str(text);
        self.column = 0;
        self.fresh = true;
    }

    fn line_break_if_needed(&mut self) {
        if self.column > 0 || !self.fresh {
            self.line_break("\n");
        }
    }

    /// `-`, `?` or `:` that others may follow on the same line.
    fn block_indicator(&mut self, text: &str) {
        if !self.spaced {
            self.put(" ");
        }
        self.put(text);
        self.spaced = false;
    }

    fn indicator(&mut self, text: &str, needs_space: bool) {
        if needs_space && !self.spaced {
            self.put(" ");
        }
        self.put(text);
        self.spaced = false;
        self.fresh = false;
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn push(&mut self, character: char) {
        self.out.push(character);
        self.column += 1;
    }
}

fn deeper(indent: isize) -> isize {
    if indent < 0 { 0 } else { indent + 2 }
}

fn deeper_in_flow(indent: isize) -> isize {
    if indent < 0 { 2 } else { indent + 2 }
}
