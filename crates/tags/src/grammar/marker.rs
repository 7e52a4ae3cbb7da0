//! The arguments of controller-gen's markers: `+path:to:name=value` and `+path:to:name:arg=value,arg=value`.
//!
//! Same values and errors as controller-tools `pkg/markers/parse.go`. Knows no marker and no schema.

mod guess;
mod read;
mod tokens;
mod value_type;
mod values;
mod word;

use std::borrow::Cow;

use kindsmith_gostd::quote::quote;

use read::{expect, value};
pub use tokens::Fault;
use tokens::{Complaint, Scanner, Token};
pub use values::{MarkerValue, MarkerValues};

/// The arguments that a marker takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arguments {
    /// None.
    None,
    /// One without a name.
    One(ArgumentType),
    /// One without a name, optional.
    OneOptional(ArgumentType),
    /// Named ones.
    Named(&'static [Argument]),
    /// Everything after the first `=`, unparsed.
    Raw,
}

/// A named argument of a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Argument {
    /// Name.
    pub name: &'static str,
    /// Type of its value.
    pub ty: ArgumentType,
    /// Whether it is optional.
    pub optional: bool,
}

impl Argument {
    /// A required argument.
    #[must_use]
    pub const fn needed(name: &'static str, ty: ArgumentType) -> Self {
        Self {
            name,
            ty,
            optional: false,
        }
    }

    /// An optional argument.
    #[must_use]
    pub const fn optional(name: &'static str, ty: ArgumentType) -> Self {
        Self {
            name,
            ty,
            optional: true,
        }
    }
}

/// The type of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentType {
    /// An integer.
    Int,
    /// Any number.
    Number,
    /// Text: quoted, or bare up to a separator.
    Text,
    /// `true` or `false`.
    Bool,
    /// Guessed from the value.
    Any,
    /// A list of text: `a;b` or `{a,b}`.
    Texts,
    /// A list of guessed values.
    Anys,
}

/// An error in the arguments of a marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkerError {
    /// What is wrong.
    pub fault: Fault,
    /// controller-gen's message, without the position.
    pub message: String,
    /// Its position as controller-gen prints it, `<input>:1:5`.
    pub at: String,
    /// The wrong bytes, relative to the text of the arguments.
    pub range: (usize, usize),
}

impl MarkerError {
    /// The message with its position, as controller-gen prints it.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{} (at {})", self.message, self.at)
    }
}

/// The parts of a marker: name with and without its last segment, and the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarkerParts<'a> {
    /// Everything before the first `=`.
    pub full_name: &'a str,
    /// `full_name` without its last `:` segment, which may be the name of the first argument; equal to
    /// `full_name` when there is no `=`.
    pub short_name: &'a str,
    /// Everything after the first `=`.
    pub rest: &'a str,
    /// Offset of `rest` in the marker's text (without the `+`).
    pub rest_at: usize,
}

/// Splits a marker without its `+`.
#[must_use]
pub fn split(text: &str) -> MarkerParts<'_> {
    let Some((full_name, rest)) = text.split_once('=') else {
        return MarkerParts {
            full_name: text,
            short_name: text,
            rest: "",
            rest_at: text.len(),
        };
    };
    MarkerParts {
        full_name,
        short_name: full_name.rsplit_once(':').map_or(full_name, |(short, _)| short),
        rest,
        rest_at: full_name.len() + 1,
    }
}

/// Parses the arguments of a marker.
///
/// Offsets in errors are relative to the text that controller-gen parses: the part after the name and its `:`
/// or `=`.
pub fn parse(arguments: Arguments, parts: MarkerParts<'_>) -> Result<MarkerValues, Vec<MarkerError>> {
    // When splitting, the name of the first argument counts as part of the marker's name.
    let joined = match arguments {
        Arguments::Named(_) if parts.full_name.len() > parts.short_name.len() => {
            let argument = &parts.full_name[parts.short_name.len() + 1..];
            Cow::Owned([argument, "=", parts.rest].concat())
        }
        _ => Cow::Borrowed(parts.rest),
    };
    let mut reader = Reader {
        scanner: Scanner::new(&joined),
        values: MarkerValues::default(),
    };
    reader.read(arguments);
    if reader.scanner.complaints.is_empty() {
        return Ok(reader.values);
    }
    let complaints = std::mem::take(&mut reader.scanner.complaints);
    Err(complaints
        .into_iter()
        .map(|complaint| error(complaint, &joined))
        .collect())
}

fn error(complaint: Complaint, text: &str) -> MarkerError {
    let at = complaint.at.map_or_else(
        || "<input>".to_owned(),
        |offset| format!("<input>:1:{}", text[..offset].chars().count() + 1),
    );
    MarkerError {
        fault: complaint.fault,
        message: complaint.message,
        at,
        range: (complaint.at.unwrap_or(0), complaint.end),
    }
}

struct Reader<'a> {
    scanner: Scanner<'a>,
    values: MarkerValues,
}

impl Reader<'_> {
    fn read(&mut self, arguments: Arguments) {
        match arguments {
            Arguments::Raw => {
                let raw = self.scanner.rest().to_owned();
                self.values.0.push(("", MarkerValue::Text(raw)));
                return;
            }
            Arguments::One(ty) | Arguments::OneOptional(ty) if self.scanner.peek().is_some() => {
                let value = value(&mut self.scanner, &ty.into(), false, 0);
                self.values
                    .0
                    .push(("", value.unwrap_or(MarkerValue::Text(String::new()))));
            }
            Arguments::Named(known) if self.scanner.peek().is_some() => self.named(known),
            _ => {}
        }
        if self.scanner.scan() != Token::End {
            let rest = self.scanner.rest_from_token();
            let message = format!("extra arguments provided: {}", quote(rest));
            self.scanner.complain_of(Fault::ExtraArguments, message);
        }
        self.missing(arguments);
    }

    fn named(&mut self, known: &'static [Argument]) {
        while expect(&mut self.scanner, Token::Ident, "argument name") {
            let name = self.scanner.token_text();
            if !expect(&mut self.scanner, Token::Char('='), "equals") {
                return;
            }
            let Some(argument) = known.iter().find(|argument| argument.name == name) else {
                let message = format!("unknown argument {}", quote(name));
                self.scanner.complain_of(Fault::UnknownArgument, message);
                return;
            };
            let value = value(&mut self.scanner, &argument.ty.into(), false, 0);
            self.values
                .0
                .push((argument.name, value.unwrap_or(MarkerValue::Text(String::new()))));
            if !self.scanner.complaints.is_empty() || self.scanner.peek().is_none() {
                return;
            }
            if !expect(&mut self.scanner, Token::Char(','), "comma") {
                return;
            }
        }
    }

    fn missing(&mut self, arguments: Arguments) {
        let names: Vec<&str> = match arguments {
            Arguments::One(_) => vec![""],
            Arguments::Named(known) => known
                .iter()
                .filter(|argument| !argument.optional)
                .map(|argument| argument.name)
                .collect(),
            _ => Vec::new(),
        };
        for name in names {
            if self.values.get(name).is_none() {
                self.scanner.complain(format!("missing argument {}", quote(name)));
            }
        }
    }
}

#[cfg(test)]
mod tests;
