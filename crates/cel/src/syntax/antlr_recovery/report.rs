//! The texts of syntax errors, and the limit on their number.

use super::graph::Set;
use super::input::Input;
use super::repair::{Cause, Repair};
use crate::syntax::error::Errors;
use crate::syntax::lexer::LexError;
use crate::syntax::source::{Location, Source};
use crate::syntax::token::Kind;

const MAX_REPORTS: usize = 100;

/// Stops parsing; reported errors are kept.
pub(super) struct Abort;

pub(super) type Step<T> = Result<T, Abort>;

pub(super) struct Reports<'s> {
    source: &'s Source,
    /// The lexer's errors that are not reported yet. ANTLR reads tokens on demand, so these errors are reported between
    /// those of the parser.
    lex_errors: &'s [LexError],
    reported: usize,
    pub(super) errors: Errors,
}

impl<'s> Reports<'s> {
    pub(super) fn new(source: &'s Source, lex_errors: &'s [LexError]) -> Reports<'s> {
        Reports {
            source,
            lex_errors,
            reported: 0,
            errors: Errors::default(),
        }
    }

    /// Reports an error of the parser and its repair.
    pub(super) fn trouble(
        &mut self,
        cause: Cause,
        repair: Repair,
        expected: Set,
        input: &Input<'_>,
    ) -> Step<()> {
        if let Cause::NoAlternative { failed } = cause {
            self.lexer_errors_before(input.offset(failed))?;
            return self.report(input.offset(failed), &no_alternative(input, failed));
        }
        let found = match input.kind() {
            Kind::Eof => "'<EOF>'".to_owned(),
            _ => quote(&input.text(input.at, input.at)),
        };
        let expected = list(expected);
        let text = match repair {
            Repair::DeleteToken | Repair::SkipTokens => {
                format!("extraneous input {found} expecting {expected}")
            }
            Repair::InsertToken => format!("missing {expected} at {found}"),
            Repair::LeaveRule => format!("mismatched input {found} expecting {expected}"),
        };
        self.report(input.offset(input.at), &text)
    }

    /// Reports the lexer's errors before an offset.
    pub(super) fn lexer_errors_before(&mut self, offset: u32) -> Step<()> {
        while let [error, rest @ ..] = self.lex_errors
            && error.start < offset
        {
            self.lex_errors = rest;
            self.report(error.start, &error.message)?;
        }
        Ok(())
    }

    pub(super) fn abort_at(&mut self, offset: u32, text: &str) -> Abort {
        self.report(offset, text).err().unwrap_or(Abort)
    }

    /// Stops with an error without a location.
    pub(super) fn abort(&mut self, text: &str) -> Abort {
        self.errors.report(Location::NONE, text);
        Abort
    }

    fn report(&mut self, offset: u32, text: &str) -> Step<()> {
        let location = self.source.location(offset);
        if self.reported == MAX_REPORTS {
            let text = format!("Syntax error: More than {MAX_REPORTS} syntax errors");
            self.errors.report(location, text);
            return Err(Abort);
        }
        self.reported += 1;
        self.errors.report(location, format!("Syntax error: {text}"));
        Ok(())
    }
}

fn no_alternative(input: &Input<'_>, failed: usize) -> String {
    let text = match input.kind() {
        Kind::Eof => "<EOF>".to_owned(),
        _ => input.text(input.at, failed),
    };
    match literal_word(&text) {
        Some(word) => format!("mismatched input '{word}' expecting IDENTIFIER"),
        None => format!("no viable alternative at input {}", quote(&text)),
    }
}

/// The word of `.true` and the like: cel-go has its own text for a literal in place of a name.
fn literal_word(text: &str) -> Option<&str> {
    let mut chars = text.chars();
    chars.next().filter(|c| *c != '\n')?;
    Some(chars.as_str()).filter(|word| matches!(*word, "true" | "false" | "null"))
}

fn quote(text: &str) -> String {
    let escaped = text
        .replace('\t', "\\t")
        .replace('\n', "\\n")
        .replace('\r', "\\r");
    format!("'{escaped}'")
}

fn list(set: Set) -> String {
    let names: Vec<&str> = names(set).collect();
    match names[..] {
        [only] => only.to_owned(),
        _ => format!("{{{}}}", names.join(", ")),
    }
}

/// The text of an inserted token.
pub(super) fn missing(set: Set) -> String {
    format!("<missing {}>", names(set).next().unwrap_or("undefined"))
}

fn names(set: Set) -> impl Iterator<Item = &'static str> {
    let named = NAMES.iter().enumerate();
    named
        .filter(move |(bit, _)| set & (1 << bit) != 0)
        .map(|(_, name)| *name)
}

/// The names of tokens in error texts, in their order.
#[rustfmt::skip]
const NAMES: [&str; 38] = [
    "<EOF>",
    "'=='", "'!='", "'in'", "'<'", "'<='", "'>='", "'>'", "'&&'", "'||'",
    "'['", "']'", "'{'", "'}'", "'('", "')'",
    "'.'", "','", "'-'", "'!'", "'?'", "':'", "'+'", "'*'", "'/'", "'%'",
    "'true'", "'false'", "'null'",
    "WHITESPACE", "COMMENT",
    "NUM_FLOAT", "NUM_INT", "NUM_UINT", "STRING", "BYTES", "IDENTIFIER", "ESC_IDENTIFIER",
];
