//! Writes that wait for the disk together. Must not know the disk.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use super::backend::Trouble;
use crate::Error;
use crate::history::Staged;

/// The writes waiting for the disk.
#[derive(Debug)]
pub(super) struct Group {
    /// In the order of their revisions.
    staged: Vec<Staged>,
    /// What happens to them.
    ticket: Arc<Ticket>,
    /// Everything up to this revision is on disk and visible.
    pub(super) durable: u64,
    /// What the disk is busy with.
    pub(super) running: Option<Batch>,
    /// Why the last write failed.
    pub(super) trouble: Option<Failed>,
}

/// The outcome of the writes of a group, once it is known.
pub(super) type Ticket = OnceLock<Result<(), Error>>;

/// Writes on their way to the disk.
#[derive(Debug, Clone)]
pub(super) struct Batch {
    last: u64,
    pub(super) ticket: Arc<Ticket>,
}

/// A failure, and when to try again.
#[derive(Debug, Clone)]
pub(super) struct Failed {
    pub(super) trouble: Trouble,
    /// Whether the database must be opened again first.
    pub(super) is_broken: bool,
    pub(super) retry: Instant,
}

impl Group {
    pub(super) fn new(durable: u64) -> Self {
        Self {
            staged: Vec::new(),
            ticket: Arc::default(),
            durable,
            running: None,
            trouble: None,
        }
    }

    /// Adds a write; the ticket tells its outcome.
    pub(super) fn add(&mut self, write: Staged) -> Arc<Ticket> {
        self.staged.push(write);
        Arc::clone(&self.ticket)
    }

    /// Returns the ticket of a staged revision; `None` if it is durable.
    pub(super) fn ticket_of(&self, revision: u64) -> Option<Arc<Ticket>> {
        match &self.running {
            _ if revision <= self.durable => None,
            Some(batch) if revision <= batch.last => Some(Arc::clone(&batch.ticket)),
            _ => Some(Arc::clone(&self.ticket)),
        }
    }

    /// Takes the waiting writes to be written, as what the disk is busy with.
    pub(super) fn start(&mut self) -> (Vec<Staged>, Batch) {
        let staged = std::mem::take(&mut self.staged);
        let batch = Batch {
            last: staged.last().map_or(self.durable, |write| write.revision),
            ticket: std::mem::take(&mut self.ticket),
        };
        self.running = Some(batch.clone());
        (staged, batch)
    }

    /// Occupies the disk with something that is not a write.
    pub(super) fn occupy(&mut self) {
        self.running = Some(Batch {
            last: self.durable,
            ticket: Arc::default(),
        });
    }

    /// Gives up the writes that wait.
    pub(super) fn give_up(&mut self, error: &Error) {
        self.staged.clear();
        let _ = std::mem::take(&mut self.ticket).set(Err(error.clone()));
    }
}

impl Batch {
    pub(super) fn last(&self) -> u64 {
        self.last
    }

    pub(super) fn tell(&self, outcome: Result<(), Error>) {
        let _ = self.ticket.set(outcome);
    }
}
