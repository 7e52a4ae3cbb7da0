//! The file system, for readers that must not access it themselves.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use kindsmith_go::package::{Entry, Files};

use crate::go_path;
use crate::progress::Progress;

/// How much of a file is read before deciding about the rest: enough for a license and build constraints.
const START: u64 = 4096;

/// The file system of this machine. Relative paths start at the working directory.
#[derive(Debug, Clone, Copy)]
pub struct Disk;

/// The largest file that is read.
const MOST: u64 = 256 << 20;

/// Opens a file, and says how long it is. Named pipes, sockets and devices are refused: they may never end, or never begin.
/// Those that a shell passes by number have somebody at the other end.
fn open(path: &Path) -> io::Result<(File, u64)> {
    let about = std::fs::metadata(path)?;
    let is_passed = || {
        let mut known = ["/dev/fd", "/dev/stdin", "/proc"].iter();
        known.any(|known| path.starts_with(known))
    };
    if !about.is_file() && !about.is_dir() && !is_passed() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "it is a pipe, socket or device, not a file",
        ));
    }
    Ok((File::open(path)?, about.len()))
}

/// Reads a file that is not too large.
///
/// # Errors
///
/// If it cannot be read, or is not a file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_all(open(path)?.0)
}

/// Reads a file of text.
///
/// # Errors
///
/// If it cannot be read, or is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let bytes = if path.as_os_str() == "-" {
        read_all(io::stdin())?
    } else {
        read(path)?
    };
    String::from_utf8(bytes)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "stream did not contain valid UTF-8"))
}

/// Reads something to its end.
///
/// # Errors
///
/// If it cannot be read, or is too large.
pub fn read_all(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST {
        Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "it is larger than 256 MiB",
        ))
    } else {
        Ok(bytes)
    }
}

impl Files for Disk {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        read(&go_path::to_path(path))
    }

    fn read_wanted(
        &self,
        path: &str,
        buffer: &mut Vec<u8>,
        wanted: &mut dyn FnMut(&[u8]) -> bool,
    ) -> io::Result<bool> {
        let (mut file, length) = open(&go_path::to_path(path))?;
        buffer.clear();
        let read = Read::by_ref(&mut file).take(START).read_to_end(buffer)?;
        if !wanted(buffer) {
            return Ok(false);
        }
        // A shorter file has ended: deciding about the rest costs as much as reading it.
        if read as u64 == START {
            // A buffer that grows step by step is copied, and touches as much memory again.
            buffer.reserve(usize::try_from(length.min(MOST)).unwrap_or(0));
            file.take(MOST).read_to_end(buffer)?;
        }
        Ok(true)
    }

    fn list(&self, path: &str) -> io::Result<Vec<Entry>> {
        let directory = if path.is_empty() { "." } else { path };
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(go_path::to_path(directory))? {
            let entry = entry?;
            // Go accepts no other names, so skipping those that are not UTF-8 loses nothing.
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let kind = entry.file_type()?;
            // Go does not follow links to directories below `...`, because they may form a circle.
            if kind.is_symlink() && entry.path().is_dir() {
                continue;
            }
            let directory = kind.is_dir();
            entries.push(Entry { name, directory });
        }
        Ok(entries)
    }

    fn exists(&self, path: &str) -> bool {
        go_path::to_path(if path.is_empty() { "." } else { path }).exists()
    }

    fn real(&self, path: &str) -> Option<String> {
        // Called for every directory of a tree: reusing the parent's result avoids resolving each step again.
        let Some((parent, name)) = path
            .rsplit_once('/')
            .filter(|(parent, name)| is_plain(parent, name))
        else {
            return canonical(path);
        };
        let is_link = std::fs::symlink_metadata(go_path::to_path(path))
            .ok()?
            .file_type()
            .is_symlink();
        let known = REAL.with_borrow(|known| known.get(parent).cloned());
        let parent = known.or_else(|| {
            let real = canonical(parent)?;
            REAL.with_borrow_mut(|known| known.insert(parent.to_owned(), real.clone()));
            Some(real)
        });
        match parent {
            Some(parent) if !is_link => Some(format!("{}/{name}", parent.trim_end_matches('/'))),
            _ => canonical(path),
        }
    }
}

/// Disk access that shows progress to a user at the terminal and remembers directories that could not be listed.
#[derive(Debug)]
pub struct Observed<'p> {
    progress: &'p Progress,
    refused: RefCell<Option<(String, io::Error)>>,
}

impl<'p> Observed<'p> {
    /// No file read yet.
    #[must_use]
    pub fn new(progress: &'p Progress) -> Self {
        Self {
            progress,
            refused: RefCell::default(),
        }
    }

