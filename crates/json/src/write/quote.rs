//! Go-quoted strings, as `%q` and `strconv.Quote` print them in error texts.

use std::fmt::Write;

/// Quotes text like Go's `strconv.Quote`.
#[must_use]
pub fn go_quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        push(&mut quoted, character);
    }
    quoted.push('"');
    quoted
}

fn push(quoted: &mut String, character: char) {
    match character {
        '"' => quoted.push_str("\\\""),
        '\\' => quoted.push_str("\\\\"),
        '\u{7}' => quoted.push_str("\\a"),
        '\u{8}' => quoted.push_str("\\b"),
        '\u{c}' => quoted.push_str("\\f"),
        '\n' => quoted.push_str("\\n"),
        '\r' => quoted.push_str("\\r"),
        '\t' => quoted.push_str("\\t"),
        '\u{b}' => quoted.push_str("\\v"),
        ' '..='~' => quoted.push(character),
        '\0'..='\u{7f}' => push_code(quoted, 'x', 2, character),
        _ if is_print(character) => quoted.push(character),
        '\u{80}'..='\u{ffff}' => push_code(quoted, 'u', 4, character),
        _ => push_code(quoted, 'U', 8, character),
    }
}

fn push_code(quoted: &mut String, letter: char, width: usize, character: char) {
    write!(quoted, "\\{letter}{:0width$x}", u32::from(character)).expect("a string takes everything");
}

/// Letters, marks, numbers, punctuation and symbols are printable; controls, formats and spaces are not
/// (`strconv.IsPrint`).
fn is_print(character: char) -> bool {
    // The standard library has the table, but exposes it only through this escape. The letter in front
    // prevents combining marks, which are printable, from being escaped at the start of the text.
    let mut text = String::from("a");
    text.push(character);
    text.escape_debug().nth(1) == Some(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Each printed by Go's strconv.Quote.
    #[test]
    fn quotes_as_go_does() {
        let cases = [
            ("plain", "\"plain\""),
            ("a\"b\\c", r#""a\"b\\c""#),
            ("\u{7}\u{8}\u{c}\n\r\t\u{b}", r#""\a\b\f\n\r\t\v""#),
            ("\0\u{1f}\u{7f}", r#""\x00\x1f\x7f""#),
            ("é世\u{301}", "\"é世\u{301}\""),
            (
                "\u{80}\u{a0}\u{ad}\u{2028}\u{feff}",
                r#""\u0080\u00a0\u00ad\u2028\ufeff""#,
            ),
            ("\u{fffd}\u{1f600}\u{e0001}", "\"\u{fffd}\u{1f600}\\U000e0001\""),
        ];
        for (text, quoted) in cases {
            assert_eq!(go_quote(text), quoted);
        }
    }
}
