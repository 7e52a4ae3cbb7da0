//! The documents that are open in the editor, by path.

use std::collections::HashMap;

use lsp_types::Uri;

use crate::text::Text;

/// An open document.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) text: Text,
}

/// The language of a document, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Go,
    Manifest,
    Other,
}

impl Language {
    pub(crate) fn of(path: &str) -> Self {
        match path.rsplit_once('.').map(|(_, end)| end) {
            Some("go") => Self::Go,
            Some("yaml" | "yml") => Self::Manifest,
            _ => Self::Other,
        }
    }
}

/// All open documents.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    by_path: HashMap<String, Document>,
}

impl Documents {
    pub(crate) fn get(&self, path: &str) -> Option<&Document> {
        self.by_path.get(path)
    }

    pub(crate) fn get_mut(&mut self, path: &str) -> Option<&mut Document> {
        self.by_path.get_mut(path)
    }

    pub(crate) fn insert(&mut self, path: String, document: Document) {
        self.by_path.insert(path, document);
    }

    pub(crate) fn remove(&mut self, path: &str) -> Option<Document> {
        self.by_path.remove(path)
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.by_path.keys().map(String::as_str)
    }
}
