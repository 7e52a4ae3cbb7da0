//! Files of migrations: written all or none, or only read as if they were.

use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use kindsmith_go::package::{Entry, Files};

use crate::error::Error;
use crate::files::Disk;

/// Writes new files. A file that exists with another text is an error, unless it may be replaced; then nothing is written.
pub(super) fn write(files: &[(PathBuf, String)], replace: bool) -> Result<usize, Error> {
    let mut changed = Vec::new();
    for (path, text) in files {
        match std::fs::read(path) {
            Ok(old) if old == text.as_bytes() => {}
            Ok(_) if !replace => {
                let error = Error::input(format!("{} exists with another text", path.display()));
                return Err(error.hint("choose another directory, or replace files with `--force`"));
            }
            Ok(_) => changed.push((path, text)),
            Err(error) if error.kind() == ErrorKind::NotFound => changed.push((path, text)),
            Err(error) => return Err(Error::reading(path, &error)),
        }
    }
    for (path, text) in &changed {
        let directory = path.parent().unwrap_or(Path::new("."));
        let written = std::fs::create_dir_all(directory).and_then(|()| std::fs::write(path, text));
        written.map_err(|error| Error::environment(format!("cannot write {}: {error}", path.display())))?;
    }
    Ok(changed.len())
}

/// The disk, with other texts for some files.
pub(super) struct Overlay<'t>(pub(super) &'t HashMap<String, String>);

impl Files for Overlay<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        match self.0.get(path) {
            Some(text) => Ok(text.clone().into_bytes()),
            None => Disk.read(path),
        }
    }

    fn list(&self, path: &str) -> io::Result<Vec<Entry>> {
        Disk.list(path)
    }

    fn exists(&self, path: &str) -> bool {
        Disk.exists(path)
    }

    fn real(&self, path: &str) -> Option<String> {
        Disk.real(path)
    }
}
