//! Memory for the results of an evaluation.

use std::cell::OnceCell;

use kindsmith_json::Arena;

use super::value::Ext;

/// Where an evaluation puts what it makes. Reset it between evaluations to reuse the memory.
#[derive(Default)]
pub struct Scratch {
    arena: Arena,
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
        Scratch::default()
    }

    /// Frees everything made so far, keeping some memory for the next evaluation.
    pub fn reset(&mut self) {
        self.arena.reset();
        self.first.take();
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
