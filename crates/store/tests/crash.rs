//! Kills a writing process many times: no acknowledged write may be lost, and none may be torn.
//!
//! The test starts itself as the process to be killed, which opens the store, writes from several threads,
//! compacts now and then, and prints a line for every write that returned. It is killed after a random number
//! of lines, often while it opens or creates the store. `KINDSMITH_STORE_KILLS=300 cargo test -p
//! kindsmith-store --test crash` kills more often.

#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its cases and starts what it needs"
)]

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::{env, io, thread};

use kindsmith_store::{Disk, Entry, List, Store};

const FOLDER: &str = "KINDSMITH_STORE_CRASH_FOLDER";
const KILLS: &str = "KINDSMITH_STORE_KILLS";
const SEED: &str = "KINDSMITH_STORE_SEED";
/// After this many kills a new directory is used, so that creation is tested too.
const LIFE: u64 = 10;
const WRITERS: u64 = 4;
const KEYS: u64 = 6;

fn main() -> ExitCode {
    if let Ok(folder) = env::var(FOLDER) {
        write_until_killed(Path::new(&folder));
    }
    let number = |name| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let kills = number(KILLS).unwrap_or(40);
    let seed = number(SEED).unwrap_or_else(|| u64::from(std::process::id()));
    let mut random = Random(seed | 1);
    let (mut acknowledged, mut most) = (0, 0);
    for first in (0..kills).step_by(usize::try_from(LIFE).expect("it is a small number")) {
        let folder = tempfile::tempdir().expect("there is room for a store");
        let mut acks = Acks::default();
        for kill in first..kills.min(first + LIFE) {
            let lines = run_and_kill(folder.path(), &mut random);
            acknowledged += lines.len();
            lines.iter().for_each(|line| acks.add(line));
            if let Err(why) = acks.check(folder.path()) {
                say(&format!("kill {kill}, {SEED}={seed}: {why}"));
                return ExitCode::FAILURE;
            }
        }
        most = most.max(acks.newest);
    }
    if acknowledged == 0 {
        say("no process lived long enough to write anything");
        return ExitCode::FAILURE;
    }
    say(&format!(
        "{kills} kills, {acknowledged} acknowledged writes, none lost, up to revision {most}"
    ));
    ExitCode::SUCCESS
}

fn say(line: &str) {
    writeln!(io::stdout(), "{line}").expect("stdout can be written");
}

/// Starts a writer, kills it at a random moment, and returns its complete lines.
fn run_and_kill(folder: &Path, random: &mut Random) -> Vec<String> {
    let own = env::current_exe().expect("the test is a file");
    let mut command = Command::new(own);
    let mut child = command
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the test can be started");
    let mut output = BufReader::new(child.stdout.take().expect("it is a pipe"));
    let wanted = match random.below(4) {
        0 => 0,
        1 => random.below(8),
        _ => random.below(200),
    };
    let mut lines = Vec::new();
    for _ in 0..wanted {
        match line(&mut output) {
            Some(line) => lines.push(line),
            None => break,
        }
    }
    // Sometimes waits a little, so that the kill does not always follow a line.
    for _ in 0..random.below(3) * random.below(2_000) {
        thread::yield_now();
    }
    kill(&mut child);
    lines.extend(std::iter::from_fn(|| line(&mut output)));
    lines
}

/// Reads a line; one without its end was cut off by the kill and is ignored.
fn line(output: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    output.read_line(&mut line).expect("a pipe can be read");
    line.strip_suffix('\n').map(str::to_owned)
}

fn kill(child: &mut Child) {
    child.kill().expect("SIGKILL can be sent");
    let status = child.wait().expect("it was our child");
    assert!(status.code().is_none(), "the writer ended by itself: {status}");
}

/// The child: never returns.
fn write_until_killed(folder: &Path) -> ! {
    let disk = Disk::open(folder).unwrap_or_else(|error| panic!("the store cannot be opened: {error}"));
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let disk = &disk;
            scope.spawn(move || write_for_ever(disk, writer));
        }
    });
    unreachable!("writers never return")
}

