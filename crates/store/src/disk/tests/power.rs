//! Power cuts on a simulated disk, which are worse than kills: any part of unsynced data may survive, down to
//! the sector.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use redb::{Database, StorageBackend};

use crate::disk::log::Log;
use crate::history::{History, Staged};

const SECTOR: usize = 512;

/// A disk with a volatile cache.
#[derive(Debug, Default)]
struct Medium {
    /// The content that survives a power cut.
    synced: Vec<u8>,
    /// The content that the system shows.
    shown: Vec<u8>,
    /// Changes since the last sync, in order: a new length, or bytes at an offset.
    cached: Vec<Change>,
    /// The power fails after this many changes and syncs.
    left: u64,
}

#[derive(Debug)]
enum Change {
    Length(usize),
    Write(usize, Vec<u8>),
}

impl Medium {
    fn spend(&mut self) -> io::Result<()> {
        self.left = self
            .left
            .checked_sub(1)
            .ok_or_else(|| io::Error::other("no power"))?;
        Ok(())
    }

    /// Power returns: some sectors of the cache were written, others were not.
    fn recover(&mut self, random: &mut Random) {
        for change in std::mem::take(&mut self.cached) {
            match change {
                Change::Length(length) if random.below(2) == 0 => self.synced.resize(length, 0),
                Change::Length(_) => {}
                Change::Write(offset, bytes) => {
                    for (index, sector) in bytes.chunks(SECTOR).enumerate() {
                        if random.below(2) == 0 {
                            write(&mut self.synced, offset + index * SECTOR, sector);
                        }
                    }
                }
            }
        }
        self.shown = self.synced.clone();
    }
}

fn write(bytes: &mut Vec<u8>, offset: usize, new: &[u8]) {
    let end = offset + new.len();
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    bytes[offset..end].copy_from_slice(new);
}

#[derive(Clone, Debug, Default)]
struct Disk(Arc<Mutex<Medium>>);

impl Disk {
    fn with<T>(&self, act: impl FnOnce(&mut Medium) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn database(&self) -> Database {
        let opened = Database::builder().create_with_backend(self.clone());
        opened.expect("what was synced can be opened")
    }
}

fn index(number: u64) -> usize {
    usize::try_from(number).expect("the simulated disk is small")
}

impl StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        self.with(|medium| Ok(medium.shown.len() as u64))
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.with(|medium| {
            let bytes = medium.shown.get(index(offset)..index(offset) + out.len());
            out.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
            Ok(())
        })
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.with(|medium| {
            medium.spend()?;
            medium.shown.resize(index(len), 0);
            medium.cached.push(Change::Length(index(len)));
            Ok(())
        })
    }

    fn sync_data(&self) -> io::Result<()> {
        self.with(|medium| {
            medium.spend()?;
            medium.synced.clone_from(&medium.shown);
            medium.cached.clear();
            Ok(())
        })
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.with(|medium| {
            medium.spend()?;
            write(&mut medium.shown, index(offset), data);
            medium.cached.push(Change::Write(index(offset), data.to_vec()));
            Ok(())
        })
    }
}

/// Appends groups until the power fails; returns the last acknowledged revision and the last attempted one.
fn write_until_cut(log: &Log, history: &History, random: &mut Random) -> (u64, u64) {
    let mut last = history.visible();
    loop {
        let group: Vec<_> = (last + 1..=last + 1 + random.below(5)).map(staged).collect();
        let tried = last + group.len() as u64;
        if log.append(&group).is_err() {
            return (last, tried);
        }
        last = tried;
    }
}

/// The write of a revision, each with its own key.
fn staged(revision: u64) -> Staged {
    let value = vec![revision as u8; index(revision * 37 % 3_000)];
    Staged {
        revision,
        key: format!("/{revision}").into_bytes().into(),
        value: Some(value.into()),
        expires: 0,
    }
}

fn check(history: &History, acknowledged: u64, tried: u64) {
    let visible = history.visible();
    assert!(
        [acknowledged, tried].contains(&visible),
        "{visible}: a group is there whole or not at all"
    );
    for revision in 2..=visible {
        let write = staged(revision);
        let entry = history
            .get(&write.key, None)
            .expect("the newest state can be read");
        assert_eq!(entry.map(|entry| entry.value), write.value, "revision {revision}");
    }
}

