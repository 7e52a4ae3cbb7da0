//! Properties of the stores of one process.

use kindsmith_store::{Disk, Error, List, Memory, Store, Ttl};

#[test]
fn a_directory_has_one_owner() {
    let folder = tempfile::tempdir().expect("there is room for a store");
    let disk = Disk::open(folder.path()).expect("an empty directory can be opened");
    assert!(matches!(Disk::open(folder.path()), Err(Error::Unavailable(_))));
    drop(disk);
    assert!(Disk::open(folder.path()).is_ok());
}

#[test]
fn expired_entries_are_deleted_unless_written_again() {
    let folder = tempfile::tempdir().expect("there is room for a store");
    let disk = || Disk::open(folder.path()).expect("a directory can be opened");
    let check = |store: &dyn Store| {
        let write = |key: &[u8], expected, now, seconds| {
            store.update_with_ttl(key, b"x"[..].into(), expected, Ttl { now, seconds })
        };
        assert_eq!(write(b"/a", 0, 100, 10), Ok(2));
        assert_eq!(write(b"/b", 0, 100, 10), Ok(3));
        assert_eq!(write(b"/c", 0, 100, 10), Ok(4));
        assert_eq!(write(b"/c", 4, 105, 10), Ok(5));
        assert_eq!(store.update(b"/b", b"stays"[..].into(), 3), Ok(6));
        assert!(matches!(write(b"/b", 3, 0, 1), Err(Error::Conflict(Some(_)))));
        assert_eq!(store.expire(109), Ok(()));
        assert_eq!(list(store), "/a=x@2 /b=stays@6 /c=x@5");
        assert_eq!(store.expire(110), Ok(()));
        assert_eq!(list(store), "/b=stays@6 /c=x@5");
        let mut watch = store.watch(b"/", 6).expect("nothing is compacted");
        let event = watch.try_next().expect("the watch goes on").expect("it is there");
        assert_eq!(
            (event.revision, &*event.key, &event.value),
            (7, &b"/a"[..], &None)
        );
        assert_eq!(store.delete(b"/c", 5), Ok(8));
        assert_eq!(write(b"/d", 0, u64::MAX, 5), Ok(9));
        assert_eq!(write(b"/e", 0, 200, 5), Ok(10));
        assert_eq!(store.expire(150), Ok(()));
        assert_eq!(store.revision(), Ok(10));
    };
    check(&Memory::new());
    check(&disk());
    let store = disk();
    assert_eq!(store.expire(205), Ok(()), "it outlives the process");
    assert_eq!(list(&store), "/b=stays@6 /d=x@9");
}

fn list(store: &dyn Store) -> String {
    let page = store.list(&List::of(b"/")).expect("it can be listed");
    let text = String::from_utf8_lossy;
    let entries = page.entries.iter();
    let shown =
        entries.map(|entry| format!("{}={}@{}", text(&entry.key), text(&entry.value), entry.modified));
    shown.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_fork_goes_its_own_way() {
    let store = Memory::new();
    let created = store.create(b"/a", b"1"[..].into()).expect("it is new");
    let fork = store.fork();
    assert_eq!(fork.update(b"/a", b"2"[..].into(), created), Ok(created + 1));
    assert_eq!(store.create(b"/b", b"3"[..].into()), Ok(created + 1));
    let value = |store: &Memory, key: &[u8]| {
        store
            .get(key, None)
            .ok()
            .flatten()
            .map(|entry| entry.value.to_vec())
    };
    assert_eq!(value(&store, b"/a"), Some(b"1".to_vec()));
    assert_eq!(
        (value(&fork, b"/a"), value(&fork, b"/b")),
        (Some(b"2".to_vec()), None)
    );
    assert!(
        fork.get(b"/a", Some(created)).is_ok_and(|entry| entry.is_some()),
        "the past is there too"
    );
}
