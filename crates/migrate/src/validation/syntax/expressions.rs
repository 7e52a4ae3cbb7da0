//! Expressions. Types are read as far as literals and conversions need them.

use super::{Call, Expr, MAX_HEIGHT, Parser};
use crate::validation::token::Token;

impl Parser {
    pub(super) fn list(&mut self) -> Vec<Expr> {
        let mut made = vec![self.expr()];
        while self.eat(",") {
            made.push(self.expr());
        }
        made
    }

    pub(super) fn expr(&mut self) -> Expr {
        if self.is_too_deep() {
            self.skip_statement();
            self.height = 0;
            return Expr::Other;
        }
        self.depth += 1;
        let made = self.binary(1);
        self.depth -= 1;
        self.highest = self.highest.max(self.height);
        made
    }

    /// An expression made of others, the highest of which has this height.
    fn above(&mut self, height: usize, made: impl FnOnce() -> Expr) -> Expr {
        if height >= MAX_HEIGHT {
            self.too_deep = self.too_deep.or(Some(self.line()));
            self.height = 0;
            return Expr::Other;
        }
        self.height = height + 1;
        made()
    }

    fn binary(&mut self, floor: u8) -> Expr {
        let mut left = self.unary();
        while let Token::Symbol(symbol) = self.token() {
            let symbol = *symbol;
            let strength = match symbol {
                "||" => 1,
                "&&" => 2,
                "==" | "!=" | "<" | "<=" | ">" | ">=" => 3,
                "+" | "-" | "|" | "^" => 4,
                "*" | "/" | "%" | "<<" | ">>" | "&" | "&^" => 5,
                _ => return left,
            };
            if strength < floor {
                return left;
            }
            self.at += 1;
            let height = self.height;
            let right = self.binary(strength + 1);
            let height = height.max(self.height);
            left = self.above(height, || Expr::Binary(symbol, Box::new(left), Box::new(right)));
        }
        left
    }

    fn unary(&mut self) -> Expr {
        let Token::Symbol(symbol) = self.token() else {
            return self.primary();
        };
        let symbol = *symbol;
        if matches!(symbol, "!" | "-" | "+" | "^" | "&" | "*" | "<-") {
            self.at += 1;
            if self.is_too_deep() {
                self.height = 0;
                return Expr::Other;
            }
            self.depth += 1;
            let inner = self.unary();
            self.depth -= 1;
            return self.above(self.height, || Expr::Unary(symbol, Box::new(inner)));
        }
        self.primary()
    }

    /// Where the call is that began at a word and has just ended.
    fn call_from(&self, first: usize, line: u32) -> Call {
        let start = self.words.get(first).map_or(0, |word| word.start);
        let end = self
            .words
            .get(self.at.saturating_sub(1))
            .map_or(start, |word| word.end);
        Call {
            line,
            start: self.offset + start,
            end: self.offset + end,
        }
    }

    fn primary(&mut self) -> Expr {
        let first = self.at;
        let mut made = self.operand();
        loop {
            let line = self.line();
            if self.eat(".") {
                match self.name() {
                    Some(name) => made = self.above(self.height, || Expr::Select(Box::new(made), name)),
                    None => {
                        if self.eat("(") {
                            self.skip_to_close();
                            self.eat(")");
                        }
                        made = Expr::Other;
                    }
                }
            } else if self.eat("(") {
                let height = self.height;
                let args = self.inside(")");
                let (height, at) = (height.max(self.height), self.call_from(first, line));
                made = self.above(height, || Expr::Call {
                    callee: Box::new(made),
                    args,
                    at,
                });
            } else if self.eat("[") {
                let height = self.height;
                let mut index = self.inside("]");
                let height = height.max(self.height);
                let only = index.pop().filter(|_| index.is_empty());
                made = self.above(height, || match only {
                    Some(only) => Expr::Index(Box::new(made), Box::new(only)),
                    None => made,
                });
            } else if self.is("{") && !self.no_literal && is_type(&made) {
                self.at += 1;
                made = self.literal();
            } else {
                return made;
            }
        }
    }

