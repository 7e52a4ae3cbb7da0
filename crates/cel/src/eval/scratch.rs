//! Memory for the results of an evaluation.

use std::cell::{Cell, OnceCell};

use kindsmith_json::Arena;

use super::value::Ext;

/// How many bytes evaluations with one scratch may make. No object is that large: what is larger was made by an expression
/// that multiplies its input.
const MADE: u64 = 1 << 28;

/// How much memory is kept for the next evaluation.
const KEPT: usize = 1 << 20;

/// Where an evaluation puts what it makes. Reset it between evaluations to reuse the memory.
pub struct Scratch {
    arena: Arena,
    /// How many bytes were made, and how many may be.
    made: Cell<u64>,
    limit: u64,
    /// Values that own memory: the arena would not free it.
    first: OnceCell<Box<Link>>,
}

struct Link {
    value: Ext,
    next: OnceCell<Box<Link>>,
}

impl Drop for Link {
    fn drop(&mut self) {
        // One after the other, since dropping a long chain link by link would exhaust the stack.
        let mut next = self.next.take();
        while let Some(mut link) = next {
            next = link.next.take();
        }
    }
}

impl Scratch {
    /// Empty memory.
    pub fn new() -> Scratch {
        Scratch::limited(MADE)
    }

    /// Memory for this many bytes.
    pub fn limited(limit: u64) -> Scratch {
        Scratch {
            arena: Arena::new(),
            made: Cell::new(0),
            limit,
            first: OnceCell::new(),
        }
    }

    /// Frees everything made so far, keeping some memory for the next evaluation.
    pub fn reset(&mut self) {
        if self.arena.allocated_bytes() > KEPT {
            self.arena = Arena::new();
        } else {
            self.arena.reset();
        }
        self.made.set(0);
        self.first.take();
    }

    /// Pays for bytes before they are made: whether there are as many left.
    #[inline]
    pub(crate) fn pay(&self, bytes: u64) -> bool {
        let made = self.made.get().saturating_add(bytes);
        self.made.set(made);
        made <= self.limit
    }

    /// Whether as many bytes are left.
    #[inline]
    pub(crate) fn has_room(&self, bytes: u64) -> bool {
        self.made.get().saturating_add(bytes) <= self.limit
    }

    pub(crate) fn arena(&self) -> &Arena {
        &self.arena
    }

    pub(super) fn links(&self) -> Links<'_> {
        let mut end = &self.first;
        while let Some(link) = end.get() {
            end = &link.next;
        }
        Links { end }
    }
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch::new()
    }
}

impl std::fmt::Debug for Scratch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Scratch({} bytes)", self.arena.allocated_bytes())
    }
}

/// The end of a chain of owned values.
pub(super) struct Links<'a> {
    end: &'a OnceCell<Box<Link>>,
}

impl<'a> Links<'a> {
    /// Adds a value; it lives as long as the scratch memory.
    pub(super) fn push(&mut self, value: Ext) -> &'a Ext {
        // An evaluation within this one may have added values behind the end that is known here.
        while let Some(link) = self.end.get() {
            self.end = &link.next;
        }
        let link = self.end.get_or_init(|| {
            Box::new(Link {
                value,
                next: OnceCell::new(),
            })
        });
        self.end = &link.next;
        &link.value
    }
}
