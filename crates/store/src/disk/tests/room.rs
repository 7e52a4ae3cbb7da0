//! A disk without room, and one whose syncs fail: writes fail with the cause, reads go on, and writes resume.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use redb::StorageBackend;
use redb::backends::FileBackend;

use crate::disk::Disk;
use crate::{Error, Limits, List, Mark, Store};

/// A file that fails if the test says so by files beside it.
#[derive(Debug)]
struct Failing {
    file: FileBackend,
    folder: PathBuf,
}

/// Only the head of the file can be written while there is a file of this name, and nobody gave room back: it has its room
/// already.
const FULL: &str = "full";
const SPARE: &str = "spare";
const HEAD: u64 = 4096;
/// No sync succeeds while there is a file of this name.
const BROKEN: &str = "broken";

impl Failing {
    fn open(file: File, path: &Path) -> io::Result<Box<dyn StorageBackend>> {
        Ok(Box::new(Failing {
            file: FileBackend::new(file).map_err(io::Error::other)?,
            folder: path.parent().expect("a store is in a folder").to_owned(),
        }))
    }

    fn fail(&self, name: &str, kind: io::ErrorKind) -> io::Result<()> {
        let has_room = name == FULL && !self.folder.join(SPARE).exists();
        if self.folder.join(name).exists() && !has_room {
            Err(kind.into())
        } else {
            Ok(())
        }
    }
}

impl StorageBackend for Failing {
    fn len(&self) -> io::Result<u64> {
        self.file.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.file.read(offset, out)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.fail(FULL, io::ErrorKind::StorageFull)?;
        self.file.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.fail(BROKEN, io::ErrorKind::Other)?;
        self.file.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        if offset >= HEAD {
            self.fail(FULL, io::ErrorKind::StorageFull)?;
        }
        self.file.write(offset, data)
    }
}

fn open(folder: &Path) -> Disk {
    Disk::open_on(folder, Limits::default(), Failing::open).expect("the disk works")
}

fn put(store: &dyn Store, key: &str, value: &str) -> Result<u64, Error> {
    let before = store.get(key.as_bytes(), None)?;
    let expected = before.map_or(0, |entry| entry.modified);
    store.update(key.as_bytes(), value.as_bytes().into(), expected)
}

fn show(store: &dyn Store) -> String {
    let page = store.list(&List::of(b"/")).expect("reads work");
    let entries = page.entries.iter().map(|entry| {
        let (key, value) = (
            String::from_utf8_lossy(&entry.key),
            String::from_utf8_lossy(&entry.value),
        );
        format!("{key}={value}@{}", entry.modified)
    });
    entries.collect::<Vec<_>>().join(" ")
}

/// Tries again until it works: the store rests between two tries.
fn eventually<T>(mut work: impl FnMut() -> Result<T, Error>) -> T {
    let end = Instant::now() + Duration::from_secs(20);
    loop {
        match work() {
            Ok(done) => return done,
            Err(error) => assert!(Instant::now() < end, "{error}"),
        }
        std::thread::park_timeout(Duration::from_millis(20));
    }
}

/// Writes around a failure of the disk.
fn check_failure(name: &str, is_right: fn(&Error) -> bool) {
    let folder = tempfile::tempdir().expect("a directory for the test");
    let store = open(folder.path());
    let mut watch = store.watch(b"/", 1).expect("nothing is compacted");
    assert_eq!(put(&store, "/a", "1"), Ok(2));
    fs::write(folder.path().join(name), "").expect("it can be written");
    for _ in 0..3 {
        let error = put(&store, "/a", "2").expect_err("the disk fails");
        assert!(is_right(&error), "{error:?}");
        assert!(store.health().is_err());
        assert_eq!(show(&store), "/a=1@2");
    }
    assert!(put(&store, "/b", "2").is_err(), "other keys fail as well");
    fs::remove_file(folder.path().join(name)).expect("it is there");
    assert_eq!(eventually(|| put(&store, "/b", "3")), 3);
    assert_eq!(store.health(), Ok(()));
    assert_eq!(put(&store, "/a", "4"), Ok(4));
    assert_eq!(show(&store), "/a=4@4 /b=3@3");
    let mut seen = Vec::new();
    while let Ok(Some(event)) = watch.try_next() {
        seen.push(event.revision);
    }
    assert_eq!(seen, [2, 3, 4]);
    drop(store);
    assert_eq!(show(&open(folder.path())), "/a=4@4 /b=3@3");
}

