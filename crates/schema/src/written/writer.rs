//! Writes words and texts. Knows no schema but for the names of types.

use crate::{Schema, TypeId, TypeName};

pub(super) struct Writer<'a> {
    schema: &'a Schema,
    /// Import path of the package that is written; names in it are written without.
    pub(super) package: &'a str,
    text: String,
}

impl<'a> Writer<'a> {
    pub(super) fn new(schema: &'a Schema, package: &'a str) -> Self {
        Self {
            schema,
            package,
            text: String::new(),
        }
    }

    /// Begins a line.
    pub(super) fn line(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push('\t');
    }

    /// A word without spaces.
    pub(super) fn word(&mut self, word: &str) {
        if !self.text.ends_with('\t') {
            self.text.push(' ');
        }
        self.text += word;
    }

    /// Any text, in quotes and on one line.
    pub(super) fn quoted(&mut self, text: &str) {
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

    pub(super) fn type_name(&self, id: TypeId) -> &'a TypeName {
        &self.schema.ty(id).name
    }

    pub(super) fn finish(self) -> String {
        self.text
    }
}
