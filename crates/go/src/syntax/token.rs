//! The tokens of Go. Knows no grammar.

/// Kinds of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// End of the file.
    End,
    /// Invalid bytes; a diagnostic says why.
    Error,
    /// A name.
    Ident,
    /// An integer literal.
    Int,
    /// A floating-point literal.
    Float,
    /// An imaginary literal.
    Imaginary,
    /// A rune literal.
    Char,
    /// A string literal, interpreted or raw.
    String,
    /// `break`, `continue` or `fallthrough`, after which a line break ends the statement.
    Leave,
    /// A keyword that only occurs inside functions.
    Statement,
    /// `chan`
    Chan,
    /// `const`
    Const,
    /// `func`
    Func,
    /// `import`
    Import,
    /// `interface`
    Interface,
    /// `map`
    Map,
    /// `package`
    Package,
    /// `return`
    Return,
    /// `struct`
    Struct,
    /// `type`
    Type,
    /// `var`
    Var,
    /// `(`
    OpenParen,
    /// `)`
    CloseParen,
    /// `[`
    OpenBracket,
    /// `]`
    CloseBracket,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
    /// `,`
    Comma,
    /// `;`, written or implied by a line break
    Semicolon,
    /// `:`
    Colon,
    /// `.`
    Dot,
    /// `...`
    Ellipsis,
    /// `=`
    Assign,
    /// `:=`
    Define,
    /// `+=` and similar
    OpAssign,
    /// `++` or `--`
    Step,
    /// `<-`
    Arrow,
    /// `~`
    Tilde,
    /// `!`
    Not,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Star,
    /// `/`
    Slash,
    /// `%`
    Percent,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Caret,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `&^`
    AndNot,
    /// `&&`
    AndAnd,
    /// `||`
    OrOr,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

/// One token: its kind, place and the number of comments before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: Kind,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset just past the last byte. An implied semicolon is empty.
    pub end: u32,
    /// Line of the first byte, from 1.
    pub line: u32,
    /// The number of comment groups that begin before this token.
    pub groups: u32,
}

impl Kind {
    /// Whether a line break after this token ends the statement. After an error it does, to limit the damage.
    #[must_use]
    pub(crate) fn ends_line(self) -> bool {
        matches!(
            self,
            Self::Error
                | Self::Ident
                | Self::Int
                | Self::Float
                | Self::Imaginary
                | Self::Char
                | Self::String
                | Self::Leave
                | Self::Return
                | Self::Step
                | Self::CloseParen
                | Self::CloseBracket
                | Self::CloseBrace
        )
    }

    /// Whether a top-level declaration starts with this token.
    #[must_use]
    pub(crate) fn starts_declaration(self) -> bool {
        matches!(
            self,
            Self::Import | Self::Const | Self::Type | Self::Var | Self::Func
        )
    }

    /// The keyword of a word, otherwise a name.
    #[must_use]
    pub(crate) fn of_word(word: &[u8]) -> Self {
        // Most words of an API file are names, and exported names start with a capital.
        if !(2..=11).contains(&word.len()) || !word[0].is_ascii_lowercase() {
            return Self::Ident;
        }
        match word {
            b"break" | b"continue" | b"fallthrough" => Self::Leave,
            b"case" | b"default" | b"defer" | b"else" | b"for" | b"go" | b"goto" | b"if" | b"range"
            | b"select" | b"switch" => Self::Statement,
            b"chan" => Self::Chan,
            b"const" => Self::Const,
            b"func" => Self::Func,
            b"import" => Self::Import,
            b"interface" => Self::Interface,
            b"map" => Self::Map,
            b"package" => Self::Package,
            b"return" => Self::Return,
            b"struct" => Self::Struct,
            b"type" => Self::Type,
            b"var" => Self::Var,
            _ => Self::Ident,
        }
    }

    /// The token's name in messages.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Self::End => "end of file",
            Self::Error => "unknown text",
            Self::Ident => "name",
            Self::Int | Self::Float | Self::Imaginary => "number",
            Self::Char => "rune",
            Self::String => "string",
            Self::Leave | Self::Statement => "keyword",
            Self::Chan => "`chan`",
            Self::Const => "`const`",
            Self::Func => "`func`",
            Self::Import => "`import`",
            Self::Interface => "`interface`",
            Self::Map => "`map`",
            Self::Package => "`package`",
            Self::Return => "`return`",
            Self::Struct => "`struct`",
            Self::Type => "`type`",
            Self::Var => "`var`",
            Self::OpenParen => "`(`",
            Self::CloseParen => "`)`",
            Self::OpenBracket => "`[`",
            Self::CloseBracket => "`]`",
            Self::OpenBrace => "`{`",
            Self::CloseBrace => "`}`",
            Self::Comma => "`,`",
            Self::Semicolon => "end of line",
            Self::Colon => "`:`",
            Self::Dot => "`.`",
            Self::Ellipsis => "`...`",
            Self::Assign => "`=`",
            _ => "operator",
        }
    }
}
