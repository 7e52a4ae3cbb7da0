//! Waits until a source changes. Asks the file system again and again: a few hundred files take less than a
//! millisecond, and it works on every one of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use kindsmith_go::Read;

/// Time between two looks.
const PAUSE: Duration = Duration::from_millis(25);

/// How sources looked when they were read.
pub(super) struct Watch {
    seen: BTreeMap<PathBuf, Look>,
    /// Whether a source changed while it was read.
    missed: bool,
}

/// What tells one state of a file from another; `None` where there is none.
type Look = Option<(SystemTime, u64)>;

impl Watch {
    /// The sources of a run that began at `start`, and the directories that may get new ones.
    pub(super) fn new(read: &Read, start: SystemTime) -> Self {
        let mut watch = Self {
            seen: BTreeMap::new(),
            missed: false,
        };
        for (_, file) in read.sources.files() {
            let path = Path::new(file.name());
            let Some(look) = look(path) else {
                continue;
            };
            // Who saves while we read has saved something we have not seen.
            let is_fresh = start.duration_since(look.0).is_ok_and(|age| age < SETTLED) || look.0 >= start;
            watch.missed |= is_fresh && std::fs::read(path).is_ok_and(|now| now != file.text().as_bytes());
            watch.seen.insert(path.to_owned(), Some(look));
        }
        for package in &read.packages {
            let path = Path::new(&*package.directory);
            watch.seen.insert(path.to_owned(), look(path));
        }
        watch
    }

    /// Returns when something looks different from what was read.
    pub(super) fn wait(&self) {
        while !self.missed && self.seen.iter().all(|(path, seen)| look(path) == *seen) {
            std::thread::sleep(PAUSE);
        }
    }

    /// The same sources as they look now.
    pub(super) fn again(self) -> Self {
        let seen = self.seen.into_keys().map(|path| {
            let now = look(&path);
            (path, now)
        });
        Self {
            seen: seen.collect(),
            missed: false,
        }
    }
}

/// Files older than this when reading began were not written meanwhile; some file systems count time in seconds.
const SETTLED: Duration = Duration::from_secs(3);

fn look(path: &Path) -> Look {
    let about = std::fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}
