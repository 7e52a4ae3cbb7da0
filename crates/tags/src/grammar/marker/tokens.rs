//! The tokens of Go's `text/scanner`, with the settings that controller-gen uses for marker arguments.
//!
//! Knows no marker. Positions are byte offsets into the text; errors are collected, not returned.

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    End,
    Ident,
    Int,
    Float,
    Text,
    RawText,
    Char(char),
}

/// What is wrong with the arguments of a marker, where help depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// There is no such argument.
    UnknownArgument,
    /// There is more text than the arguments take.
    ExtraArguments,
    /// Something else.
    Other,
}

/// An error, with the offset of its token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Complaint {
    pub(super) fault: Fault,
    pub(super) message: String,
    /// `None` when nothing was scanned yet in an empty text.
    pub(super) at: Option<usize>,
    /// Offset just past the token.
    pub(super) end: usize,
}

/// Reads tokens from a text.
#[derive(Debug)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    /// Offset of the next unread character.
    next: usize,
    token: (usize, usize),
    scanned: bool,
    /// Whether digits form numbers; bare text turns that off.
    pub(super) numbers: bool,
    pub(super) complaints: Vec<Complaint>,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            next: 0,
            token: (0, 0),
            scanned: false,
            numbers: true,
            complaints: Vec::new(),
        }
    }

    /// The unread text.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.next..]
    }

    /// The next character, if there is one.
    pub(super) fn peek(&self) -> Option<char> {
        match self.text.as_bytes().get(self.next) {
            Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
            _ => self.rest().chars().next(),
        }
    }

    /// Skips white space and returns the next character.
    pub(super) fn peek_past_space(&mut self) -> Option<char> {
        self.skip_space();
        self.peek()
    }

    /// Offset of the last token.
    pub(super) fn token_start(&self) -> usize {
        self.token.0
    }

    /// Offset just past the last token.
    pub(super) fn token_end(&self) -> usize {
        self.token.1
    }

    /// Text of the last token.
    pub(super) fn token_text(&self) -> &'a str {
        &self.text[self.token.0..self.token.1]
    }

    /// The text from the last token on.
    pub(super) fn rest_from_token(&self) -> &'a str {
        &self.text[self.token.0..]
    }

    /// A part of the text.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        &self.text[start..end.max(start)]
    }

    /// Records an error about the last token.
    pub(super) fn complain(&mut self, message: impl Into<String>) {
        self.complain_of(Fault::Other, message.into());
    }

    /// Like `complain`, with what is wrong.
    pub(super) fn complain_of(&mut self, fault: Fault, message: String) {
        // Go shows no position before the first character of an empty text.
        let at = (self.scanned && !self.text.is_empty()).then_some(self.token.0);
        self.complaints.push(Complaint {
            fault,
            message,
            at,
            end: self.token.1.max(self.token.0),
        });
    }

    /// Scans the next token.
    pub(super) fn scan(&mut self) -> Token {
        self.skip_space();
        self.scanned = true;
        self.token = (self.next, self.next);
        let Some(first) = self.peek() else {
            return Token::End;
        };
        let token = match first {
            _ if is_letter(first) => self.ident(),
            '0'..='9' if self.numbers => self.number(false),
            '"' => self.quoted(),
            '`' => self.raw(),
            '.' => self.dot(),
            _ => {
                self.advance();
                Token::Char(first)
            }
        };
        self.token.1 = self.next;
        token
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t' | '\r' | '\n')) {
            self.advance();
        }
    }

    fn advance(&mut self) -> Option<char> {
        self.next += self.peek().map_or(0, char::len_utf8);
        self.peek()
    }

    fn complain_here(&mut self, message: impl Into<String>) {
        self.token.1 = self.next;
        self.complain(message);
    }

    fn ident(&mut self) -> Token {
        loop {
            self.next += self.ahead(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if !self.peek().is_some_and(|c| is_letter(c) || c.is_numeric()) {
                return Token::Ident;
            }
            self.advance();
        }
    }

    /// How many bytes from the next one on pass a test.
    fn ahead(&self, test: impl Fn(u8) -> bool) -> usize {
        let rest = &self.text.as_bytes()[self.next..];
        rest.iter().position(|byte| !test(*byte)).unwrap_or(rest.len())
    }

    fn dot(&mut self) -> Token {
        match self.advance() {
            Some('0'..='9') if self.numbers => self.number(true),
            _ => Token::Char('.'),
        }
    }

    fn quoted(&mut self) -> Token {
        self.advance();
        loop {
            // None of these bytes is part of another character.
            self.next += self.ahead(|byte| !matches!(byte, b'\n' | b'"' | b'\\'));
            match self.peek() {
                Some('"') => {
                    self.advance();
                    return Token::Text;
                }
                Some('\\') => {
                    if !self.escape() {
                        self.complain_here("invalid char escape");
                    }
                }
                _ => {
                    self.complain_here("literal not terminated");
                    return Token::Text;
                }
            }
        }
    }

    /// Scans an escape; returns whether it is valid in Go.
    fn escape(&mut self) -> bool {
        let digits = match self.advance() {
            Some('a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' | '\\' | '"') => {
                self.advance();
                return true;
            }
            Some('0'..='7') => return self.take_digits(3, 8),
            Some('x') => 2,
            Some('u') => 4,
            Some('U') => 8,
            _ => return false,
        };
        self.advance();
        self.take_digits(digits, 16)
    }

    fn take_digits(&mut self, count: usize, radix: u32) -> bool {
        (0..count).all(|_| {
            let is_digit = self.peek().is_some_and(|c| c.is_digit(radix));
            if is_digit {
                self.advance();
            }
            is_digit
        })
    }

    fn raw(&mut self) -> Token {
        self.advance();
        self.next += self.ahead(|byte| byte != b'`');
        if self.peek().is_none() {
            self.complain_here("literal not terminated");
        }
        self.advance();
        Token::RawText
    }

    fn number(&mut self, after_dot: bool) -> Token {
        let (mut radix, mut name) = (10, "decimal literal");
        let mut leading_zero = false;
        if !after_dot && self.peek() == Some('0') {
            (radix, name) = match self.advance().map(|c| c.to_ascii_lowercase()) {
                Some('x') => (16, "hexadecimal literal"),
                Some('o') => (8, "octal literal"),
                Some('b') => (2, "binary literal"),
                _ => (8, "octal literal"),
            };
            leading_zero = !matches!(self.peek(), Some('x' | 'X' | 'o' | 'O' | 'b' | 'B'));
            if !leading_zero {
                self.advance();
            }
        }
        let mut digits = Digits::default();
        let mut is_float = after_dot;
        if !after_dot {
            self.digits(radix, &mut digits);
            if self.peek() == Some('.') {
                self.advance();
                is_float = true;
            }
        }
        if is_float {
            self.digits(radix, &mut digits);
        }
        if !digits.any && !leading_zero {
            self.complain_here(format!("{name} has no digits"));
        }
        is_float |= self.exponent(radix, leading_zero, is_float);
        if !is_float && let Some(invalid) = digits.invalid {
            self.complain_here(format!("invalid digit {invalid:?} in {name}"));
        }
        if is_float { Token::Float } else { Token::Int }
    }

    /// Scans an exponent; returns whether there was one.
    fn exponent(&mut self, radix: u32, leading_zero: bool, is_float: bool) -> bool {
        let prefixed = radix != 10 && !leading_zero;
        let Some(letter @ ('e' | 'E' | 'p' | 'P')) = self.peek() else {
            if radix == 16 && is_float {
                self.complain_here("hexadecimal mantissa requires a 'p' exponent");
            }
            return false;
        };
        match letter.to_ascii_lowercase() {
            'e' if prefixed => self.complain_here(format!("{letter:?} exponent requires decimal mantissa")),
            'p' if radix != 16 => {
                self.complain_here(format!("{letter:?} exponent requires hexadecimal mantissa"));
            }
            _ => {}
        }
        if matches!(self.advance(), Some('+' | '-')) {
            self.advance();
        }
        let mut digits = Digits::default();
        self.digits(10, &mut digits);
        if !digits.any {
            self.complain_here("exponent has no digits");
        }
        true
    }

    fn digits(&mut self, radix: u32, digits: &mut Digits) {
        // In a literal of radix 10 or less, digits that are too big still belong to it and are reported.
        let alphabet = radix.max(10);
        while let Some(digit) = self.peek().filter(|&c| c == '_' || c.is_digit(alphabet)) {
            if digit != '_' {
                digits.any = true;
                if !digit.is_digit(radix) {
                    digits.invalid.get_or_insert(digit);
                }
            }
            self.advance();
        }
    }
}

