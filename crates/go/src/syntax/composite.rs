//! Composite literals in Go, such as `common.OpenAPIDefinition{Schema: …}`, as JSON: structs by the names of
//! their fields, maps by their keys, pointers as their targets. Types are skipped, so nothing is checked
//! against them.

use kindsmith_schema::Json;
use kindsmith_source::Span;

use super::ast::File;
use super::lexer::Lexer;
use super::literal::string_value;
use super::token::{Kind, Token};

/// Values nested deeper are not read.
const MAX_DEPTH: usize = 100;

/// Functions that return a pointer to their argument (`k8s.io/utils/ptr`, `k8s.io/utils/pointer`), and
/// conversions.
const SAME: [&str; 18] = [
    "To",
    "Bool",
    "String",
    "Int",
    "Int32",
    "Int64",
    "Float64",
    "BoolPtr",
    "StringPtr",
    "Int32Ptr",
    "Int64Ptr",
    "Float64Ptr",
    "bool",
    "string",
    "int",
    "int32",
    "int64",
    "float64",
];

/// Resolves names in a value, which depend on the package: qualifier and name.
type Constants<'c> = dyn FnMut(Option<&str>, &str) -> Option<Json> + 'c;

/// The value of an expression; `None` if it contains more than literals, constants and pointers.
pub(crate) fn composite(file: &File, span: Span, constants: &mut Constants<'_>) -> Option<Json> {
    let mut lexer = Lexer::new(span.file, file.text(span), 0);
    let token = lexer.next();
    let mut reader = Reader {
        lexer,
        token,
        constants,
        depth: 0,
    };
    let mut text = String::new();
    reader.value(&mut text)?;
    reader.eat(Kind::Semicolon);
    let is_whole = reader.at(Kind::End);
    is_whole.then(|| Json::parse(&text).ok())?
}

struct Reader<'a, 'c, 'f> {
    lexer: Lexer<'a>,
    token: Token,
    constants: &'c mut Constants<'f>,
    depth: usize,
}

/// The meaning of the keys of a literal.
#[derive(Clone, Copy, PartialEq)]
enum Keys {
    Fields,
    Values,
}

impl<'a> Reader<'a, '_, '_> {
    fn at(&self, kind: Kind) -> bool {
        self.token.kind == kind
    }

