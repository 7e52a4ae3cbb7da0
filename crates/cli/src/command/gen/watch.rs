//! Waits until a source changes. Asks the file system again and again: a few hundred files take less than a
//! millisecond, and it works on every one of them.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use super::flow::Made;
use crate::files::{module_cache, standard_library};

/// Time between two looks when something just happened, and when nothing has for long.
const PAUSES: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(25));
/// How long things must stay as they are before they are read: some editors write in two steps.
const SETTLE: Duration = Duration::from_millis(3);
/// Files older than this when reading began were not written meanwhile; some file systems count time in seconds.
const SETTLED: Duration = Duration::from_secs(3);
/// Directories nested deeper are not looked into.
const MAX_DEPTH: usize = 60;

/// What a command line asks to read.
#[derive(Debug)]
pub(super) struct Sources {
    /// Directories or files; `DIR/...` for all below DIR.
    paths: Vec<String>,
    /// How names of files in those directories end.
    endings: &'static [&'static str],
}

impl Sources {
    /// Go packages, and files beside them.
    pub(super) fn packages(paths: &[String], files: &[&Path]) -> Self {
        let files = files.iter().map(|path| path.display().to_string());
        Self {
            paths: paths.iter().cloned().chain(files).collect(),
            endings: &[".go", ".mod"],
        }
    }

    /// Definitions in files or in directories of any depth.
    pub(super) fn definitions(paths: &[PathBuf]) -> Self {
        let below = |path: &PathBuf| match path.is_dir() {
            true => format!("{}/...", path.display()),
            false => path.display().to_string(),
        };
        Self {
            paths: paths.iter().map(below).collect(),
            endings: &[".yaml", ".yml", ".json"],
        }
    }

    fn has(&self, name: &str) -> bool {
        let is_source = self.endings.iter().any(|ending| name.ends_with(ending));
        is_source && !name.ends_with("_test.go")
    }
}

/// How sources looked when they were read.
pub(super) struct Watch<'s> {
    sources: &'s Sources,
    files: BTreeMap<PathBuf, Look>,
    directories: BTreeMap<PathBuf, Listing>,
    /// What is written, not read.
    own: BTreeSet<PathBuf>,
    /// Whether a source changed while it was read.
    missed: bool,
}

/// What tells one state of a file from another; `None` where there is none.
type Look = Option<(SystemTime, u64)>;

/// What a directory held.
struct Listing {
    modified: Option<SystemTime>,
    names: BTreeSet<OsString>,
}

impl<'s> Watch<'s> {
    /// How sources look before they are read: what changes meanwhile is seen afterwards.
    pub(super) fn new(sources: &'s Sources) -> Self {
        let mut watch = Self {
            sources,
            files: BTreeMap::new(),
            directories: BTreeMap::new(),
            own: BTreeSet::new(),
            missed: false,
        };
        for path in &sources.paths {
            let top = path.strip_suffix("...").unwrap_or(path);
            let top = if top.is_empty() { "." } else { top };
            let depth = if top.len() < path.len() { MAX_DEPTH } else { 0 };
            watch.add_below(&plain(Path::new(top)), depth);
        }
        watch
    }

    /// Adds what a round that began at `start` led to, and leaves out what it writes.
    pub(super) fn add(&mut self, made: &Made, start: SystemTime) {
        self.own
            .extend(made.artifacts.iter().map(|file| plain(&file.path)));
        let own = &self.own;
        self.files.retain(|path, _| !own.contains(path));
        // What was downloaded once does not change.
        let fixed: Vec<String> = [module_cache(), standard_library()]
            .into_iter()
            .flatten()
            .collect();
        let is_fixed = |path: &str| fixed.iter().any(|directory| path.starts_with(&**directory));
        for (_, file) in made.read.sources.files() {
            let path = plain(Path::new(file.name()));
            if is_fixed(file.name()) || self.own.contains(&path) || self.files.contains_key(&path) {
                continue;
            }
            let Some(look) = look(&path) else {
                continue;
            };
            // Who saves while we read has saved something we have not seen.
            let is_fresh = start.duration_since(look.0).is_ok_and(|age| age < SETTLED) || look.0 >= start;
            self.missed |= is_fresh && std::fs::read(&path).is_ok_and(|now| now != file.text().as_bytes());
            self.files.insert(path, Some(look));
        }
        for package in &made.read.packages {
            let path = plain(Path::new(&*package.directory));
            if !is_fixed(&package.directory) && !self.directories.contains_key(&path) {
                self.add_below(&path, 0);
            }
        }
    }

    /// A file, or a directory with what is in it, so many levels deep.
    fn add_below(&mut self, path: &Path, depth: usize) {
        if path.is_file() {
            self.files.entry(path.to_owned()).or_insert_with(|| look(path));
            return;
        }
        let listing = Listing::of(path, self.sources);
        for name in &listing.names {
            let inner = path.join(name);
            match inner.is_dir() {
                true if depth > 0 => self.add_below(&inner, depth - 1),
                true => {}
                // A module file decides what packages are called, and a file that could not be read may become readable.
                false => {
                    let seen = look(&inner);
                    self.files.entry(inner).or_insert(seen);
                }
            }
        }
        self.directories.insert(path.to_owned(), listing);
    }

    /// Returns when something looks different from what was read, and has looked so for a moment.
    pub(super) fn wait(&mut self) {
        let start = Instant::now();
        while !self.missed {
            let look = Instant::now();
            if self.changed() {
                break;
            }
            // Looking at many files must not keep the machine busy.
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
            // Files that are no sources come and go, and so do those we write.
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

    /// How everything looks now.
    fn state(&self) -> (Vec<Look>, Vec<Look>) {
        let look_at = |path: &PathBuf| look(path);
        let files = self.files.keys().map(look_at);
        (files.collect(), self.directories.keys().map(look_at).collect())
    }
}

impl Listing {
    /// The directories and sources in a directory.
    fn of(path: &Path, sources: &Sources) -> Self {
        // Looked at first: what changes meanwhile is seen next time.
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

/// A path without steps that lead nowhere, so that one file has one.
fn plain(path: &Path) -> PathBuf {
    let steps = path.components().filter(|step| *step != Component::CurDir);
    let plain: PathBuf = steps.collect();
    match plain.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => plain,
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|about| about.modified()).ok()
}

fn look(path: &Path) -> Look {
    let about = std::fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}
