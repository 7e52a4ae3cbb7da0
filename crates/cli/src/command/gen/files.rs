//! Generated files: compared with those on disk, and written only if they differ.

use std::collections::HashSet;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::error::Error;

/// A generated file.
#[derive(Debug)]
pub(super) struct Artifact {
    pub(super) path: PathBuf,
    pub(super) text: String,
}

/// The result for one artifact.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) path: String,
    pub(super) state: State,
    /// The previous text, if it differed.
    pub(super) old: Option<String>,
}

/// How an artifact relates to the file on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Unchanged,
    Changed,
    New,
}

impl State {
    /// What was done to the file.
    pub(super) fn verb(self) -> &'static str {
        match self {
            Self::Unchanged => "kept",
            Self::Changed => "updated",
            Self::New => "created",
        }
    }

    /// The state in one word.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Changed => "changed",
            Self::New => "new",
        }
    }
}

/// Compares artifacts with the files on disk.
pub(super) fn compare(artifacts: &[Artifact]) -> Result<Vec<Change>, Error> {
    distinct(artifacts)?;
    artifacts.iter().map(change).collect()
}

/// Writes artifacts that differ from the files on disk: all of them, or none.
pub(super) fn write(artifacts: &[Artifact]) -> Result<Vec<Change>, Error> {
    let changes = compare(artifacts)?;
    let mut staged = Staged(Vec::new());
    let mut streams = Vec::new();
    for (artifact, change) in artifacts.iter().zip(&changes) {
        match change.state {
            State::Unchanged => {}
            _ if is_stream(&artifact.path) => streams.push(artifact),
            _ => staged.add(artifact)?,
        }
    }
    staged.commit()?;
    for stream in streams {
        let written = std::fs::OpenOptions::new().write(true).open(&stream.path);
        let written = written.and_then(|mut file| file.write_all(stream.text.as_bytes()));
        written.map_err(|error| refused(&stream.path, &error))?;
    }
    Ok(changes)
}

/// Removes a file that is no longer generated, unless someone changed it.
pub(super) fn remove(artifact: &Artifact) -> bool {
    let is_ours = std::fs::read(&artifact.path).is_ok_and(|now| now == artifact.text.as_bytes());
    is_ours && std::fs::remove_file(&artifact.path).is_ok()
}

/// Whether a path cannot be compared or replaced, such as `/dev/stdout`.
fn is_stream(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir())
}

/// Two artifacts for one file would overwrite each other.
fn distinct(artifacts: &[Artifact]) -> Result<(), Error> {
    let mut seen = HashSet::new();
    match artifacts.iter().find(|artifact| !seen.insert(&artifact.path)) {
        Some(twice) => Err(
            Error::input(format!("two different contents for {}", twice.path.display()))
                .hint("two packages generate files of the same name: generate them into two directories"),
        ),
        None => Ok(()),
    }
}

fn change(artifact: &Artifact) -> Result<Change, Error> {
    let path = artifact.path.display().to_string();
    if is_stream(&artifact.path) {
        let (state, old) = (State::New, None);
        return Ok(Change { path, state, old });
    }
    let (state, old) = match std::fs::read(&artifact.path) {
        Ok(bytes) if bytes == artifact.text.as_bytes() => (State::Unchanged, None),
        Ok(bytes) => (State::Changed, Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => (State::New, None),
        Err(error) => return Err(refused(&artifact.path, &error)),
    };
    Ok(Change { path, state, old })
}

/// Temporary files next to their targets: readers see the old or the new file, never half of it, and if one cannot be
/// written, none is.
struct Staged(Vec<(PathBuf, PathBuf)>);

impl Staged {
    fn add(&mut self, artifact: &Artifact) -> Result<(), Error> {
        // A symbolic link stays; its target is written.
        let path = std::fs::canonicalize(&artifact.path).unwrap_or_else(|_| artifact.path.clone());
        let directory = path.parent().unwrap_or(Path::new("."));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let beside = directory.join(format!(".{name}.{}", std::process::id()));
        let refused = |error| refused(&artifact.path, &error);
        std::fs::create_dir_all(directory).map_err(refused)?;
        self.0.push((beside.clone(), path.clone()));
        std::fs::write(&beside, &artifact.text).map_err(refused)?;
        // Keep the permissions of the existing file.
        if let Ok(about) = std::fs::metadata(&path) {
            std::fs::set_permissions(&beside, about.permissions()).map_err(refused)?;
        }
        Ok(())
    }

    fn commit(mut self) -> Result<(), Error> {
        let files = std::mem::take(&mut self.0);
        for (index, (beside, path)) in files.iter().enumerate() {
            if let Err(error) = std::fs::rename(beside, path) {
                self.0 = files[index..].to_vec();
                return Err(refused(path, &error));
            }
        }
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // Remove temporary files that were not renamed.
        for (beside, _) in &self.0 {
            let _ = std::fs::remove_file(beside);
        }
    }
}

/// Why a file cannot be written, and what to do about it.
fn refused(path: &Path, error: &std::io::Error) -> Error {
    let shown = path.display();
    let is_file = |above: &&Path| above.is_file();
    if let Some(file) = path.ancestors().skip(1).find(is_file) {
        let file = file.display();
        return Error::input(format!("cannot write {shown}: {file} is a file, not a directory"))
            .hint(format!("name another directory, or remove {file}"));
    }
    if path.is_dir() {
        return Error::input(format!("cannot write {shown}: it is a directory"))
            .hint("name the file to write, or remove the directory");
    }
    let refusal = Error::environment(format!("cannot write {shown}: {error}"));
    match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            refusal.hint("make the file and its directory writable, or name another directory")
        }
        _ => refusal,
    }
}
