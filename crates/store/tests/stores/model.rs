//! The simplest model of a store: the list of all writes.

use kindsmith_store::{Entry, Error, List, Page, Store};
use proptest::prelude::*;

use super::{Seen, drain, text};

/// All writes ever, in order: revision, key, value.
#[derive(Default)]
struct Model {
    writes: Vec<(u64, String, Option<String>)>,
    compacted: u64,
}

impl Model {
    fn revision(&self) -> u64 {
        self.writes.len() as u64 + 1
    }

    fn get(&self, key: &str, at: u64) -> Option<Entry> {
        let before = self.writes.iter().rev().filter(|write| write.0 <= at);
        let (modified, key, value) = before.into_iter().find(|write| write.1 == key)?;
        let value = value.as_ref()?;
        Some(Entry {
            key: key.as_bytes().into(),
            value: value.as_bytes().into(),
            modified: *modified,
        })
    }

    fn readable(&self, at: u64) -> Result<(), Error> {
        let (compacted, current) = (self.compacted, self.revision());
        if at < compacted {
            return Err(Error::Compacted { at, compacted });
        }
        if at > current {
            Err(Error::Future { at, current })
        } else {
            Ok(())
        }
    }

    fn write(&mut self, key: &str, value: Option<&str>, expected: u64) -> Result<u64, Error> {
        let current = self.get(key, u64::MAX);
        let modified = current.as_ref().map_or(0, |entry| entry.modified);
        if modified != expected || (value.is_none() && current.is_none()) {
            return Err(Error::Conflict(current));
        }
        let revision = self.revision() + 1;
        self.writes
            .push((revision, key.to_owned(), value.map(str::to_owned)));
        Ok(revision)
    }

    fn list(&self, list: &List<'_>) -> Result<Page, Error> {
        let at = list.at.unwrap_or(self.revision());
        self.readable(at)?;
        let keys: std::collections::BTreeSet<_> = self.writes.iter().map(|write| &write.1).collect();
        let ours = keys
            .into_iter()
            .filter(|key| key.as_bytes().starts_with(list.prefix));
        let behind = ours.filter(|key| list.start.is_none_or(|start| key.as_bytes() >= start));
        let mut entries: Vec<_> = behind.filter_map(|key| self.get(key, at)).collect();
        let limit = if list.limit == 0 {
            entries.len()
        } else {
            list.limit.min(entries.len())
        };
        let remaining = (entries.len() - limit) as u64;
        entries.truncate(limit);
        Ok(Page {
            entries,
            revision: at,
            remaining,
        })
    }

    fn events(&self, prefix: &str, after: u64) -> Vec<Seen> {
        let ours = self
            .writes
            .iter()
            .filter(|write| write.0 > after && write.1.starts_with(prefix));
        let previous = |key: &str, at| self.get(key, at).map(|entry| text(&entry.value));
        ours.map(|(revision, key, value)| {
            (*revision, key.clone(), value.clone(), previous(key, revision - 1))
        })
        .collect()
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Key, value, and the offset of the expected revision.
    Write(String, Option<String>, u64),
    /// The distance from the newest revision.
    Compact(u64),
    Look {
        key: String,
        prefix: String,
        back: u64,
        limit: usize,
    },
    Reopen,
}

fn key() -> impl Strategy<Value = String> {
    "/[ab]/[a-c]{1,2}"
}

pub(crate) fn step() -> impl Strategy<Value = Step> {
    let off = prop_oneof![8 => Just(0_u64), 1 => 1..4_u64];
    let value = prop::option::weighted(0.75, "[a-z]{0,6}");
    let prefix = prop_oneof!["/", "/[ab]/", "/[ab]/[a-c]"];
    prop_oneof![
        8 => (key(), value, off).prop_map(|(key, value, off)| Step::Write(key, value, off)),
        1 => (0..6_u64).prop_map(Step::Compact),
        4 => (key(), prefix, 0..12_u64, 0..4_usize)
            .prop_map(|(key, prefix, back, limit)| Step::Look { key, prefix, back, limit }),
        1 => Just(Step::Reopen),
    ]
}

fn write(store: &dyn Store, model: &mut Model, key: &str, value: Option<&str>, off: u64) {
    let modified = model.get(key, u64::MAX).map_or(0, |entry| entry.modified);
    let expected = modified + off;
    let answer = match value {
        Some(value) => store.update(key.as_bytes(), value.as_bytes().into(), expected),
        None => store.delete(key.as_bytes(), expected),
    };
    assert_eq!(answer, model.write(key, value, expected));
}

fn look(store: &dyn Store, model: &Model, key: &str, prefix: &str, back: u64, limit: usize) {
    // Includes one revision after the newest, and none before the first: an etcd compacted before its first
    // revision is not compacted at all.
    let at = (model.revision() + 1).saturating_sub(back).max(1);
    let readable = model.readable(at);
    assert_eq!(
        store.get(key.as_bytes(), Some(at)),
        readable.clone().map(|()| model.get(key, at))
    );
    assert_eq!(store.get(key.as_bytes(), None), Ok(model.get(key, u64::MAX)));
    for at in [Some(at), None] {
        let page = List {
            start: Some(key.as_bytes()),
            limit,
            at,
            ..List::of(prefix.as_bytes())
        };
        assert_eq!(store.list(&page), model.list(&page));
    }
    let events = store
        .watch(prefix.as_bytes(), at)
        .map(|mut watch| drain(&mut watch));
    assert_eq!(events, readable.map(|()| model.events(prefix, at)));
}

/// Runs the steps; `reopen` gets the store and returns it after a restart.
pub(crate) fn check<S: Store>(mut store: S, steps: &[Step], reopen: impl Fn(S) -> S) {
    let mut model = Model::default();
    let mut watch = store.watch(b"/a/", 1).expect("nothing is compacted");
    let (mut taken, mut since) = (Vec::new(), 1);
    for step in steps {
        match step {
            Step::Write(key, value, off) => write(&store, &mut model, key, value.as_deref(), *off),
            Step::Compact(back) => {
                let to = model.revision().saturating_sub(*back);
                assert_eq!(store.compact(to), Ok(()));
                model.compacted = model.compacted.max(to);
            }
            Step::Look {
                key,
                prefix,
                back,
                limit,
            } => {
                look(&store, &model, key, prefix, *back, *limit);
                taken.extend(drain(&mut watch));
            }
            Step::Reopen => {
                taken.extend(drain(&mut watch));
                assert_eq!(std::mem::take(&mut taken), model.events("/a/", since));
                store = reopen(store);
                since = model.revision();
                watch = store.watch(b"/a/", since).expect("the newest revision is there");
            }
        }
        assert_eq!(store.revision(), Ok(model.revision()));
    }
    taken.extend(drain(&mut watch));
    assert_eq!(taken, model.events("/a/", since));
}
