//! The words of function bodies. The reader of packages skips bodies, so it has no words for statements.
//!
//! Total: any text gives tokens; what is no Go becomes [`Token::Symbol`].

/// A word of Go with its line, from 1, and where it is in the text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    pub(super) token: Token,
    pub(super) line: u32,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Name(String),
    Int(i128),
    Text(String),
    /// A number with a fraction, or a character.
    Literal,
    /// Operators and punctuation.
    Symbol(&'static str),
    End,
}

/// Longest first.
const SYMBOLS: &[&str] = &[
    "&^=", "<<=", ">>=", "...", "&&", "||", "<-", "++", "--", "==", "!=", "<=", ">=", ":=", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=", "<<", ">>", "&^", "+", "-", "*", "/", "%", "&", "|", "^", "<", ">", "=",
    "!", "(", ")", "[", "]", "{", "}", ",", ";", ".", ":", "~",
];

/// The words of a text that begins at a line.
pub(super) fn words(text: &str, first_line: u32) -> Vec<Word> {
    let mut lexer = Lexer {
        length: text.len(),
        rest: text,
        line: first_line,
        words: Vec::new(),
    };
    while lexer.step() {}
    let line = lexer.line;
    lexer.words.push(Word {
        token: Token::End,
        line,
        start: text.len(),
        end: text.len(),
    });
    lexer.words
}

struct Lexer<'t> {
    length: usize,
    rest: &'t str,
    line: u32,
    words: Vec<Word>,
}

impl Lexer<'_> {
    fn push(&mut self, token: Token, length: usize) {
        let taken = &self.rest[..length];
        let lines = taken.matches('\n').count();
        let start = self.length - self.rest.len();
        self.words.push(Word {
            token,
            line: self.line,
            start,
            end: start + length,
        });
        self.line += u32::try_from(lines).unwrap_or_default();
        self.rest = &self.rest[length..];
    }

    fn skip(&mut self, length: usize) {
        let lines = self.rest[..length].matches('\n').count();
        self.line += u32::try_from(lines).unwrap_or_default();
        self.rest = &self.rest[length..];
    }

    /// A line break ends a statement after these.
    fn ends_statement(&self) -> bool {
        match self.words.last().map(|word| &word.token) {
            Some(Token::Name(name)) => !is_open_keyword(name),
            Some(Token::Int(_) | Token::Text(_) | Token::Literal) => true,
            Some(Token::Symbol(symbol)) => matches!(*symbol, ")" | "]" | "}" | "++" | "--"),
            _ => false,
        }
    }

    fn step(&mut self) -> bool {
        let rest = self.rest;
        let Some(first) = rest.chars().next() else {
            return false;
        };
        if first == '\n' {
            if self.ends_statement() {
                self.push(Token::Symbol(";"), 1);
            } else {
                self.skip(1);
            }
        } else if first.is_whitespace() {
            self.skip(first.len_utf8());
        } else if rest.starts_with("//") {
            self.skip(rest.find('\n').unwrap_or(rest.len()));
        } else if rest.starts_with("/*") {
            self.skip(rest.find("*/").map_or(rest.len(), |at| at + 2));
        } else if first == '"' || first == '\'' {
            let length = quoted(rest, first);
            let token = match first {
                '"' => {
                    let text = kindsmith_go::syntax::string_value(&rest[..length]);
                    Token::Text(text.unwrap_or_default().into_owned())
                }
                _ => Token::Literal,
            };
            self.push(token, length);
        } else if first == '`' {
            let length = rest[1..].find('`').map_or(rest.len(), |at| at + 2);
            self.push(Token::Text(rest[1..length.max(2) - 1].to_owned()), length);
        } else if first.is_ascii_digit() {
            let length = rest
                .find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.')
                .unwrap_or(rest.len());
            self.push(number(&rest[..length]), length);
        } else if first.is_alphabetic() || first == '_' {
            let length = rest
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(rest.len());
            self.push(Token::Name(rest[..length].to_owned()), length);
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            self.push(Token::Symbol(symbol), symbol.len());
        } else {
            self.skip(first.len_utf8());
        }
        true
    }
}

/// Keywords after which a statement goes on.
fn is_open_keyword(name: &str) -> bool {
    matches!(
        name,
        "if" | "for"
            | "switch"
            | "case"
            | "default"
            | "range"
            | "func"
            | "var"
            | "const"
            | "type"
            | "go"
            | "defer"
            | "else"
            | "select"
            | "map"
            | "struct"
            | "interface"
            | "chan"
            | "goto"
            | "package"
            | "import"
    )
}

fn number(text: &str) -> Token {
    let plain = text.replace('_', "");
    let parsed = match plain.get(..2) {
        Some("0x" | "0X") => i128::from_str_radix(&plain[2..], 16).ok(),
        Some("0b" | "0B") => i128::from_str_radix(&plain[2..], 2).ok(),
        Some("0o" | "0O") => i128::from_str_radix(&plain[2..], 8).ok(),
        _ => plain.parse().ok(),
    };
    parsed.map_or(Token::Literal, Token::Int)
}

/// The length of a quoted text.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}
