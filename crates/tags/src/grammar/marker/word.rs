//! Parses text, quoted or bare.

use kindsmith_gostd::quote::unquote;

use super::tokens::{Scanner, Token};

/// Parses text: a Go literal, or bare tokens up to a separator. `:` is a separator only for the keys of an
/// object.
pub(super) fn text(scanner: &mut Scanner<'_>, is_key: bool) -> Option<String> {
    scanner.numbers = false;
    let text = literal_or_bare(scanner, is_key);
    scanner.numbers = true;
    text
}

fn literal_or_bare(scanner: &mut Scanner<'_>, is_key: bool) -> Option<String> {
    if matches!(scanner.scan(), Token::Text | Token::RawText) {
        return match unquote(scanner.token_text()) {
            Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) => {
                scanner.complain(format!("unable to parse string: {error}"));
                None
            }
        };
    }
    let start = scanner.token_start();
    loop {
        match scanner.peek_past_space() {
            None | Some(',' | ';' | '}') => break,
            Some(':') if is_key => break,
            Some(_) => _ = scanner.scan(),
        }
    }
    Some(scanner.slice(start, scanner.token_end()).to_owned())
}
