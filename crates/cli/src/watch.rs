//! `--watch` of all commands: waits until a source changes. Polls the file system: a few hundred files take less than a
//! millisecond, and polling works on every file system.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use kindsmith_go::Read;

use crate::Outcome;
use crate::error::Error;
use crate::files::{module_cache, standard_library};
use crate::go_path;
use crate::terminal::Terminal;

/// Time between two polls right after a change, and after a long time without one.
const PAUSES: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(25));
/// How long files must stay unchanged before they are read: some editors write in two steps.
const SETTLE: Duration = Duration::from_millis(3);
/// Files older than this when reading began did not change meanwhile; some file systems count time in seconds.
const SETTLED: Duration = Duration::from_secs(3);
/// Directories nested deeper are skipped.
const MAX_DEPTH: usize = 60;

/// Runs rounds, each after a change, until the process is stopped. A round tells the watch what else it read.
///
/// # Errors
///
/// If the first round fails: waiting does not fix a wrong command line. Later errors are shown, because the next save may
/// fix what cannot be read now.
pub(crate) fn repeat(
    terminal: &Terminal,
    sources: &Sources,
    mut round: impl FnMut(&mut Watch<'_>) -> Result<(), Error>,
) -> Result<Outcome, Error> {
    let mut is_first = true;
    loop {
        let clock = Instant::now();
        let mut watch = Watch::new(sources);
        match round(&mut watch) {
            Ok(()) => terminal.say(&format!(
                "took {} ms; waiting for changes",
                clock.elapsed().as_millis()
            )),
            Err(error) if is_first => return Err(error),
            Err(error) => terminal.complain(&error),
        }
        is_first = false;
        watch.wait();
    }
}

/// What the command line names as input.
#[derive(Debug)]
pub(crate) struct Sources {
    /// Directories or files; `DIR/...` for all below DIR.
    paths: Vec<String>,
    /// Extensions of the files to watch.
    endings: &'static [&'static str],
}

impl Sources {
    /// Go packages, and files beside them.
    pub(crate) fn packages(paths: &[String], files: &[&Path]) -> Self {
        let files = files.iter().map(|path| path.display().to_string());
        Self {
            paths: paths.iter().cloned().chain(files).collect(),
            endings: &[".go", ".mod"],
        }
    }

    /// CRDs in files or directories of any depth.
    pub(crate) fn definitions(paths: &[PathBuf]) -> Self {
        Self::below(paths, &[".yaml", ".yml", ".json"])
    }

    /// Everything that Kindsmith reads in files or directories of any depth.
    pub(crate) fn all(paths: &[PathBuf]) -> Self {
        Self::below(paths, &[".go", ".mod", ".yaml", ".yml", ".json"])
    }

    fn below(paths: &[PathBuf], endings: &'static [&'static str]) -> Self {
        let below = |path: &PathBuf| {
            if path.is_dir() {
                format!("{}/...", path.display())
            } else {
                path.display().to_string()
            }
        };
        Self {
            paths: paths.iter().map(below).collect(),
            endings,
        }
    }

    fn has(&self, name: &str) -> bool {
        let is_source = self.endings.iter().any(|ending| name.ends_with(ending));
        is_source && !name.ends_with("_test.go")
    }
}

/// The state of the sources when they were read.
pub(crate) struct Watch<'s> {
    sources: &'s Sources,
    start: SystemTime,
    files: BTreeMap<PathBuf, Look>,
    directories: BTreeMap<PathBuf, Listing>,
    /// Files that we write; they are not watched.
    own: BTreeSet<PathBuf>,
    /// Whether a source changed while it was read.
    missed: bool,
}

/// Distinguishes states of a file; `None` if it does not exist.
type Look = Option<(SystemTime, u64)>;

/// The content of a directory.
struct Listing {
    modified: Option<SystemTime>,
    names: BTreeSet<OsString>,
}

impl<'s> Watch<'s> {
    /// Records the sources before they are read, so that changes during reading are noticed.
    fn new(sources: &'s Sources) -> Self {
        let mut watch = Self {
            sources,
            start: SystemTime::now(),
            files: BTreeMap::new(),
            directories: BTreeMap::new(),
            own: BTreeSet::new(),
            missed: false,
        };
        for path in &sources.paths {
            let top = path.strip_suffix("...").unwrap_or(path);
            let top = if top.is_empty() { "." } else { top };
            let depth = if top.len() < path.len() { MAX_DEPTH } else { 0 };
            watch.add_below(&plain(&go_path::to_path(top)), depth);
        }
        watch
    }

