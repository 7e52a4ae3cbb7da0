//! The grammar of `+k8s:` tags (gengo `codetags/parser.go`).
//!
//! ```text
//! tag     = name [ "(" [ arg { "," arg } [ "," ] ] ")" ] [ "=" ( "+" tag | scalar ) ] [ "#" comment ]
//! arg     = [ ident ":" ] scalar
//! scalar  = string | number | ident
//! ```
//!
//! A chain of tags is a list of [`Link`]s, not a nested value, so that no line can cause deep recursion.

use std::fmt;
use std::ops::Range;

use kindsmith_gostd::quote::quote;

use super::scanner::{Scanner, is_digit, is_ident_begin, is_ident_interior, is_name_interior};
pub use super::syntax_error::SyntaxError;

/// A parsed line: one tag, or several where each is the value of the one before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// The tags, outermost first; never empty.
    pub links: Vec<Link>,
}

/// One tag of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Name without the `+`.
    pub name: String,
    /// The place of the name, in bytes from the `+`.
    pub name_span: Range<usize>,
    /// Arguments in source order.
    pub args: Vec<Arg>,
    /// The value. The value of every link but the last is [`Value::Tag`].
    pub value: Value,
    /// The place of the value; empty at the end of the tag when there is none.
    pub value_span: Range<usize>,
}

/// An argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arg {
    /// Name; empty for a positional argument.
    pub name: String,
    /// Value.
    pub value: Scalar,
    /// The place of name and value.
    pub span: Range<usize>,
}

/// A literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scalar {
    /// A quoted string, or a bare word.
    Str(String),
    /// An integer as it was written.
    Int(String),
    /// `true` or `false`.
    Bool(bool),
}

/// The value of a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// There is no value.
    None,
    /// A literal.
    Scalar(Scalar),
    /// The next link of the chain.
    Tag,
    /// Everything after the `=`, verbatim.
    Raw(String),
}

/// How the value of a tag is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// As a literal or a tag.
    Typed,
    /// Verbatim.
    Raw,
}

/// Parses the text of a marker, without its `+`. Spans count from the first byte of `text`.
///
/// # Errors
/// When the line is not a valid tag.
pub fn parse(text: &str, mode: Mode) -> Result<Chain, SyntaxError> {
    let mut parser = Parser {
        scanner: Scanner::new(text.trim_end()),
        mode,
        links: Vec::new(),
        leaked: None,
    };
    while parser.tag()? {}
    Ok(Chain { links: parser.links })
}

struct Parser<'a> {
    scanner: Scanner<'a>,
    mode: Mode,
    links: Vec<Link>,
    /// The name of an argument without a value. The reference attaches it to the next argument it parses,
    /// even one of the next tag.
    leaked: Option<(String, usize)>,
}

impl Parser<'_> {
    /// Parses one tag; returns whether another one is chained to it.
    fn tag(&mut self) -> Result<bool, SyntaxError> {
        let start = self.scanner.byte();
        let name = match self.scanner.peek() {
            Some(c) if is_ident_begin(c) => self.scanner.ident(is_name_interior).to_owned(),
            Some(_) => return Err(self.scanner.unexpected()),
            None => return Err(self.end_of_input()),
        };
        let name_span = self.scanner.since(start);
        let mut args = Vec::new();
        let parenthesized = self.scanner.peek() == Some('(');
        if parenthesized {
            self.scanner.next();
            args = self.args()?;
        }
        let mut value = Value::None;
        let mut value_span = self.scanner.since(self.scanner.byte());
        let mut chained = false;
        if self.scanner.peek() == Some('=') {
            self.scanner.next();
            let start = self.scanner.byte();
            // Chained tags are checked before the value is parsed, because the order of errors depends on it.
            if self.mode == Mode::Typed && self.at_chained_tag() {
                check_mix(&args)?;
                self.scanner.next();
                value = Value::Tag;
                chained = true;
            } else {
                value = self.value(parenthesized)?;
            }
            value_span = self.scanner.since(start);
        }
        if !chained {
            self.end()?;
            check_mix(&args)?;
        }
        self.links.push(Link {
            name,
            name_span,
            args,
            value,
            value_span,
        });
        Ok(chained)
    }

    fn at_chained_tag(&self) -> bool {
        self.scanner.peek() == Some('+') && self.scanner.peek_second().is_some_and(is_ident_begin)
    }

    /// Only a comment may follow.
    fn end(&mut self) -> Result<(), SyntaxError> {
        if self.scanner.peek().is_none() || self.mode == Mode::Raw && self.scanner.rest().is_empty() {
            return Ok(());
        }
        if self.scanner.at_comment() {
            return Ok(());
        }
        Err(self.scanner.unexpected())
    }

    fn end_of_input(&self) -> SyntaxError {
        let at = self.scanner.byte();
        SyntaxError::new("unexpected end of input".to_owned(), at..at)
    }

    fn value(&mut self, parenthesized: bool) -> Result<Value, SyntaxError> {
        if self.mode == Mode::Raw {
            let rest = self.scanner.rest().to_owned();
            while self.scanner.next().is_some() {}
            return Ok(Value::Raw(rest));
        }
        match self.scanner.peek() {
            // To the reference, `name()=` is a tag without a value, and `name=` is an error.
            None if parenthesized => Ok(Value::None),
            None => Err(self.end_of_input()),
            Some(c) if starts_number(c) => {
                let number = self.scanner.number()?.to_owned();
                Ok(Value::Scalar(Scalar::Int(number)))
            }
            Some('"' | '`') => Ok(Value::Scalar(Scalar::Str(self.scanner.string()?))),
            Some(c) if is_ident_begin(c) => {
                Ok(Value::Scalar(Scalar::word(self.scanner.ident(is_ident_interior))))
            }
            Some(_) => Err(self.scanner.unexpected()),
        }
    }

    /// Parses arguments, including the closing parenthesis.
    fn args(&mut self) -> Result<Vec<Arg>, SyntaxError> {
        let mut args = Vec::new();
        loop {
            let start = self.scanner.byte();
            let value = match self.scanner.peek() {
                None => return Err(self.end_of_input()),
                Some(')') => {
                    self.scanner.next();
                    return Ok(args);
                }
                Some(c) if starts_number(c) => Scalar::Int(self.scanner.number()?.to_owned()),
                Some('"' | '`') => Scalar::Str(self.scanner.string()?),
                Some(c) if is_ident_begin(c) => {
                    let word = self.scanner.ident(is_ident_interior);
                    match self.scanner.peek() {
                        Some(',' | ')') => Scalar::word(word),
                        Some(':') => {
                            self.scanner.next();
                            self.scanner.skip_space();
                            self.leaked = Some((word.to_owned(), start));
                            continue;
                        }
                        None => return Err(self.end_of_input()),
                        Some(_) => return Err(self.scanner.unexpected()),
                    }
                }
                Some(_) => return Err(self.scanner.unexpected()),
            };
            let (name, name_start) = self.leaked.take().unwrap_or((String::new(), start));
            let span = self.scanner.since(name_start.min(start));
            args.push(Arg { name, value, span });
            match self.scanner.peek() {
                None => return Err(self.end_of_input()),
                Some(',') => {
                    self.scanner.next();
                    self.scanner.skip_space();
                }
                Some(')') => {}
                Some(_) => return Err(self.scanner.unexpected()),
            }
        }
    }
}

