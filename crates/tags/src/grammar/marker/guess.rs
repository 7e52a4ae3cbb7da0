//! Guesses the type of a value of any type from its spelling.
//!
//! Works on a scanner of its own, so guessing consumes nothing. Same guesses as controller-tools
//! `pkg/markers/parse.go`, `guessType`.

use super::tokens::{Scanner, Token};
use super::value_type::Type;
use super::word::text;

/// The maximum nesting of braces that a guess looks into.
const DEPTH: usize = 64;

/// The type of the value that `rest` begins with.
pub(super) fn guess(rest: &str, allow_list: bool, depth: usize) -> Type {
    let item = guess_one(rest, depth);
    if allow_list && is_legacy_list(rest) {
        return Type::List(Box::new(item));
    }
    item
}

/// Whether a `;` comes before the next `,`.
fn is_legacy_list(rest: &str) -> bool {
    let mut scanner = Scanner::new(rest);
    loop {
        match scanner.scan() {
            Token::Char(';') => return true,
            Token::Char(',') | Token::End => return false,
            _ => {}
        }
    }
}

fn guess_one(rest: &str, depth: usize) -> Type {
    let mut scanner = Scanner::new(rest);
    match scanner.peek_past_space() {
        Some('"' | '\'' | '`') => Type::Text,
        Some('{') if depth < DEPTH => braces(&mut scanner, depth),
        Some('t' | 'f') => {
            scanner.scan();
            if matches!(scanner.token_text(), "true" | "false") {
                Type::Bool
            } else {
                Type::Text
            }
        }
        _ => number(&mut scanner),
    }
}

fn braces(scanner: &mut Scanner<'_>, depth: usize) -> Type {
    scanner.scan();
    let is_empty = scanner.peek_past_space() == Some('}');
    let first = guess_one(scanner.rest(), depth + 1);
    if first == Type::Text {
        // Only a look ahead: errors are reported when the text is parsed.
        _ = text(scanner, true);
        if scanner.scan() == Token::Char(':') || is_empty {
            return Type::Object;
        }
    }
    Type::List(Box::new(first))
}

/// A number only if a separator follows: `100Mi` and `2024-01-15` are text.
fn number(scanner: &mut Scanner<'_>) -> Type {
    let mut token = scanner.scan();
    if token == Token::Char('-') {
        token = scanner.scan();
    }
    if !scanner.complaints.is_empty() || !matches!(scanner.peek_past_space(), None | Some(',' | ';' | '}')) {
        return Type::Text;
    }
    match token {
        Token::Int => Type::Int,
        Token::Float => Type::Number,
        _ => Type::Text,
    }
}
