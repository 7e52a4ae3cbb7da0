//! Scores inputs by the memory and the processor time they take for each of their bytes, with `--cfg score` (`fuzz/run --score`): each
//! quarter of a doubling of a score is a place of its own in the code, so that the fuzzer keeps the input that reached it and goes on
//! from there. New records are printed and written to `artifacts/worst`. An input that takes more than its target's [`Most`] is a
//! failure, and is kept as one that panics.

/// What inputs of a target may take.
#[cfg_attr(not(score), expect(dead_code, reason = "it counts only while scoring"))]
pub struct Most {
    /// What an input may take whatever its length: a server answers an empty body, too.
    pub base: Taken,
    /// What each byte may take beyond that.
    pub each: Taken,
}

/// What an input takes.
#[derive(Clone, Copy)]
#[cfg_attr(not(score), expect(dead_code, reason = "it counts only while scoring"))]
pub struct Taken {
    /// Bytes that were allocated, freed ones included.
    pub bytes: u64,
    /// Processor time. Fuzzed code takes some ten times as much as a `release`.
    pub nanoseconds: u64,
}

impl Most {
    /// For targets without a limit of their own.
    #[allow(dead_code, reason = "some targets have one")]
    pub const NONE: Most = Most::each(u64::MAX, u64::MAX);

    /// What each byte may take, some times the worst that was found: a machine that has other work counts more time.
    pub const fn each(bytes: u64, nanoseconds: u64) -> Self {
        Most {
            base: Taken {
                bytes: 16 << 10,
                nanoseconds: 100_000,
            },
            each: Taken { bytes, nanoseconds },
        }
    }
}

/// A target whose inputs are scored.
macro_rules! fuzz_target {
    (|$data:ident: &[u8]| $body:block) => {
        fuzz_target!(crate::score::Most::NONE, |$data: &[u8]| $body);
    };
    ($most:expr, |$data:ident: &[u8]| $body:block) => {
        libfuzzer_sys::fuzz_target!(|$data: &[u8]| {
            crate::score::scored($data, &$most, || $body);
        });
    };
}

#[cfg(not(score))]
pub fn scored(_: &[u8], _: &Most, run: impl Fn()) {
    run();
}

/// Does what a target does for its own sake, which is not counted. Not to be nested.
#[cfg(not(score))]
#[allow(dead_code, reason = "some targets do nothing for their own sake")]
pub fn aside<T>(work: impl FnOnce() -> T) -> T {
    work()
}

#[cfg(score)]
#[allow(unused_imports, reason = "some targets do nothing for their own sake")]
pub use counting::{aside, scored};

#[cfg(score)]
mod counting {
    use std::alloc::System;
    use std::cell::Cell;
    use std::hint::black_box;
    use std::path::Path;
    use std::sync::atomic::{AtomicU64, Ordering};

    use rustix::time::{ClockId, clock_gettime};
    use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

    use super::{Most, Taken};

    #[global_allocator]
    static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

    /// Shorter inputs count as this long.
    const LEAST: u64 = 64;
    /// How often an input runs that takes more than all before: the least counts, because some is made once, and because
    /// other processes disturb.
    const ROUNDS: usize = 3;

    /// The first inputs pay for what is made once.
    static WARM: AtomicU64 = AtomicU64::new(0);
    const WARMING: u64 = 50;

    static MOST_MEMORY: AtomicU64 = AtomicU64::new(0);
    static MOST_TIME: AtomicU64 = AtomicU64::new(0);

    thread_local! {
        static ASIDE: Cell<Taken> = const { Cell::new(NOTHING) };
    }

    const NOTHING: Taken = Taken {
        bytes: 0,
        nanoseconds: 0,
    };

    #[allow(dead_code, reason = "some targets do nothing for their own sake")]
    impl Taken {
        fn so_far() -> Self {
            let time = clock_gettime(ClockId::ThreadCPUTime);
            Taken {
                bytes: ALLOCATOR.stats().bytes_allocated as u64,
                nanoseconds: time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64,
            }
        }

