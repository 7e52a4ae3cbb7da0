//! The files that a loader may read, behind a trait: the caller decides whether they are on disk, in an
//! editor or in memory. Paths are text, separated by `/`.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// Read access to files.
pub trait Files {
    /// The content of a file.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// Reads a file into the buffer, unless `wanted` rejects its first bytes: then the rest need not be read,
    /// and the result is `false`.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn read_wanted(
        &self,
        path: &str,
        buffer: &mut Vec<u8>,
        wanted: &mut dyn FnMut(&[u8]) -> bool,
    ) -> io::Result<bool> {
        *buffer = self.read(path)?;
        Ok(wanted(buffer))
    }

    /// The entries of a directory, in any order.
    ///
    /// # Errors
    /// When the directory cannot be read.
    fn list(&self, path: &str) -> io::Result<Vec<Entry>>;

    /// Whether a file or directory exists.
    fn exists(&self, path: &str) -> bool;

    /// The canonical path of a directory, with all links resolved. `None` if the path has no other form, or
    /// does not exist.
    fn real(&self, path: &str) -> Option<String> {
        let _ = path;
        None
    }
}

/// An entry of a directory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The name without its directory.
    pub name: String,
    /// Whether it is a directory itself.
    pub directory: bool,
}

/// Files that exist only in memory.
#[derive(Debug, Clone, Default)]
pub struct MemoryFiles {
    files: BTreeMap<String, Vec<u8>>,
}

impl MemoryFiles {
    /// Adds or replaces a file.
    pub fn add(&mut self, path: impl Into<String>, content: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), content.into());
    }
}

impl<P: Into<String>, C: Into<Vec<u8>>> FromIterator<(P, C)> for MemoryFiles {
    fn from_iter<I: IntoIterator<Item = (P, C)>>(files: I) -> Self {
        let files = files
            .into_iter()
            .map(|(path, content)| (path.into(), content.into()));
        Self {
            files: files.collect(),
        }
    }
}

impl Files for MemoryFiles {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let content = self.files.get(path).cloned();
        content.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }

    fn list(&self, path: &str) -> io::Result<Vec<Entry>> {
        let mut entries = BTreeSet::new();
        let below = if path.is_empty() {
            String::new()
        } else {
            format!("{path}/")
        };
        for (file, _) in self.files.range(below.clone()..) {
            let Some(rest) = file.strip_prefix(&below) else {
                break;
            };
            let (name, directory) = rest
                .split_once('/')
                .map_or((rest, false), |(name, _)| (name, true));
            entries.insert(Entry {
                name: name.to_owned(),
                directory,
            });
        }
        if entries.is_empty() {
            Err(io::Error::from(io::ErrorKind::NotFound))
        } else {
            Ok(entries.into_iter().collect())
        }
    }

    fn exists(&self, path: &str) -> bool {
        self.files.contains_key(path) || self.list(path).is_ok()
    }
}