    /// Excludes files that the command writes.
    pub(crate) fn exclude<'p>(&mut self, written: impl Iterator<Item = &'p Path>) {
        self.own.extend(written.map(plain));
        let own = &self.own;
        self.files.retain(|path, _| !own.contains(path));
    }

    /// Adds the files that were read.
    pub(crate) fn add(&mut self, read: &Read) {
        let start = self.start;
        // Downloaded modules do not change.
        let fixed: Vec<String> = [module_cache(), standard_library()]
            .into_iter()
            .flatten()
            .collect();
        let is_fixed = |path: &str| fixed.iter().any(|directory| path.starts_with(&**directory));
        for (_, file) in read.sources.files() {
            let path = plain(&go_path::to_path(file.name()));
            if is_fixed(file.name()) || self.own.contains(&path) || self.files.contains_key(&path) {
                continue;
            }
            let Some(look) = look(&path) else {
                continue;
            };
            // A file saved while we read may have been read in its old state.
            let is_fresh = start.duration_since(look.0).is_ok_and(|age| age < SETTLED) || look.0 >= start;
            self.missed |= is_fresh && std::fs::read(&path).is_ok_and(|now| now != file.text().as_bytes());
            self.files.insert(path, Some(look));
        }
        for package in &read.packages {
            let path = plain(&go_path::to_path(&package.directory));
            if !is_fixed(&package.directory) && !self.directories.contains_key(&path) {
                self.add_below(&path, 0);
            }
        }
    }

    /// Adds a file, or a directory with its content, `depth` levels deep.
    fn add_below(&mut self, path: &Path, depth: usize) {
        if path.is_file() {
            self.files.entry(path.to_owned()).or_insert_with(|| look(path));
            return;
        }
        let listing = Listing::of(path, self.sources);
        for name in &listing.names {
            let inner = path.join(name);
            if !inner.is_dir() {
                // A module file decides import paths, and an unreadable file may become readable.
                let seen = look(&inner);
                self.files.entry(inner).or_insert(seen);
            } else if depth > 0 {
                self.add_below(&inner, depth - 1);
            }
        }
        self.directories.insert(path.to_owned(), listing);
    }

    /// Returns when a source changed and has been stable for a moment.
    fn wait(&mut self) {
        let start = Instant::now();
        while !self.missed {
            let look = Instant::now();
            if self.changed() {
                break;
            }
            // Polling many files must not keep the machine busy.
            let pause = (start.elapsed() / 100).clamp(PAUSES.0, PAUSES.1);
            sleep(pause.max(look.elapsed() * 20));
        }
        let mut before = self.state();
        loop {
            sleep(SETTLE);
            let now = self.state();
            if now == before {
                return;
            }
            before = now;
        }
    }

    fn changed(&mut self) -> bool {
        if self.files.iter().any(|(path, seen)| look(path) != *seen) {
            return true;
        }
        let (sources, own) = (self.sources, &self.own);
        self.directories.iter_mut().any(|(path, seen)| {
            let is_touched = modified(path) != seen.modified;
            // Other files come and go, and so do those we write.
            is_touched && {
                let now = Listing::of(path, sources);
                let mut differ = now.names.symmetric_difference(&seen.names);
                let is_same = now.modified.is_some() == seen.modified.is_some()
                    && differ.all(|name| own.contains(&path.join(name)));
                *seen = now;
                !is_same
            }
        })
    }

    /// The current state of everything watched.
    fn state(&self) -> (Vec<Look>, Vec<Look>) {
        let look_at = |path: &PathBuf| look(path);
        let files = self.files.keys().map(look_at);
        (files.collect(), self.directories.keys().map(look_at).collect())
    }
}

impl Listing {
    /// The directories and sources in a directory.
    fn of(path: &Path, sources: &Sources) -> Self {
        // Read first, so that a change meanwhile is noticed next time.
        let modified = modified(path);
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        let wanted = entries.filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let is_hidden = name.starts_with(['.', '_']) || matches!(&*name, "testdata" | "vendor");
            let is_directory = || entry.file_type().is_ok_and(|kind| kind.is_dir());
            !is_hidden && (sources.has(&name) || is_directory())
        });
        Self {
            modified,
            names: wanted.map(|entry| entry.file_name()).collect(),
        }
    }
}

/// A path without `.` and other empty steps, so that each file has one path.
fn plain(path: &Path) -> PathBuf {
    let steps = path.components().filter(|step| *step != Component::CurDir);
    let plain: PathBuf = steps.collect();
    if plain.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        plain
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|about| about.modified()).ok()
}

fn look(path: &Path) -> Look {
    let about = std::fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}
