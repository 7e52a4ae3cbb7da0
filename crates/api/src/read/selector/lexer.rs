//! The tokens of label selectors (`Lexer` in apimachinery's pkg/labels/selector.go). Knows no grammar.

/// The type of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// The end of the text.
    End,
    /// A key or a value.
    Identifier,
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `,`.
    Comma,
    /// `!`.
    Not,
    /// `=`.
    Equals,
    /// `==`.
    DoubleEquals,
    /// `!=`.
    NotEquals,
    /// `>`.
    Greater,
    /// `<`.
    Less,
    /// `in`.
    In,
    /// `notin`.
    NotIn,
}

/// All tokens of a text with their spelling; the last is [`Token::End`].
pub(super) fn words(text: &str) -> Vec<(Token, &str)> {
    let mut lexer = Lexer { text, at: 0 };
    let mut words = Vec::new();
    loop {
        let word = lexer.next();
        words.push(word);
        if word.0 == Token::End {
            return words;
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    fn next(&mut self) -> (Token, &'t str) {
        while self.peek().is_some_and(is_blank) {
            self.at += 1;
        }
        let start = self.at;
        match self.peek() {
            // A NUL ends the text, as in Kubernetes.
            None | Some(0) => (Token::End, ""),
            Some(byte) if is_special(byte) => {
                let token = self.special();
                (token, &self.text[start..self.at])
            }
            Some(_) => self.identifier(),
        }
    }

    /// The longest operator that starts here.
    fn special(&mut self) -> Token {
        let rest = &self.text.as_bytes()[self.at..];
        let double = match rest {
            [b'=', b'=', ..] => Some(Token::DoubleEquals),
            [b'!', b'=', ..] => Some(Token::NotEquals),
            _ => None,
        };
        self.at += if double.is_some() { 2 } else { 1 };
        double.unwrap_or(match rest.first() {
            Some(b'(') => Token::Open,
            Some(b')') => Token::Close,
            Some(b',') => Token::Comma,
            Some(b'!') => Token::Not,
            Some(b'>') => Token::Greater,
            Some(b'<') => Token::Less,
            _ => Token::Equals,
        })
    }

    fn identifier(&mut self) -> (Token, &'t str) {
        let start = self.at;
        while self
            .peek()
            .is_some_and(|byte| byte != 0 && !is_special(byte) && !is_blank(byte))
        {
            self.at += 1;
        }
        let text = &self.text[start..self.at];
        if self.peek() == Some(0) {
            self.at += 1;
        }
        match text {
            "in" => (Token::In, text),
            "notin" => (Token::NotIn, text),
            _ => (Token::Identifier, text),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn is_special(byte: u8) -> bool {
    matches!(byte, b'=' | b'!' | b'(' | b')' | b',' | b'>' | b'<')
}
