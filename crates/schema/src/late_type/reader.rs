//! Reads words and texts. Knows no schema but for the numbers of types.

use std::borrow::Cow;

use crate::{TypeId, TypeName};

pub(crate) struct Reader<'a> {
    rest: &'a str,
    /// Import path of the package that is read.
    pub(crate) package: &'a str,
    /// The type that is read, if it is one.
    name: &'a str,
    find: &'a dyn Fn(&str, &str) -> Option<TypeId>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(
        text: &'a str,
        (package, name): (&'a str, &'a str),
        find: &'a dyn Fn(&str, &str) -> Option<TypeId>,
    ) -> Self {
        Self {
            rest: text,
            package,
            name,
            find,
        }
    }

    /// The next word.
    pub(crate) fn word(&mut self) -> Option<&'a str> {
        self.skip();
        let end = self.rest.bytes().position(|byte| byte <= b' ');
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    /// Whether the next word is this one, which is then read.
    pub(crate) fn is_next(&mut self, word: &str) -> bool {
        self.skip();
        let Some(rest) = self.rest.strip_prefix(word) else {
            return false;
        };
        let ends = rest.bytes().next().is_none_or(|byte| byte <= b' ');
        if ends {
            self.rest = rest;
        }
        ends
    }

    /// The next text in quotes.
    pub(crate) fn quoted(&mut self) -> Option<Cow<'a, str>> {
        self.skip();
        let text = self.rest.strip_prefix('"')?;
        let is_special = |byte: u8| byte == b'"' || byte == b'\\';
        let mut at = text.bytes().position(is_special)?;
        if text.as_bytes()[at] == b'"' {
            self.rest = &text[at + 1..];
            return Some(Cow::Borrowed(&text[..at]));
        }
        let (mut plain, mut from) = (String::new(), 0);
        loop {
            plain += &text[from..at];
            if text.as_bytes()[at] == b'"' {
                self.rest = &text[at + 1..];
                return Some(Cow::Owned(plain));
            }
            let escaped = text[at + 1..].chars().next()?;
            plain.push(if escaped == 'n' { '\n' } else { escaped });
            from = at + 1 + escaped.len_utf8();
            at = from + text[from..].bytes().position(is_special)?;
        }
    }

    /// The name of the type that is read.
    pub(crate) fn name(&self) -> TypeName {
        TypeName::new(self.package, self.name)
    }

    pub(crate) fn type_id(&self, package: &str, name: &str) -> Option<TypeId> {
        (self.find)(package, name)
    }

    fn skip(&mut self) {
        let blank = self.rest.bytes().position(|byte| byte > b' ');
        self.rest = &self.rest[blank.unwrap_or(self.rest.len())..];
    }
}
