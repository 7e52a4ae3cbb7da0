//! Writing of migrated files: all or none.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::error::Error;

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