fn write_for_ever(disk: &Disk, writer: u64) {
    let mut random = Random(u64::from(std::process::id()) * WRITERS + writer + 1);
    loop {
        let key = format!("/{writer}/{}", random.below(KEYS));
        let current = disk.get(key.as_bytes(), None).expect("it can be read");
        let expected = current.as_ref().map_or(0, |entry| entry.modified);
        let deletes = current.is_some() && random.below(5) == 0;
        let length = random.below(3_000);
        let answer = if deletes {
            disk.delete(key.as_bytes(), expected)
        } else {
            disk.update(key.as_bytes(), value(&key, length).into(), expected)
        };
        let revision = answer.expect("every writer has its own keys");
        let what = if deletes {
            "deleted".to_owned()
        } else {
            length.to_string()
        };
        // One call per line: lines of several threads do not mix, and a pipe writes short ones atomically.
        say(&format!("{revision} {key} {what}"));
        if random.below(30) == 0 {
            disk.compact(revision.saturating_sub(random.below(20)))
                .expect("it was visible");
        }
    }
}

/// A value that shows whether it is complete: it is derived from its length and key.
fn value(key: &str, length: u64) -> Vec<u8> {
    let head = format!("{key} {length} ");
    let body = (0..length).map(|index| (index * 7 + length) as u8);
    head.into_bytes().into_iter().chain(body).collect()
}

fn is_whole(entry: &Entry) -> bool {
    let key = String::from_utf8_lossy(&entry.key);
    let head = key.len() + 1;
    let digits = entry
        .value
        .iter()
        .skip(head)
        .take_while(|byte| byte.is_ascii_digit());
    let length = digits.fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'));
    *entry.value == *value(&key, length)
}

/// The writers' output.
#[derive(Default)]
struct Acks {
    /// Revision and length of the value of the last write of each key.
    last: HashMap<String, (u64, Option<u64>)>,
    /// All of them.
    all: Vec<(u64, String, Option<u64>)>,
    newest: u64,
}

impl Acks {
    fn add(&mut self, line: &str) {
        let mut words = line.split(' ');
        let (Some(revision), Some(key), Some(what)) = (words.next(), words.next(), words.next()) else {
            panic!("the writer said {line:?}");
        };
        let revision: u64 = revision
            .parse()
            .unwrap_or_else(|_| panic!("the writer said {line:?}"));
        let length = what.parse().ok();
        self.all.push((revision, key.to_owned(), length));
        self.newest = self.newest.max(revision);
        let last = self.last.entry(key.to_owned()).or_insert((0, None));
        if last.0 < revision {
            *last = (revision, length);
        }
    }

    /// Opens the store, which also checks every record and that no revision is missing, and checks all
    /// writes.
    fn check(&self, folder: &Path) -> Result<(), String> {
        let disk = Disk::open(folder).map_err(|error| error.to_string())?;
        let current = disk.revision().map_err(|error| error.to_string())?;
        if current < self.newest {
            return Err(format!(
                "revision {} was acknowledged, {current} is the newest",
                self.newest
            ));
        }
        let page = disk.list(&List::of(b"/")).map_err(|error| error.to_string())?;
        if let Some(torn) = page.entries.iter().find(|entry| !is_whole(entry)) {
            return Err(format!("the value of revision {} is torn", torn.modified));
        }
        for (key, (revision, length)) in &self.last {
            let there = disk
                .get(key.as_bytes(), None)
                .map_err(|error| error.to_string())?;
            let is_newer = there.as_ref().is_some_and(|entry| entry.modified > *revision);
            if !is_newer
                && !is(there.as_ref(), key, *revision, *length)
                && !self.deleted_later(&disk, key, *revision)
            {
                return Err(format!("revision {revision} of {key} is lost"));
            }
        }
        // The history, as far as it is kept.
        for (revision, key, length) in &self.all {
            if let Ok(there) = disk.get(key.as_bytes(), Some(*revision))
                && !is(there.as_ref(), key, *revision, *length)
            {
                return Err(format!("revision {revision} of {key} is not what it was"));
            }
        }
        Ok(())
    }

    /// Whether an unacknowledged deletion explains why a key is gone: its revision must be higher, and not
    /// acknowledged for another write.
    fn deleted_later(&self, disk: &Disk, key: &str, revision: u64) -> bool {
        let Ok(watch) = disk.watch(key.as_bytes(), revision) else {
            // Compacted by a process that was killed before it could report its writes.
            return disk.get(key.as_bytes(), None) == Ok(None)
                && disk.revision().is_ok_and(|now| now > revision);
        };
        let mut watch = watch;
        let mut later = std::iter::from_fn(|| watch.try_next().ok().flatten());
        later.any(|event| event.value.is_none())
    }
}

fn is(there: Option<&Entry>, key: &str, revision: u64, length: Option<u64>) -> bool {
    match (there, length) {
        (None, None) => true,
        (Some(entry), Some(length)) => entry.modified == revision && *entry.value == *value(key, length),
        _ => false,
    }
}

/// xorshift64*: random enough to choose when to kill, and reproducible.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) % bound
    }
}