#[test]
fn a_full_disk_refuses_writes_until_there_is_room() {
    check_failure(FULL, |error| matches!(error, Error::Full(_)));
}

#[test]
fn a_full_disk_has_room_for_deletions() {
    let folder = tempfile::tempdir().expect("a directory for the test");
    let store = open(folder.path());
    let revision = put(&store, "/a", "1").expect("the disk works");
    fs::write(folder.path().join(FULL), "").expect("it can be written");
    assert!(put(&store, "/a", "2").is_err());
    drop(store);
    let store = open(folder.path());
    assert_eq!(show(&store), format!("/a=1@{revision}"), "it opens and reads");
    assert!(put(&store, "/b", "1").is_err());
    store.delete(b"/a", revision).expect("there is room for that");
    assert_eq!(show(&store), "");
    assert!(!folder.path().join(SPARE).exists());
    drop(store);
    fs::remove_file(folder.path().join(FULL)).expect("it is there");
    let store = open(folder.path());
    assert!(folder.path().join(SPARE).exists(), "room is kept back again");
    assert_eq!(show(&store), "");
}

#[test]
fn a_disk_that_cannot_sync_refuses_writes_until_it_can() {
    check_failure(BROKEN, |error| {
        matches!(error, Error::Unknown(_) | Error::Unavailable(_))
    });
}

#[test]
fn a_disk_recovers_without_a_write() {
    let folder = tempfile::tempdir().expect("a directory for the test");
    let store = open(folder.path());
    fs::write(folder.path().join(FULL), "").expect("it can be written");
    assert!(put(&store, "/a", "1").is_err());
    assert!(store.expire(0).is_ok() && store.health().is_err());
    fs::remove_file(folder.path().join(FULL)).expect("it is there");
    eventually(|| store.expire(0).and_then(|()| store.health()));
}

#[test]
fn concurrent_writers_agree_with_the_disk() {
    let folder = tempfile::tempdir().expect("a directory for the test");
    let store = open(folder.path());
    let written: Vec<String> = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..4)
            .map(|writer| {
                let (store, folder) = (&store, folder.path());
                scope.spawn(move || {
                    let mut written = Vec::new();
                    for number in 0..40 {
                        if writer == 0 && number % 10 == 5 {
                            fs::write(folder.join(FULL), "").expect("it can be written");
                        }
                        let key = format!("/{writer}/{number:02}");
                        if put(store, &key, "x").is_ok() {
                            written.push(key.clone());
                        }
                        if writer == 0 && number % 10 == 7 {
                            fs::remove_file(folder.join(FULL)).expect("it is there");
                            eventually(|| put(store, &key, "y"));
                            written.push(key);
                        }
                    }
                    written
                })
            })
            .collect();
        let written = writers.into_iter().map(|writer| writer.join().expect("no panic"));
        written.flatten().collect()
    });
    let mut written = written;
    written.sort();
    written.dedup();
    let names = |store: &dyn Store| -> Vec<String> {
        let page = store.list(&List::of(b"/")).expect("reads work");
        let keys = page.entries.iter();
        keys.map(|entry| String::from_utf8_lossy(&entry.key).into_owned())
            .collect()
    };
    assert_eq!(names(&store), written, "exactly what was acknowledged");
    let revision = store.revision();
    drop(store);
    let store = open(folder.path());
    assert_eq!((names(&store), store.revision()), (written, revision));
}

#[test]
fn the_file_shrinks_after_compaction_and_keeps_everything() {
    let folder = tempfile::tempdir().expect("a directory for the test");
    let store = open(folder.path());
    let large = "x".repeat(1 << 20);
    let mark = Mark {
        revision: 7,
        seconds: 8,
    };
    store.set_mark(mark).expect("the disk works");
    for number in 0..40 {
        put(&store, "/large", &large).expect("the disk works");
        put(&store, &format!("/small/{number:02}"), "x").expect("the disk works");
    }
    let size = || fs::metadata(folder.path().join("store.redb")).map_or(0, |metadata| metadata.len());
    assert!(size() > 32 << 20, "{}", size());
    let before = show(&store);
    store.compact(store.seen()).expect("the disk works");
    assert!(size() < 8 << 20, "{}", size());
    put(&store, "/after", "x").expect("the disk works");
    let (before, revision) = (format!("/after=x@{} {before}", store.seen()), store.revision());
    drop(store);
    let store = open(folder.path());
    assert_eq!(
        (show(&store), store.revision(), store.mark()),
        (before, revision, Some(mark))
    );
}
