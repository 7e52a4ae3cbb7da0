//! Generated files: compared with what is there, and written only where they differ.

use std::path::{Path, PathBuf};

use crate::error::Error;

/// A file to be.
#[derive(Debug)]
pub(super) struct Artifact {
    pub(super) path: PathBuf,
    pub(super) text: String,
}

/// What became of an artifact.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) path: String,
    pub(super) state: State,
    /// What was there before, if it differed.
    pub(super) old: Option<String>,
}

/// How an artifact relates to the file that was there.
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

/// Compares artifacts with the files of their names.
pub(super) fn compare(artifacts: &[Artifact]) -> Result<Vec<Change>, Error> {
    artifacts.iter().map(change).collect()
}

/// Writes artifacts where they differ from the files of their names.
pub(super) fn write(artifacts: &[Artifact]) -> Result<Vec<Change>, Error> {
    let changes = compare(artifacts)?;
    for (artifact, change) in artifacts.iter().zip(&changes) {
        if change.state != State::Unchanged {
            put(artifact)?;
        }
    }
    Ok(changes)
}

fn change(artifact: &Artifact) -> Result<Change, Error> {
    let path = artifact.path.display().to_string();
    let (state, old) = match std::fs::read(&artifact.path) {
        Ok(bytes) if bytes == artifact.text.as_bytes() => (State::Unchanged, None),
        Ok(bytes) => (State::Changed, Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => (State::New, None),
        Err(error) => return Err(Error::reading(&artifact.path, &error)),
    };
    Ok(Change { path, state, old })
}

/// Writes beside the file and moves it there: who reads it meanwhile sees the old or the new one, never half of it.
fn put(artifact: &Artifact) -> Result<(), Error> {
    let path = &artifact.path;
    let directory = path.parent().unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = directory.join(format!(".{name}.{}", std::process::id()));
    let done = std::fs::create_dir_all(directory)
        .and_then(|()| std::fs::write(&beside, &artifact.text))
        .and_then(|()| std::fs::rename(&beside, path));
    done.map_err(|error| {
        // What is half written is of no use to anyone.
        let _ = std::fs::remove_file(&beside);
        Error::environment(format!("cannot write {}: {error}", path.display()))
    })
}
