//! Files as the editor shows them: open documents before what is on disk, and what was read before until it changes.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use kindsmith_go::package::{Entry, Files};

use crate::documents::Documents;

/// Contents and directories that were read, by path.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    contents: RefCell<HashMap<String, Arc<[u8]>>>,
    lists: RefCell<HashMap<String, Vec<Entry>>>,
    real: RefCell<HashMap<String, Option<String>>>,
}

impl Cache {
    /// Forgets a file and the directory it is in.
    pub(crate) fn forget(&self, path: &str) {
        self.contents.borrow_mut().remove(path);
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        self.lists.borrow_mut().remove(directory);
        self.real.borrow_mut().clear();
    }
}

/// Open documents over files.
pub(crate) struct Overlay<'w> {
    pub(crate) documents: &'w Documents,
    pub(crate) files: &'w dyn Files,
    pub(crate) cache: &'w Cache,
}

impl Files for Overlay<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if let Some(document) = self.documents.get(path) {
            return Ok(document.text.as_str().as_bytes().to_vec());
        }
        if let Some(known) = self.cache.contents.borrow().get(path) {
            return Ok(known.to_vec());
        }
        let bytes = self.files.read(path)?;
        self.cache
            .contents
            .borrow_mut()
            .insert(path.to_owned(), bytes.as_slice().into());
        Ok(bytes)
    }

    fn list(&self, path: &str) -> io::Result<Vec<Entry>> {
        let known = self.cache.lists.borrow().get(path).cloned();
        let mut entries = match known {
            Some(known) => known,
            None => {
                let entries = self.files.list(path)?;
                let mut lists = self.cache.lists.borrow_mut();
                lists.insert(path.to_owned(), entries.clone());
                entries
            }
        };
        // New files that were not saved yet.
        let opened = self.documents.paths().filter_map(|open| open.rsplit_once('/'));
        for (_, name) in opened.filter(|(directory, _)| *directory == path.trim_end_matches('/')) {
            if !entries.iter().any(|entry| entry.name == name) {
                entries.push(Entry {
                    name: name.to_owned(),
                    directory: false,
                });
            }
        }
        Ok(entries)
    }

    fn exists(&self, path: &str) -> bool {
        self.documents.get(path).is_some()
            || self.cache.contents.borrow().contains_key(path)
            || self.files.exists(path)
    }

    fn real(&self, path: &str) -> Option<String> {
        if let Some(known) = self.cache.real.borrow().get(path) {
            return known.clone();
        }
        let real = self.files.real(path);
        self.cache.real.borrow_mut().insert(path.to_owned(), real.clone());
        real
    }
}