fn starts_number(c: char) -> bool {
    c == '-' || c == '+' || is_digit(c)
}

/// Either all arguments have names, or there is one without a name.
fn check_mix(args: &[Arg]) -> Result<(), SyntaxError> {
    let named = args.first().is_some_and(|arg| !arg.name.is_empty());
    if let Some(other) = args.iter().skip(1).find(|arg| arg.name.is_empty() == named) {
        let message = "can't mix named and positional arguments".to_owned();
        return Err(SyntaxError::new(message, other.span.clone()));
    }
    if let [first, .., last] = args
        && !named
    {
        let message = "multiple arguments must use 'name: value' syntax".to_owned();
        return Err(SyntaxError::new(message, first.span.start..last.span.end));
    }
    Ok(())
}

impl Chain {
    /// The outermost tag.
    #[must_use]
    pub fn first(&self) -> &Link {
        &self.links[0]
    }
}

impl Link {
    /// The positional argument.
    #[must_use]
    pub fn positional(&self) -> Option<&Arg> {
        self.args.first().filter(|arg| arg.name.is_empty())
    }

    /// The first argument with this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Arg> {
        self.args.iter().find(|arg| arg.name == name)
    }

    /// The value as text; empty if it is a tag or absent.
    #[must_use]
    pub fn text(&self) -> &str {
        match &self.value {
            Value::Scalar(scalar) => scalar.text(),
            Value::Raw(text) => text,
            Value::None | Value::Tag => "",
        }
    }
}

impl Scalar {
    fn word(text: &str) -> Self {
        match text {
            "true" => Self::Bool(true),
            "false" => Self::Bool(false),
            _ => Self::Str(text.to_owned()),
        }
    }

    /// The text, without quotes.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Str(text) | Self::Int(text) => text,
            Self::Bool(true) => "true",
            Self::Bool(false) => "false",
        }
    }

    /// The word messages use for the kind.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Str(_) => "string",
            Self::Int(_) => "int",
            Self::Bool(_) => "bool",
        }
    }
}

impl Value {
    /// The word messages use for the kind; empty when there is no value.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::None => "",
            Self::Scalar(scalar) => scalar.kind(),
            Self::Tag => "tag",
            Self::Raw(_) => "raw",
        }
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, link) in self.links.iter().enumerate() {
            if index > 0 {
                f.write_str("=+")?;
            }
            write!(f, "{link}")?;
        }
        Ok(())
    }
}

/// The canonical spelling of the tag, without chained tags.
impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (index, arg) in self.args.iter().enumerate() {
            write!(f, "{}{arg}", if index == 0 { "(" } else { ", " })?;
        }
        if !self.args.is_empty() {
            f.write_str(")")?;
        }
        match &self.value {
            Value::None | Value::Tag => Ok(()),
            Value::Scalar(scalar) => write!(f, "={scalar}"),
            Value::Raw(text) => write!(f, "={text}"),
        }
    }
}

impl fmt::Display for Arg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.name.is_empty() {
            write!(f, "{}: ", self.name)?;
        }
        write!(f, "{}", self.value)
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Str(text) => f.write_str(&quote(text)),
            Self::Int(text) => f.write_str(text),
            Self::Bool(value) => write!(f, "{value}"),
        }
    }
}

#[cfg(test)]
mod tests;