    /// The first directory that could not be listed, and why.
    pub fn refused(&self) -> Option<(String, io::Error)> {
        self.refused.take()
    }
}

impl Files for Observed<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.progress.step();
        Disk.read(path)
    }

    fn read_wanted(
        &self,
        path: &str,
        buffer: &mut Vec<u8>,
        wanted: &mut dyn FnMut(&[u8]) -> bool,
    ) -> io::Result<bool> {
        self.progress.step();
        Disk.read_wanted(path, buffer, wanted)
    }

    fn list(&self, path: &str) -> io::Result<Vec<Entry>> {
        let listed = Disk.list(path);
        // Missing files are normal: several places are tried.
        if let Err(error) = &listed
            && error.kind() == io::ErrorKind::PermissionDenied
        {
            let mut refused = self.refused.borrow_mut();
            refused.get_or_insert_with(|| (path.to_owned(), error.kind().into()));
        }
        listed
    }

    fn exists(&self, path: &str) -> bool {
        Disk.exists(path)
    }

    fn real(&self, path: &str) -> Option<String> {
        Disk.real(path)
    }
}

thread_local! {
    /// Directories with links resolved, by the requested path. Nothing moves while a command runs.
    static REAL: RefCell<HashMap<String, String>> = RefCell::default();
}

/// Whether a path ends in a plain name, so that its parent is the part before.
fn is_plain(parent: &str, name: &str) -> bool {
    !parent.is_empty() && !matches!(name, "" | "." | "..")
}

fn canonical(path: &str) -> Option<String> {
    let path = go_path::to_path(if path.is_empty() { "." } else { path });
    let real = std::fs::canonicalize(path).ok()?;
    Some(go_path::to_text(real.as_os_str()).replace('\\', "/"))
}

/// The Go module cache, if it exists.
#[must_use]
pub fn module_cache() -> Option<String> {
    let set = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let first_of_list = |list: PathBuf| std::env::split_paths(&list).next();
    let candidates = [
        set("GOMODCACHE"),
        set("GOPATH")
            .and_then(first_of_list)
            .map(|path| path.join("pkg/mod")),
        set("HOME")
            .or_else(|| set("USERPROFILE"))
            .map(|home| home.join("go/pkg/mod")),
    ];
    let found = candidates.into_iter().flatten().find(|path| path.is_dir())?;
    Some(go_path::to_text(found.as_os_str()).replace('\\', "/"))
}

/// The sources of the installed Go's standard library, if there is one.
#[must_use]
pub fn standard_library() -> Option<String> {
    let set = std::env::var_os("GOROOT").filter(|value| !value.is_empty());
    let root = set.map(PathBuf::from).or_else(|| {
        let path = std::env::var_os("PATH")?;
        let go = if cfg!(windows) { "go.exe" } else { "go" };
        let program = std::env::split_paths(&path)
            .map(|directory| directory.join(go))
            .find(|program| program.is_file())?;
        // `ROOT/bin/go`, which is often a link.
        let program = std::fs::canonicalize(program).ok()?;
        Some(program.parent()?.parent()?.to_owned())
    })?;
    let sources = root.join("src");
    let found = sources.join("builtin").is_dir().then_some(sources)?;
    Some(go_path::to_text(found.as_os_str()).replace('\\', "/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_files_and_folders() {
        let mut entries = Disk
            .list(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))
            .expect("it is there");
        entries.retain(|entry| entry.name == "command" || entry.name == "command.rs");
        entries.sort();
        let expected = [("command", true), ("command.rs", false)].map(|(name, directory)| Entry {
            name: name.to_owned(),
            directory,
        });
        assert_eq!(entries, expected);
    }

    #[test]
    #[cfg(unix)]
    fn what_never_ends_is_not_read() {
        for path in ["/dev/zero", "/dev/tty"] {
            assert!(read(Path::new(path)).is_err(), "{path}");
        }
        let folder = tempfile::tempdir().expect("a directory for the test");
        let pipe = folder.path().join("a.yaml");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.is_ok_and(|status| status.success()));
        let error = read_text(&pipe).expect_err("nobody writes to it");
        assert_eq!(error.to_string(), "it is a pipe, socket or device, not a file");
        assert!(read_all(io::repeat(0)).is_err());
    }

    #[test]
    fn says_why_it_cannot_read() {
        let missing = concat!(env!("CARGO_MANIFEST_DIR"), "/nothing");
        assert!(!Disk.exists(missing));
        assert_eq!(
            Disk.read(missing).expect_err("missing").kind(),
            io::ErrorKind::NotFound
        );
        assert_eq!(
            Disk.list(missing).expect_err("missing").kind(),
            io::ErrorKind::NotFound
        );
        let text = Disk.read(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        assert!(text.expect("it is there").starts_with(b"[package]"));
    }
}