#[derive(Default)]
struct Digits {
    any: bool,
    invalid: Option<char>,
}

fn is_letter(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(Token, &str)], complaints: &[&str]) {
        let mut scanner = Scanner::new(text);
        let mut tokens = Vec::new();
        loop {
            let token = scanner.scan();
            if token == Token::End {
                break;
            }
            tokens.push((token, scanner.token_text()));
        }
        assert_eq!(tokens, expected, "{text}");
        let said: Vec<_> = scanner.complaints.iter().map(|c| c.message.as_str()).collect();
        assert_eq!(said, complaints, "{text}");
    }

    #[test]
    fn tokens_are_go_tokens() {
        check("a1 _b", &[(Token::Ident, "a1"), (Token::Ident, "_b")], &[]);
        check("-1.5e3", &[(Token::Char('-'), "-"), (Token::Float, "1.5e3")], &[]);
        check(".5", &[(Token::Float, ".5")], &[]);
        check("100Mi", &[(Token::Int, "100"), (Token::Ident, "Mi")], &[]);
        check(
            r#""a\"b";`c`"#,
            &[
                (Token::Text, r#""a\"b""#),
                (Token::Char(';'), ";"),
                (Token::RawText, "`c`"),
            ],
            &[],
        );
        check("0x1F 0b1", &[(Token::Int, "0x1F"), (Token::Int, "0b1")], &[]);
    }

    #[test]
    fn bad_literals_are_reported() {
        check("\"a", &[(Token::Text, "\"a")], &["literal not terminated"]);
        check("`a", &[(Token::RawText, "`a")], &["literal not terminated"]);
        check(r#""\d""#, &[(Token::Text, r#""\d""#)], &["invalid char escape"]);
        check(
            "087",
            &[(Token::Int, "087")],
            &["invalid digit '8' in octal literal"],
        );
        check("1e", &[(Token::Float, "1e")], &["exponent has no digits"]);
        check(
            "0x",
            &[(Token::Int, "0x")],
            &["hexadecimal literal has no digits"],
        );
    }
}
