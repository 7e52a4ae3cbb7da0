//! The format language of `string.format`: clauses like `%d` and `%.2f` (cel-go `ext/formatting.go`, version 2).
//!
//! Shared by the validator, which knows types, and the function, which knows values.

use crate::syntax::ast::ExprId;

/// The type of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Clause {
    String,
    Decimal,
    Fixed(Option<i64>),
    Scientific(Option<i64>),
    Binary,
    Hex { upper: bool },
    Octal,
}

impl Clause {
    /// The error for an argument whose type the clause does not accept.
    pub fn refuses(self, ty: &str) -> String {
        let what = match self {
            Clause::String => {
                "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps"
            }
            Clause::Decimal => "decimal clause can only be used on integers",
            Clause::Fixed(_) => "fixed-point clause can only be used on doubles",
            Clause::Scientific(_) => "scientific clause can only be used on doubles",
            Clause::Binary => "only integers and bools can be formatted as binary",
            Clause::Hex { .. } => "only integers, byte buffers, and strings can be formatted as hex",
            Clause::Octal => "octal clause can only be used on integers",
        };
        format!("{what}, was given {ty}")
    }
}

/// Why formatting failed, and the argument that caused it, if known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct FormatError {
    pub at: Option<ExprId>,
    pub message: String,
}

impl FormatError {
    /// An error about the format string itself.
    pub fn new(message: impl Into<String>) -> FormatError {
        FormatError {
            at: None,
            message: message.into(),
        }
    }

    fn within(self, context: &str) -> FormatError {
        FormatError {
            message: format!("{context}: {}", self.message),
            ..self
        }
    }
}

/// Replaces the clauses of `format`: `arg` fetches an argument by its position, `print` renders it.
pub(crate) fn interpolate<A>(
    format: &str,
    size: usize,
    mut arg: impl FnMut(usize) -> Result<A, FormatError>,
    mut print: impl FnMut(Clause, A) -> Result<String, FormatError>,
) -> Result<String, FormatError> {
    let bytes = format.as_bytes();
    let (mut out, mut at, mut index) = (String::new(), 0, 0);
    while at < bytes.len() {
        let Some(percent) = format[at..].find('%') else {
            out.push_str(&format[at..]);
            break;
        };
        out.push_str(&format[at..at + percent]);
        at += percent + 1;
        if bytes.get(at) == Some(&b'%') {
            out.push('%');
            at += 1;
            continue;
        }
        let value = arg(index)?;
        if at >= bytes.len() {
            return Err(FormatError::new("unexpected end of string"));
        }
        if index >= size {
            return Err(FormatError::new(format!("index {index} out of range")));
        }
        let (read, clause) =
            clause(&bytes[at..]).map_err(|error| error.within("could not parse formatting clause"))?;
        out.push_str(&print(clause, value).map_err(|error| error.within("error during formatting"))?);
        at += read;
        index += 1;
    }
    Ok(out)
}

fn clause(text: &[u8]) -> Result<(usize, Clause), FormatError> {
    let (read, precision) = precision(text).map_err(|error| error.within("error while parsing precision"))?;
    let letter = text[read];
    let clause = match letter {
        b's' => Clause::String,
        b'd' => Clause::Decimal,
        b'f' => Clause::Fixed(precision),
        b'e' => Clause::Scientific(precision),
        b'b' => Clause::Binary,
        b'x' | b'X' => Clause::Hex {
            upper: letter == b'X',
        },
        b'o' => Clause::Octal,
        // cel-go takes each byte for a code point.
        _ => {
            return Err(FormatError::new(format!(
                "unrecognized formatting clause \"{}\"",
                letter as char
            )));
        }
    };
    Ok((read + 1, clause))
}

fn precision(text: &[u8]) -> Result<(usize, Option<i64>), FormatError> {
    if text[0] != b'.' {
        return Ok((0, None));
    }
    let digits = text[1..].iter().take_while(|b| b.is_ascii_digit()).count();
    if digits + 1 >= text.len() {
        return Err(FormatError::new("could not find end of precision specifier"));
    }
    let digits = String::from_utf8_lossy(&text[1..=digits]).into_owned();
    match kindsmith_gostd::strconv::atoi(&digits) {
        Ok(precision) => Ok((digits.len() + 1, Some(precision))),
        Err(error) => Err(FormatError::new(format!(
            "error while converting precision to integer: {error}"
        ))),
    }
}