        fn minus(self, other: Self) -> Self {
            Taken {
                bytes: self.bytes.saturating_sub(other.bytes),
                nanoseconds: self.nanoseconds.saturating_sub(other.nanoseconds),
            }
        }

        fn plus(self, other: Self) -> Self {
            Taken {
                bytes: self.bytes + other.bytes,
                nanoseconds: self.nanoseconds + other.nanoseconds,
            }
        }

        fn least(self, other: Self) -> Self {
            Taken {
                bytes: self.bytes.min(other.bytes),
                nanoseconds: self.nanoseconds.min(other.nanoseconds),
            }
        }
    }

    #[allow(dead_code, reason = "some targets do nothing for their own sake")]
    pub fn aside<T>(work: impl FnOnce() -> T) -> T {
        let before = Taken::so_far();
        let done = work();
        ASIDE.set(ASIDE.get().plus(Taken::so_far().minus(before)));
        done
    }

    pub fn scored(data: &[u8], most: &Most, run: impl Fn()) {
        let length = (data.len() as u64).max(LEAST);
        let measured = || {
            ASIDE.set(NOTHING);
            let before = Taken::so_far();
            run();
            let taken = Taken::so_far().minus(before).minus(ASIDE.get()).minus(most.base);
            Taken {
                bytes: taken.bytes / length,
                nanoseconds: taken.nanoseconds / length,
            }
        };
        let mut each = measured();
        if WARM.fetch_add(1, Ordering::Relaxed) < WARMING {
            return;
        }
        for _ in 1..ROUNDS {
            if is_record(each.bytes, &MOST_MEMORY) || is_record(each.nanoseconds, &MOST_TIME) {
                each = each.least(measured());
            }
        }
        note(data, each.bytes, &MOST_MEMORY, "memory", "bytes");
        note(data, each.nanoseconds, &MOST_TIME, "time", "ns");
        assert!(
            each.bytes <= most.each.bytes && each.nanoseconds <= most.each.nanoseconds,
            "{} bytes and {} ns for each of {} bytes",
            each.bytes,
            each.nanoseconds,
            data.len()
        );
        reach(0, each.bytes);
        reach(1, each.nanoseconds);
    }

    /// Whether a score is a tenth above the last record.
    fn is_record(score: u64, best: &AtomicU64) -> bool {
        score >= best.load(Ordering::Relaxed) / 10 * 11 + 10
    }

    /// Prints and writes a record.
    fn note(data: &[u8], score: u64, best: &AtomicU64, what: &str, unit: &str) {
        if !is_record(score, best) {
            return;
        }
        best.store(score, Ordering::Relaxed);
        let name = std::env::args().next().unwrap_or_default();
        let name = Path::new(&name).file_name().unwrap_or_default().to_string_lossy();
        eprintln!(
            "SCORE {name} {what}: {score} {unit} for each of {} bytes",
            data.len()
        );
        let _ = std::fs::create_dir_all("artifacts/worst");
        let _ = std::fs::write(format!("artifacts/worst/{name}-{what}"), data);
    }

    /// A place in the code for each kind of score and each quarter of a power of two.
    fn reach(kind: usize, score: u64) {
        macro_rules! places {
            ($kind:literal, $($quarter:literal)*) => {
                match quarters(score) {
                    $($quarter => place::<$kind, $quarter>(),)*
                    _ => place::<$kind, 999>(),
                }
            };
        }
        macro_rules! all_places {
            ($kind:literal) => {
                places!($kind,
                    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41
                    42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80
                    81 82 83 84 85 86 87 88 89 90 91 92 93 94 95)
            };
        }
        match kind {
            0 => all_places!(0),
            _ => all_places!(1),
        }
    }

    /// The logarithm of a score to base two, in quarters, from its three highest bits.
    fn quarters(score: u64) -> u32 {
        let power = u64::BITS - score.leading_zeros();
        let next = if power > 2 { (score >> (power - 3)) & 3 } else { 0 };
        power * 4 + next as u32
    }

    #[inline(never)]
    fn place<const KIND: u32, const QUARTER: u32>() {
        black_box(KIND * 1_000 + QUARTER);
    }
}
