//! A directory for files that do not outlive the server, private to its user.

use std::fs::{self, DirBuilder, File};
use std::path::{Path, PathBuf};

use super::token::random_token;
use crate::error::Error;
use crate::platform::{directory_for_owner, is_same_owner};

const PREFIX: &str = "kindsmith-";
/// Not the name of a store's lock: `--store /tmp/kindsmith-mine` must outlive its server.
const LOCK: &str = "temporary.lock";

/// A directory that is removed when this is dropped. A killed server cannot remove its own: the next one does.
pub(crate) struct Temporary {
    path: PathBuf,
    // Held while the server lives; the system releases it however the process ends.
    _lock: File,
}

impl Temporary {
    /// Creates a directory under a name that nobody can guess, and removes those of servers that were killed.
    pub(crate) fn create() -> Result<Self, Error> {
        Temporary::within(&std::env::temp_dir())
    }

    fn within(parent: &Path) -> Result<Self, Error> {
        let path = parent.join(format!("{PREFIX}{}", random_token()));
        let fail =
            |error: std::io::Error| Error::environment(format!("cannot make {}: {error}", path.display()));
        directory_for_owner(&mut DirBuilder::new())
            .create(&path)
            .map_err(fail)?;
        // The lock gets its name when it is held: another server that starts now must not take it for abandoned.
        let draft = path.join("lock.new");
        let lock = File::create(&draft).map_err(fail)?;
        lock.lock().map_err(fail)?;
        fs::rename(&draft, path.join(LOCK)).map_err(fail)?;
        sweep(parent, &path);
        Ok(Temporary { path, _lock: lock })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Removes the directories of this user whose server is gone. What cannot be removed stays.
fn sweep(parent: &Path, own: &Path) {
    let (Ok(entries), Ok(own)) = (fs::read_dir(parent), fs::metadata(own)) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX)
            && fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir() && is_same_owner(&found, &own));
        if is_ours && is_abandoned(&path) {
            let _ = fs::remove_dir_all(&path);
        }
    }
}

fn is_abandoned(path: &Path) -> bool {
    File::open(path.join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_of_killed_servers_are_removed() {
        let parent = std::env::temp_dir().join(format!("test-{}", random_token()));
        fs::create_dir(&parent).expect("a directory for the test");
        let living = Temporary::within(&parent).expect("a directory");
        let killed = Temporary::within(&parent).expect("a directory");
        let left = killed.path().to_owned();
        let Temporary { _lock: lock, .. } = &killed;
        lock.unlock().expect("it was locked");
        fs::create_dir(parent.join("kindsmith-of-somebody")).expect("a directory");
        let store = parent.join("kindsmith-store");
        drop(kindsmith_store::Disk::open(&store).expect("a store of somebody that is not running"));

        let next = Temporary::within(&parent).expect("a directory");
        assert!(living.path().exists() && next.path().exists() && !left.exists());
        assert!(parent.join("kindsmith-of-somebody").exists() && store.join("store.redb").exists());
        #[cfg(unix)]
        {
            let next = fs::metadata(next.path()).expect("it exists");
            assert_eq!(std::os::unix::fs::MetadataExt::mode(&next) & 0o777, 0o700);
        }
        drop((living, killed, next));
        fs::remove_dir_all(&parent).expect("the directory of the test");
    }
}
