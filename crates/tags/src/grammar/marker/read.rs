//! Parses one value of a known type.

use kindsmith_gostd::quote::quote;
use kindsmith_gostd::strconv::{atoi, parse_f64};

use super::tokens::{Scanner, Token};
use super::value_type::Type;
use super::word::text;
use super::{MarkerValue, guess};

/// Deeper nesting of objects and lists is rejected; no real marker comes near it.
const DEPTH: usize = 64;

/// Consumes a token and reports an error if it is not the expected one.
pub(super) fn expect(scanner: &mut Scanner<'_>, expected: Token, what: &str) -> bool {
    if scanner.scan() == expected {
        return true;
    }
    let message = format!("expected {what}, got {}", quote(scanner.token_text()));
    scanner.complain(message);
    false
}

/// Parses a value; `None` after an error.
pub(super) fn value(
    scanner: &mut Scanner<'_>,
    ty: &Type,
    in_list: bool,
    depth: usize,
) -> Option<MarkerValue> {
    if depth > DEPTH {
        scanner.complain("too many levels");
        return None;
    }
    match ty {
        Type::Int => int(scanner),
        Type::Number => number(scanner),
        Type::Text => text(scanner, false).map(MarkerValue::Text),
        Type::Bool => boolean(scanner),
        Type::Any => {
            let guessed = guess::guess(scanner.rest(), !in_list, depth);
            value(scanner, &guessed, false, depth + 1)
        }
        Type::List(item) => list(scanner, item, depth),
        Type::Object => object(scanner, depth),
    }
}

fn negative(scanner: &mut Scanner<'_>) -> &'static str {
    if scanner.peek() == Some('-') {
        scanner.scan();
        "-"
    } else {
        ""
    }
}

fn number(scanner: &mut Scanner<'_>) -> Option<MarkerValue> {
    let sign = negative(scanner);
    if !matches!(scanner.scan(), Token::Int | Token::Float) {
        let message = format!("expected integer or float, got {}", quote(scanner.token_text()));
        scanner.complain(message);
        return None;
    }
    let text = format!("{sign}{}", scanner.token_text());
    match parse_f64(&text) {
        Ok(value) => Some(MarkerValue::Number(value)),
        Err(error) => {
            scanner.complain(format!("unable to parse number: {error}"));
            None
        }
    }
}

fn int(scanner: &mut Scanner<'_>) -> Option<MarkerValue> {
    let sign = negative(scanner);
    if !expect(scanner, Token::Int, "integer") {
        return None;
    }
    let text = format!("{sign}{}", scanner.token_text());
    match atoi(&text) {
        Ok(value) => Some(MarkerValue::Int(value)),
        Err(error) => {
            scanner.complain(format!("unable to parse integer: {error}"));
            None
        }
    }
}

fn boolean(scanner: &mut Scanner<'_>) -> Option<MarkerValue> {
    if !expect(scanner, Token::Ident, "true or false") {
        return None;
    }
    match scanner.token_text() {
        "true" => Some(MarkerValue::Bool(true)),
        "false" => Some(MarkerValue::Bool(false)),
        other => {
            let message = format!("expected true or false, got {}", quote(other));
            scanner.complain(message);
            None
        }
    }
}

fn list(scanner: &mut Scanner<'_>, item: &Type, depth: usize) -> Option<MarkerValue> {
    let mut items = Vec::new();
    if scanner.peek_past_space() != Some('{') {
        return legacy_list(scanner, item, depth);
    }
    scanner.scan();
    while !matches!(scanner.peek_past_space(), None | Some('}')) {
        items.extend(value(scanner, item, true, depth + 1));
        if scanner.peek_past_space() == Some('}') {
            break;
        }
        if !expect(scanner, Token::Char(','), "comma") {
            return None;
        }
    }
    expect(scanner, Token::Char('}'), "close curly brace").then_some(MarkerValue::List(items))
}

/// Parses `a;b;c`.
fn legacy_list(scanner: &mut Scanner<'_>, item: &Type, depth: usize) -> Option<MarkerValue> {
    let mut items = Vec::new();
    while !matches!(scanner.peek_past_space(), None | Some(',' | '}')) {
        items.extend(value(scanner, item, true, depth + 1));
        match scanner.peek_past_space() {
            None | Some(',' | '}') => break,
            Some(';') => _ = scanner.scan(),
            Some(_) => {
                scanner.scan();
                let message = format!("expected comma, got {}", quote(scanner.token_text()));
                scanner.complain(message);
                return None;
            }
        }
    }
    Some(MarkerValue::List(items))
}

fn object(scanner: &mut Scanner<'_>, depth: usize) -> Option<MarkerValue> {
    if !expect(scanner, Token::Char('{'), "open curly brace") {
        return None;
    }
    let mut members: Vec<(String, MarkerValue)> = Vec::new();
    while !matches!(scanner.peek_past_space(), None | Some('}')) {
        let key = text(scanner, true);
        if !expect(scanner, Token::Char(':'), "colon") {
            return None;
        }
        let value = value(scanner, &Type::Any, false, depth + 1);
        members.extend(key.zip(value));
        if scanner.peek_past_space() == Some('}') {
            break;
        }
        if !expect(scanner, Token::Char(','), "comma") {
            return None;
        }
    }
    expect(scanner, Token::Char('}'), "close curly brace").then_some(MarkerValue::Object(members))
}