    /// The values of a literal, after its opening bracket.
    fn literal(&mut self) -> Expr {
        if self.is_too_deep() {
            self.skip_to_close();
            self.eat("}");
            self.height = 0;
            return Expr::Other;
        }
        self.depth += 1;
        let values = self.inside("}");
        self.depth -= 1;
        self.above(self.height, || Expr::Literal(values))
    }

    /// Expressions up to a closing bracket. Keys of literals are left out.
    fn inside(&mut self, close: &str) -> Vec<Expr> {
        let before = std::mem::take(&mut self.no_literal);
        let mut made = Vec::new();
        let mut height = 0;
        while !self.at_end() && !self.is(close) {
            let start = self.at;
            let mut one = if self.is("{") {
                self.at += 1;
                self.literal()
            } else {
                self.expr()
            };
            height = height.max(self.height);
            if self.eat(":") {
                if self.is(close) {
                    one = Expr::Other;
                } else if self.is("{") {
                    self.at += 1;
                    // The keys of `map[string]struct{}{a: {}}` are its values.
                    one = match self.literal() {
                        Expr::Literal(values) if values.is_empty() => one,
                        literal => literal,
                    };
                } else {
                    one = self.expr();
                }
            }
            height = height.max(self.height);
            made.push(one);
            self.eat("...");
            self.eat(",");
            self.eat(";");
            if self.at == start {
                self.at += 1;
            }
        }
        self.eat(close);
        self.no_literal = before;
        self.height = height;
        made
    }

    fn operand(&mut self) -> Expr {
        self.height = 0;
        let token = self.token().clone();
        match token {
            Token::Int(value) => {
                self.at += 1;
                Expr::Int(value)
            }
            Token::Text(text) => {
                self.at += 1;
                Expr::Text(text)
            }
            Token::Literal => {
                self.at += 1;
                Expr::Other
            }
            Token::Name(name) => match name.as_str() {
                "func" => self.function(),
                "map" | "struct" | "interface" | "chan" => {
                    self.at += 1;
                    self.spelled_type()
                }
                _ => {
                    self.at += 1;
                    Expr::Name(name)
                }
            },
            Token::Symbol("(") => {
                self.at += 1;
                let mut inner = self.inside(")");
                inner.pop().filter(|_| inner.is_empty()).unwrap_or(Expr::Other)
            }
            Token::Symbol("[") => self.spelled_type(),
            _ => Expr::Other,
        }
    }

    /// `[]T`, `map[K]V`, `struct{}` and the like; a literal may follow.
    fn spelled_type(&mut self) -> Expr {
        loop {
            if self.eat("[") {
                self.skip_to_close();
                self.eat("]");
            } else if self.eat("*") || self.eat(".") {
            } else if self.is_word("struct") || self.is_word("interface") {
                self.at += 1;
                if self.eat("{") {
                    self.skip_to_close();
                    self.eat("}");
                }
            } else if matches!(self.token(), Token::Name(_)) {
                self.at += 1;
            } else {
                break;
            }
        }
        if self.is("{") && !self.no_literal {
            self.at += 1;
            return self.literal();
        }
        // A conversion such as `[]string(x)`.
        Expr::Other
    }

    fn function(&mut self) -> Expr {
        self.at += 1;
        let mut params = Vec::new();
        if self.eat("(") {
            let mut first = true;
            while !self.at_end() && !self.is(")") {
                if first && let Some(name) = self.name() {
                    params.push(name);
                }
                first = self.eat(",");
                if !first && !self.is(")") {
                    if self.is("{") || self.is("(") || self.is("[") {
                        self.at += 1;
                        self.skip_to_close();
                    }
                    self.at += 1;
                }
            }
            self.eat(")");
        }
        while !self.at_end() && !self.is("{") && !self.is(";") && !self.is(",") && !self.is(")") {
            if self.is("(") || self.is("[") {
                self.at += 1;
                self.skip_to_close();
            }
            self.at += 1;
        }
        let before = std::mem::take(&mut self.highest);
        let body = self.block();
        let height = std::mem::replace(&mut self.highest, before);
        self.above(height, || Expr::Func { params, body })
    }
}

/// Whether a literal may follow.
fn is_type(expr: &Expr) -> bool {
    match expr {
        Expr::Name(_) => true,
        Expr::Select(of, _) => matches!(**of, Expr::Name(_)),
        Expr::Index(of, _) => is_type(of),
        _ => false,
    }
}
