//! Writes words and texts. Knows no schema but for the names of types.

use crate::{TypeId, TypeName};

pub(crate) struct Writer<'a> {
    name_of: &'a dyn Fn(TypeId) -> &'a TypeName,
    /// Import path of the package that is written; names in it are written without.
    pub(crate) package: &'a str,
    text: String,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(name_of: &'a dyn Fn(TypeId) -> &'a TypeName, package: &'a str) -> Self {
        Self {
            name_of,
            package,
            text: String::new(),
        }
    }

    /// Begins a line.
    pub(crate) fn line(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push('\t');
    }

    /// A word without spaces.
    pub(crate) fn word(&mut self, word: &str) {
        if !self.text.ends_with('\t') {
            self.text.push(' ');
        }
        self.text += word;
    }

    /// Any text, in quotes and on one line.
    pub(crate) fn quoted(&mut self, text: &str) {
        self.word("\"");
        for c in text.chars() {
            match c {
                '\n' => self.text += "\\n",
                '"' => self.text += "\\\"",
                '\\' => self.text += "\\\\",
                c => self.text.push(c),
            }
        }
        self.text.push('"');
    }

    pub(crate) fn type_name(&self, id: TypeId) -> &'a TypeName {
        (self.name_of)(id)
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }
}
