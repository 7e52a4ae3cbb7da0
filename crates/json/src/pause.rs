//! Pause points of readers and writers: after a number of values they call the program back. It may find that nobody waits for the
//! result any more, or that memory is used up, and leave by unwinding.
//!
//! Knows no clock and no budget: [`at_each`] sets what happens there.

use std::sync::OnceLock;

static LOOK: OnceLock<fn(Pause)> = OnceLock::new();

/// What was done since the last pause, and what is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause {
    /// How many values were read or written.
    pub values: u64,
    /// How many bytes the arena or the text has by now.
    pub held: usize,
}

/// Says what is done at each pause point of this process. The first call counts.
pub fn at_each(look: fn(Pause)) {
    LOOK.get_or_init(|| look);
}

/// How many values are between two pauses.
const STRIDE: u32 = 1 << 10;

/// Counts values up to the next pause.
#[derive(Debug, Default)]
pub(crate) struct Pace(u32);

impl Pace {
    /// One more value.
    #[inline(always)]
    pub(crate) fn step(&mut self, held: impl FnOnce() -> usize) {
        self.0 += 1;
        if self.0 == STRIDE {
            self.0 = 0;
            look(held());
        }
    }
}

#[cold]
fn look(held: usize) {
    if let Some(look) = LOOK.get() {
        let values = u64::from(STRIDE);
        look(Pause { values, held });
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::write::{Order, to_yaml};
    use crate::{Arena, parse_str, to_string, yaml};

    thread_local! {
        static SEEN: Cell<(u64, usize)> = const { Cell::new((0, 0)) };
    }

    fn check(what: &str, work: impl FnOnce()) {
        at_each(|pause| {
            SEEN.set((SEEN.get().0 + pause.values, pause.held));
        });
        SEEN.set((0, 0));
        work();
        let (values, held) = SEEN.get();
        assert!(values > 19_000, "{what}: {values}");
        assert!(held > 20_000, "{what}: {held}");
    }

    #[test]
    fn readers_and_writers_pause() {
        let flat = format!("[{}0]", "0,".repeat(20_000));
        let deep = format!("{}{}", "[".repeat(9_000), "]".repeat(9_000));
        let objects = format!("[{}{{}}]", r#"{"a":[1]},"#.repeat(10_000));
        let arena = Arena::new();
        for text in [&flat, &objects] {
            let value = parse_str(&arena, text).expect("JSON");
            check("reading JSON", || drop(parse_str(&Arena::new(), text)));
            check("writing JSON", || drop(to_string(value)));
            check("reading YAML", || {
                drop(yaml::parse(&Arena::new(), text.as_bytes()));
            });
            check("writing YAML", || drop(to_yaml(value, Order::Kept)));
        }
        let deep = format!("[{deep},{deep},{deep}]");
        let value = parse_str(&arena, &deep).expect("JSON");
        check("writing what is deep", || drop(to_string(value)));
    }
}
