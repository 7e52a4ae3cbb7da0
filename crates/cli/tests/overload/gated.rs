//! A store whose lists under a prefix wait until the test lets them pass.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use kindsmith_store::{Bytes, Entry, Error, List, Memory, Page, Store, Ttl, Watch};

pub(crate) struct Gated {
    memory: Memory,
    prefix: &'static [u8],
    state: Mutex<State>,
    changed: Condvar,
    fails: AtomicBool,
}

#[derive(Default)]
struct State {
    /// How many lists are waiting, and how many were at once.
    waiting: usize,
    most: usize,
    /// How many may pass.
    passes: usize,
    is_open: bool,
}

impl Gated {
    pub(crate) fn new(prefix: &'static [u8]) -> Self {
        Gated {
            memory: Memory::new(),
            prefix,
            state: Mutex::default(),
            changed: Condvar::new(),
            fails: AtomicBool::new(false),
        }
    }

    /// Returns when this many lists wait.
    pub(crate) fn wait_for(&self, waiting: usize) {
        let end = Instant::now() + Duration::from_mins(1);
        let mut state = self.lock();
        while state.waiting < waiting {
            assert!(Instant::now() < end, "{} lists wait", state.waiting);
            let waited = self.changed.wait_timeout(state, Duration::from_secs(1));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Lets one list pass, and waits for a moment in which others can start.
    pub(crate) fn let_one_pass(&self) {
        self.lock().passes += 1;
        self.changed.notify_all();
        let state = self.lock();
        drop(self.changed.wait_timeout(state, Duration::from_millis(300)));
    }

    pub(crate) fn open(&self) {
        self.lock().is_open = true;
        self.changed.notify_all();
    }

    pub(crate) fn most(&self) -> usize {
        self.lock().most
    }

    pub(crate) fn fail(&self, fails: bool) {
        self.fails.store(fails, Ordering::SeqCst);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pass(&self) {
        let mut state = self.lock();
        state.waiting += 1;
        state.most = state.most.max(state.waiting);
        self.changed.notify_all();
        while !state.is_open && state.passes == 0 {
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        state.passes = state.passes.saturating_sub(1);
        state.waiting -= 1;
    }
}

impl Store for Gated {
    fn revision(&self) -> Result<u64, Error> {
        self.memory.revision()
    }

    fn health(&self) -> Result<(), Error> {
        if self.fails.load(Ordering::SeqCst) {
            Err(Error::Full("the disk is full".into()))
        } else {
            Ok(())
        }
    }

    fn get(&self, key: &[u8], at: Option<u64>) -> Result<Option<Entry>, Error> {
        self.memory.get(key, at)
    }

    fn list(&self, list: &List<'_>) -> Result<Page, Error> {
        if list.prefix.starts_with(self.prefix) {
            self.pass();
        }
        self.memory.list(list)
    }

    fn update(&self, key: &[u8], value: Bytes, expected: u64) -> Result<u64, Error> {
        self.memory.update(key, value, expected)
    }

    fn update_with_ttl(&self, key: &[u8], value: Bytes, expected: u64, ttl: Ttl) -> Result<u64, Error> {
        self.memory.update_with_ttl(key, value, expected, ttl)
    }

    fn delete(&self, key: &[u8], expected: u64) -> Result<u64, Error> {
        self.memory.delete(key, expected)
    }

    fn compact(&self, to: u64) -> Result<(), Error> {
        self.memory.compact(to)
    }

    fn watch(&self, prefix: &[u8], after: u64) -> Result<Watch, Error> {
        self.memory.watch(prefix, after)
    }

    fn seen(&self) -> u64 {
        self.memory.seen()
    }
}