    fn bump(&mut self) -> &'a str {
        let text = self.lexer.text;
        let passed = &text[self.token.start as usize..self.token.end as usize];
        self.token = self.lexer.next();
        passed
    }

    fn eat(&mut self, kind: Kind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: Kind) -> Option<()> {
        self.eat(kind).then_some(())
    }

    /// Appends a value: one operand, or concatenated strings.
    fn value(&mut self, text: &mut String) -> Option<()> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let start = text.len();
        self.operand(text)?;
        while self.eat(Kind::Plus) {
            let mut right = String::new();
            self.operand(&mut right)?;
            let both = text.get(start..)?.strip_suffix('"')?.to_owned() + right.strip_prefix('"')?;
            text.truncate(start);
            text.push_str(&both);
        }
        self.depth -= 1;
        Some(())
    }

    fn operand(&mut self, text: &mut String) -> Option<()> {
        match self.token.kind {
            Kind::String => text.push_str(Json::from(&*string_value(self.bump())?).as_str()),
            Kind::Int => text.push_str(Json::int(integer(self.bump())?).as_str()),
            Kind::Float => text.push_str(Json::from(self.bump().parse::<f64>().ok()?).as_str()),
            Kind::Minus => {
                self.bump();
                text.push('-');
                matches!(self.token.kind, Kind::Int | Kind::Float).then(|| self.operand(text))??;
            }
            Kind::And => {
                self.bump();
                self.value(text)?;
            }
            Kind::OpenParen => {
                self.bump();
                self.value(text)?;
                self.expect(Kind::CloseParen)?;
            }
            Kind::OpenBrace => self.elements(Keys::Fields, text)?,
            Kind::Ident => self.named(text)?,
            Kind::OpenBracket | Kind::Map => {
                let keys = if self.at(Kind::Map) {
                    Keys::Values
                } else {
                    Keys::Fields
                };
                self.ty()?;
                if self.at(Kind::OpenParen) {
                    self.argument(text)?;
                } else {
                    self.elements(keys, text)?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// A value that begins with a name: a struct, a call, a constant.
    fn named(&mut self, text: &mut String) -> Option<()> {
        let first = self.bump();
        let second = if self.eat(Kind::Dot) {
            if !self.at(Kind::Ident) {
                return None;
            }
            Some(self.bump())
        } else {
            None
        };
        let name = second.unwrap_or(first);
        if self.eat(Kind::OpenBracket) {
            self.ty()?;
            self.expect(Kind::CloseBracket)?;
        }
        match (self.token.kind, first) {
            (Kind::OpenBrace, _) => self.elements(Keys::Fields, text),
            (Kind::OpenParen, _) if name == "MustCreateRef" => {
                text.push_str("{\"$ref\":");
                self.argument(text)?;
                text.push('}');
                Some(())
            }
            (Kind::OpenParen, _) => SAME.contains(&name).then(|| self.argument(text))?,
            (_, "true" | "false") => {
                text.push_str(first);
                Some(())
            }
            (_, "nil") => {
                text.push_str("null");
                Some(())
            }
            _ => {
                let constant = (self.constants)(second.map(|_| first), name)?;
                text.push_str(constant.as_str());
                Some(())
            }
        }
    }

    fn argument(&mut self, text: &mut String) -> Option<()> {
        self.expect(Kind::OpenParen)?;
        self.value(text)?;
        self.eat(Kind::Comma);
        self.expect(Kind::CloseParen)
    }

    /// The elements between braces: an object if they have keys, otherwise a list.
    fn elements(&mut self, keys: Keys, text: &mut String) -> Option<()> {
        self.expect(Kind::OpenBrace)?;
        let start = text.len();
        text.push('[');
        let mut keyed = keys == Keys::Values;
        while !self.eat(Kind::CloseBrace) {
            if text.len() > start + 1 {
                text.push(',');
            }
            keyed |= self.element(keys, text)?;
            if !self.eat(Kind::Comma) && !self.at(Kind::CloseBrace) {
                return None;
            }
        }
        let (open, close) = if keyed { ("{", '}') } else { ("[", ']') };
        text.replace_range(start..=start, open);
        text.push(close);
        Some(())
    }

    /// Whether the element has a key.
    fn element(&mut self, keys: Keys, text: &mut String) -> Option<bool> {
        let (mark, token) = (self.lexer.mark(), self.token);
        if self.at(Kind::Ident) && keys == Keys::Fields {
            let name = self.bump();
            if self.eat(Kind::Colon) {
                text.push_str(Json::from(name).as_str());
                text.push(':');
                self.value(text)?;
                return Some(true);
            }
            self.lexer.reset(mark);
            self.token = token;
        }
        self.value(text)?;
        let has_key = self.eat(Kind::Colon);
        if has_key {
            text.push(':');
            self.value(text)?;
        }
        Some(has_key)
    }

    /// Skips a type.
    fn ty(&mut self) -> Option<()> {
        loop {
            match self.token.kind {
                Kind::Star => {
                    self.bump();
                }
                Kind::OpenBracket => {
                    self.bump();
                    if !self.at(Kind::CloseBracket) {
                        self.bump();
                    }
                    self.expect(Kind::CloseBracket)?;
                }
                Kind::Map => {
                    self.bump();
                    self.expect(Kind::OpenBracket)?;
                    self.name()?;
                    self.expect(Kind::CloseBracket)?;
                }
                Kind::Interface => {
                    self.bump();
                    self.expect(Kind::OpenBrace)?;
                    return self.expect(Kind::CloseBrace);
                }
                _ => return self.name(),
            }
        }
    }

    fn name(&mut self) -> Option<()> {
        self.expect(Kind::Ident)?;
        if self.eat(Kind::Dot) {
            self.expect(Kind::Ident)
        } else {
            Some(())
        }
    }
}

/// A decimal number; others do not occur in definitions.
fn integer(text: &str) -> Option<i128> {
    let is_decimal = text == "0" || !text.starts_with('0');
    is_decimal.then(|| text.replace('_', "").parse().ok())?
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use kindsmith_source::SourceMap;

    use super::*;
    use crate::syntax::parse;

    /// The value that a function returns, with `Word` and `lib.Word` as constants.
    fn read(value: &str) -> Option<String> {
        let text: Arc<str> = format!("package p\n\nfunc f() T {{\n\treturn {value}\n}}\n").into();
        let file = parse(SourceMap::default().add("p.go", Arc::clone(&text)), &text);
        let span = file.funcs.first()?.returns?;
        let found = composite(&file, span, &mut |qualifier, name| match (qualifier, name) {
            (None | Some("lib"), "Word") => Some(Json::from("word")),
            _ => None,
        });
        found.map(|json| json.to_string())
    }

    #[test]
    fn values_become_json() {
        for (value, json) in [
            (r#""a" + `b\`"#, r#""ab\\""#),
            ("T{}", "[]"),
            ("map[string]T{}", "{}"),
            (r#"[]string{"a", Word, lib.Word}"#, r#"["a","word","word"]"#),
            (
                "lib.T{A: 1, B: -1.5, C: &lib.U{D: true}, E: nil}",
                r#"{"A":1,"B":-1.5,"C":{"D":true},"E":null}"#,
            ),
            (
                "T{A: ptr.To[int64](3), B: ptr.To(3.5), C: int64(4)}",
                r#"{"A":3,"B":3.5,"C":4}"#,
            ),
            (
                r#"map[string]lib.T{"x": {A: 1}, Word: {}}"#,
                r#"{"x":{"A":1},"word":[]}"#,
            ),
            (
                r#"[]map[string][]interface{}{{"a": {1, "b"}}}"#,
                r#"[{"a":[1,"b"]}]"#,
            ),
            (
                r##"T{Ref: spec.MustCreateRef("#/x")}"##,
                r##"{"Ref":{"$ref":"#/x"}}"##,
            ),
            (
                "T{\n\t\tA: (1),\n\t\t// why\n\t\tB: [2]int{1, 2},\n\t}",
                r#"{"A":1,"B":[1,2]}"#,
            ),
        ] {
            assert_eq!(read(value).as_deref(), Some(json), "{value}");
        }
    }

    #[test]
    fn values_that_would_have_to_be_run_are_not_read() {
        for value in [
            "make(T)",
            "T{A: other}",
            "T{A: f()}",
            "a + 1",
            "T{A: 0x10}",
            "func() T { return T{} }()",
            "x[1]",
        ] {
            assert_eq!(read(value), None, "{value}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        let deep = format!("{}1{}", "T{A: ".repeat(5000), "}".repeat(5000));
        assert_eq!(read(&deep), None);
    }
}
