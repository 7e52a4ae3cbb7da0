//! Scores inputs by the memory and the time they take for each of their bytes, with `--cfg score` (`FUZZ_SCORE=1 fuzz/run`): each
//! doubling of a score is a place of its own in the code, so that the fuzzer keeps the input that reached it and goes on
//! from there. New records are printed and written to `artifacts/worst`.

/// A target whose inputs are scored.
macro_rules! fuzz_target {
    (|$data:ident: &[u8]| $body:block) => {
        libfuzzer_sys::fuzz_target!(|$data: &[u8]| {
            crate::score::scored($data, || $body);
        });
    };
}

#[cfg(not(score))]
pub fn scored(_: &[u8], run: impl FnOnce()) {
    run();
}

#[cfg(score)]
pub use counting::scored;

#[cfg(score)]
mod counting {
    use std::alloc::System;
    use std::hint::black_box;
    use std::path::Path;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Instant;

    use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

    #[global_allocator]
    static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

    /// Shorter inputs count as this long: every request takes some memory.
    const LEAST: u64 = 64;

    /// The first inputs pay for what is made once.
    static WARM: AtomicU64 = AtomicU64::new(0);
    const WARMING: u64 = 50;

    pub fn scored(data: &[u8], run: impl FnOnce()) {
        let (region, start) = (Region::new(ALLOCATOR), Instant::now());
        run();
        let took = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let bytes = region.change().bytes_allocated as u64;
        if WARM.fetch_add(1, Ordering::Relaxed) < WARMING {
            return;
        }
        let length = (data.len() as u64).max(LEAST);
        static MEMORY: AtomicU64 = AtomicU64::new(0);
        static TIME: AtomicU64 = AtomicU64::new(0);
        note(data, bytes / length, &MEMORY, "memory", "bytes");
        note(data, took / length, &TIME, "time", "ns");
        reach(0, bytes / length);
        reach(1, took / length);
    }

    /// Prints and writes a record that is a tenth above the last one.
    fn note(data: &[u8], score: u64, best: &AtomicU64, what: &str, unit: &str) {
        if score < best.load(Ordering::Relaxed) / 10 * 11 + 10 {
            return;
        }
        best.store(score, Ordering::Relaxed);
        let name = std::env::args().next().unwrap_or_default();
        let name = Path::new(&name).file_name().unwrap_or_default().to_string_lossy();
        eprintln!("SCORE {name}: {score} {unit} for each of {} bytes", data.len());
        let _ = std::fs::create_dir_all("artifacts/worst");
        let _ = std::fs::write(format!("artifacts/worst/{name}-{what}"), data);
    }

    /// A place in the code for each kind of score and each power of two.
    fn reach(kind: usize, score: u64) {
        macro_rules! places {
            ($kind:expr, $($power:literal)*) => {
                match u64::BITS - score.leading_zeros() {
                    $($power => place::<$kind, $power>(),)*
                    _ => place::<$kind, 99>(),
                }
            };
        }
        match kind {
            0 => places!(0, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24),
            _ => places!(1, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24),
        }
    }

    #[inline(never)]
    fn place<const KIND: u32, const POWER: u32>() {
        black_box(KIND + POWER);
    }
}