#[test]
fn a_power_cut_neither_loses_nor_tears_acknowledged_writes() {
    for seed in 1..=24 {
        let mut random = Random(seed);
        let disk = Disk::default();
        disk.with(|medium| medium.left = u64::MAX);
        drop(Log::create(disk.database()).expect("there is power"));
        let (mut acknowledged, mut tried) = (1, 1);
        for _ in 0..4 {
            let (log, history) = Log::open(disk.database()).expect("what was synced can be read");
            check(&history, acknowledged, tried);
            let left = random.below(150);
            disk.with(|medium| medium.left = left);
            (acknowledged, tried) = write_until_cut(&log, &history, &mut random);
            drop(log);
            disk.with(|medium| {
                medium.recover(&mut random);
                medium.left = u64::MAX;
            });
        }
        assert!(acknowledged > 1, "something was written");
    }
}

/// xorshift64*.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) % bound
    }
}

/// A log and the same writes in memory.
struct Pair {
    log: Log,
    history: History,
}

impl Pair {
    /// Writes and compacts until the power fails; returns the revisions of the last acknowledged and attempted writes of
    /// each key.
    fn work_until_cut(&mut self, random: &mut Random) -> [(u64, u64); KEYS] {
        let mut known = [(0, 0); KEYS];
        for (number, known) in known.iter_mut().enumerate() {
            let entry = self
                .history
                .get(&name(number), None)
                .expect("the newest state can be read");
            let modified = entry.map_or(0, |entry| entry.modified);
            *known = (modified, modified);
        }
        loop {
            let visible = self.history.visible();
            if random.below(4) == 0 && visible > 2 {
                let to = visible - random.below(2);
                let Ok(Some(superseded)) = self.history.superseded(to) else {
                    continue;
                };
                if self.log.compact(to, &superseded).is_err() {
                    return known;
                }
                self.history.compact(to);
                continue;
            }
            let number = index(random.below(KEYS as u64));
            let entry = self
                .history
                .get(&name(number), None)
                .expect("the newest state can be read");
            let expected = entry.map_or(0, |entry| entry.modified);
            let value = vec![(visible + 1) as u8; index(random.below(2_000))];
            let staged = self.history.stage(&name(number), Some(value.into()), expected, 0);
            let staged = staged.expect("nobody else writes");
            known[number].1 = staged.revision;
            if self.log.append(std::slice::from_ref(&staged)).is_err() {
                return known;
            }
            known[number].0 = staged.revision;
            self.history.publish(staged.revision).for_each(drop);
        }
    }
}

const KEYS: usize = 4;

fn name(number: usize) -> Vec<u8> {
    format!("/{number}").into_bytes()
}

#[test]
fn a_power_cut_during_compaction_keeps_the_newest_state() {
    for seed in 1..=24 {
        let mut random = Random(seed * 77);
        let disk = Disk::default();
        disk.with(|medium| medium.left = u64::MAX);
        drop(Log::create(disk.database()).expect("there is power"));
        let mut known = [(0, 0); KEYS];
        for _ in 0..4 {
            let (log, history) = Log::open(disk.database()).expect("what was synced can be read");
            for (number, (acknowledged, tried)) in known.into_iter().enumerate() {
                let entry = history
                    .get(&name(number), None)
                    .expect("the newest state can be read");
                let there = entry.as_ref().map_or(0, |entry| entry.modified);
                assert!(
                    there == acknowledged || there == tried,
                    "{there}, not {acknowledged} or {tried}"
                );
                let is_whole = |entry: &crate::Entry| entry.value.iter().all(|byte| *byte == there as u8);
                assert!(entry.as_ref().is_none_or(is_whole), "seed {seed}");
            }
            let left = random.below(400);
            disk.with(|medium| medium.left = left);
            let mut pair = Pair { log, history };
            known = pair.work_until_cut(&mut random);
            drop(pair);
            disk.with(|medium| {
                medium.recover(&mut random);
                medium.left = u64::MAX;
            });
        }
    }
}
