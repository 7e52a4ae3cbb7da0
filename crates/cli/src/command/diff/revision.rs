//! The files of a git revision, read through the `git` program: one process lists them, one reads those that are
//! needed.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Read as _, Write as _};
use std::ops::Bound;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use kindsmith_go::package::{Entry, Files};

use crate::error::Error;
use crate::files::Disk;

/// The files of one revision, with paths from the top of the repository. Absolute paths are on disk, such as those of
/// Go's module cache.
#[derive(Debug)]
pub(super) struct Revision {
    /// The commit or tree, as an object name.
    id: String,
    /// The working directory, from the top of the repository; empty or ending in `/`.
    prefix: String,
    files: BTreeSet<String>,
    reader: RefCell<Reader>,
}

/// A running `git cat-file --batch`.
#[derive(Debug)]
struct Reader {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Revision {
    /// Opens a revision of the repository around the working directory.
    ///
    /// # Errors
    ///
    /// If git cannot be run, this is not a repository, or it has no such revision.
    pub(super) fn open(revision: &str) -> Result<Self, Error> {
        let id = git(&[
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &format!("{revision}^{{tree}}"),
        ])?;
        let Some(id) = id else {
            return Err(Error::input(format!("git has no revision `{revision}` here"))
                .hint("`git fetch` it first; in CI, check out with its history"));
        };
        let prefix = git(&["rev-parse", "--show-prefix"])?.unwrap_or_default();
        let id = id.trim().to_owned();
        let listed = git(&["ls-tree", "-r", "-z", "--name-only", "--full-tree", &id])?.unwrap_or_default();
        Ok(Self {
            prefix: prefix.trim().to_owned(),
            files: listed.split_terminator('\0').map(str::to_owned).collect(),
            reader: RefCell::new(Reader::start()?),
            id,
        })
    }

    /// A path as the user wrote it, from the top of the repository.
    pub(super) fn rooted(&self, path: &str) -> String {
        match path.strip_prefix("./") {
            Some(path) => format!("{}{path}", self.prefix),
            None if path == "." => self.prefix.trim_end_matches('/').to_owned(),
            None => path.trim_end_matches('/').to_owned(),
        }
    }

    /// The YAML and JSON files at or below a path.
    pub(super) fn manifests(&self, path: &str) -> Vec<String> {
        let is_manifest = |name: &&String| [".yaml", ".yml", ".json"].iter().any(|end| name.ends_with(end));
        let found = self.below(path).filter(is_manifest).cloned();
        if self.files.contains(path) {
            vec![path.to_owned()]
        } else {
            found.collect()
        }
    }

    fn below<'s>(&'s self, path: &str) -> impl Iterator<Item = &'s String> + use<'s> {
        let start = match clean(path) {
            "" => String::new(),
            path => format!("{path}/"),
        };
        let files = self
            .files
            .range::<str, _>((Bound::Included(&*start), Bound::Unbounded));
        files
            .take_while(move |name| name.starts_with(&start))
            .collect::<Vec<_>>()
            .into_iter()
    }
}

/// A path without `./` before and `/` after it.
fn clean(path: &str) -> &str {
    let path = path.trim_start_matches("./").trim_end_matches('/');
    if path == "." { "" } else { path }
}

impl Files for Revision {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if path.starts_with('/') {
            return Disk.read(path);
        }
        if !self.files.contains(clean(path)) {
            return Err(io::ErrorKind::NotFound.into());
        }
        self.reader
            .borrow_mut()
            .read(&format!("{}:{}", self.id, clean(path)))
    }

    fn list(&self, path: &str) -> io::Result<Vec<Entry>> {
        if path.starts_with('/') {
            return Disk.list(path);
        }
        let skipped = match clean(path) {
            "" => 0,
            path => path.len() + 1,
        };
        let mut entries = BTreeSet::new();
        for name in self.below(path) {
            let (name, directory) = match name[skipped..].split_once('/') {
                Some((name, _)) => (name, true),
                None => (&name[skipped..], false),
            };
            entries.insert(Entry {
                name: name.to_owned(),
                directory,
            });
        }
        if entries.is_empty() {
            Err(io::ErrorKind::NotFound.into())
        } else {
            Ok(entries.into_iter().collect())
        }
    }

    fn exists(&self, path: &str) -> bool {
        if path.starts_with('/') {
            return Disk.exists(path);
        }
        let path = clean(path);
        path.is_empty() || self.files.contains(path) || self.below(path).next().is_some()
    }
}

impl Reader {
    fn start() -> Result<Self, Error> {
        let mut command = Command::new("git");
        command.args(["cat-file", "--batch"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| no_git(&error))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err(Error::bug("git was started without pipes"));
        };
        Ok(Self {
            child,
            input,
            output: BufReader::new(output),
        })
    }

    /// The bytes of one object.
    fn read(&mut self, name: &str) -> io::Result<Vec<u8>> {
        writeln!(self.input, "{name}")?;
        self.input.flush()?;
        let mut head = String::new();
        self.output.read_line(&mut head)?;
        let size = head
            .trim_end()
            .rsplit_once(' ')
            .and_then(|(_, size)| size.parse().ok());
        let size: u64 = size.ok_or_else(|| io::Error::other(head.trim_end().to_owned()))?;
        let mut bytes = Vec::new();
        // The object is followed by a line break.
        std::io::Read::by_ref(&mut self.output)
            .take(size + 1)
            .read_to_end(&mut bytes)?;
        bytes.pop();
        Ok(bytes)
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What git prints; `None` if it fails without a word.
fn git(args: &[&str]) -> Result<Option<String>, Error> {
    let output = Command::new("git")
        .args(args)
        .output()
        .map_err(|error| no_git(&error))?;
    if output.status.success() {
        return Ok(Some(String::from_utf8_lossy(&output.stdout).into_owned()));
    }
    let said = String::from_utf8_lossy(&output.stderr);
    match said.trim() {
        "" => Ok(None),
        said => Err(Error::input(format!(
            "git: {}",
            said.trim_start_matches("fatal: ")
        ))),
    }
}

fn no_git(error: &io::Error) -> Error {
    Error::environment(format!("cannot run git: {error}")).hint("a git revision needs the `git` program")
}
