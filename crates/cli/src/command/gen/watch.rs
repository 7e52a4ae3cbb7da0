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
    seen: BTreeMap<PathBuf, Option<(SystemTime, u64)>>,
}

impl Watch {
    /// The sources of a run, and the directories that may get new ones.
    pub(super) fn new(read: &Read) -> Self {
        let mut seen = BTreeMap::new();
        for (_, file) in read.sources.files() {
            let path = Path::new(file.name());
            if path.exists() {
                seen.insert(path.to_owned(), look(path));
            }
        }
        for package in &read.packages {
            let path = Path::new(&*package.directory);
            seen.insert(path.to_owned(), look(path));
        }
        Self { seen }
    }

    /// Returns when something looks different.
    pub(super) fn wait(&self) {
        while self.seen.iter().all(|(path, seen)| look(path) == *seen) {
            std::thread::sleep(PAUSE);
        }
    }
}

fn look(path: &Path) -> Option<(SystemTime, u64)> {
    let about = std::fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}
