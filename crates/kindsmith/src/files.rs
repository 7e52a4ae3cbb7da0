//! Files that may hold manifests.

#![allow(
    clippy::disallowed_methods,
    reason = "the one place of the façade that reads files"
)]

use std::io;
use std::path::{Path, PathBuf};

/// All YAML and JSON files at or below a path, sorted by name; hidden directories are skipped. If the path is a file,
/// only that file.
///
/// # Errors
///
/// If the path or a directory below it cannot be read; the message names it.
pub fn manifests(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    find(path, &mut files)?;
    Ok(files)
}

/// All other files below a directory: those that are not manifests by their names. Hidden files are left out.
///
/// # Errors
///
/// If a directory cannot be read; the message names it.
pub fn others(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    if path.is_dir() {
        walk(path, &mut |file, is_manifest| {
            let is_hidden = file
                .file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with('.'));
            if !is_manifest && !is_hidden {
                files.push(file);
            }
        })?;
    }
    Ok(files)
}

/// The same files with their content.
///
/// # Errors
///
/// If a path cannot be read or is not UTF-8; the message names it.
pub fn read(path: &Path) -> io::Result<Vec<(String, String)>> {
    let read = |file: PathBuf| {
        let name = file.display().to_string();
        match std::fs::read_to_string(&file) {
            Ok(text) => Ok((name, text)),
            Err(error) => Err(io::Error::new(error.kind(), format!("{name}: {error}"))),
        }
    };
    manifests(path)?.into_iter().map(read).collect()
}

/// Whether a name is that of a manifest: it ends in `.yaml`, `.yml` or `.json`, in any case.
#[must_use]
pub fn is_manifest(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    ["yaml", "yml", "json"]
        .iter()
        .any(|known| ending.eq_ignore_ascii_case(known))
}

fn find(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    if !std::fs::metadata(path).map_err(named)?.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    walk(path, &mut |file, is_manifest| {
        if is_manifest {
            files.push(file);
        }
    })
}

/// Visits all files below a directory, sorted by name, with whether they are manifests by their names. Links to directories are visited
/// like files that are none, not followed: they may lead back, or out to everything else.
fn walk(path: &Path, visit: &mut dyn FnMut(PathBuf, bool)) -> io::Result<()> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let mut below = std::fs::read_dir(path)
        .map_err(named)?
        .map(|entry| entry.and_then(|entry| Ok((entry.path(), entry.file_type()?.is_dir()))))
        .collect::<io::Result<Vec<(PathBuf, bool)>>>()
        .map_err(named)?;
    below.sort();
    for (path, is_directory) in below {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_manifest = is_manifest(&path) && !path.is_dir();
        if !is_directory {
            visit(path, is_manifest);
        } else if !name.starts_with('.') {
            walk(&path, visit)?;
        }
    }
    Ok(())
}
