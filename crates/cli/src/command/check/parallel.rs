//! Many files at once, on all cores; results keep the order of the files.

use std::num::NonZero;
use std::thread;

use kindsmith_json::Arena;

use crate::error::Error;
use crate::manifest::{Findings, Loaded, Manifest};

/// A thread for fewer items costs more than it saves.
const WORTH_A_THREAD: usize = 16;

/// The objects of all files, each file in an arena of its own.
pub(super) fn parsed<'a>(
    loaded: &[Loaded],
    arenas: &'a mut [Arena],
    is_lenient: bool,
    findings: &mut Findings,
) -> Vec<Manifest<'a>> {
    let size = chunk(loaded.len());
    let parse = |(loaded, arenas): (&[Loaded], &'a mut [Arena])| {
        let mut findings = Findings::new(is_lenient);
        let mut manifests = Vec::new();
        for (loaded, arena) in loaded.iter().zip(arenas) {
            manifests.extend(loaded.manifests(arena, &mut findings));
        }
        (manifests, findings)
    };
    let chunks: Vec<_> = loaded.chunks(size).zip(arenas.chunks_mut(size)).collect();
    let parts = on_threads(chunks, parse);
    let mut manifests = Vec::new();
    for (found, part) in parts {
        manifests.extend(found);
        findings.append(part);
    }
    manifests
}

/// Runs `work` on parts of the jobs.
pub(super) fn each<J: Sync, R: Send>(
    jobs: &[J],
    work: impl Fn(&[J]) -> Result<Vec<R>, Error> + Sync,
) -> Result<Vec<R>, Error> {
    let parts = on_threads(jobs.chunks(chunk(jobs.len())).collect(), work);
    let mut all = Vec::new();
    for part in parts {
        all.extend(part?);
    }
    Ok(all)
}

fn chunk(count: usize) -> usize {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    count.div_ceil(cores).max(WORTH_A_THREAD)
}

fn on_threads<C: Send, R: Send>(chunks: Vec<C>, work: impl Fn(C) -> R + Sync) -> Vec<R> {
    if chunks.len() < 2 {
        return chunks.into_iter().map(work).collect();
    }
    let work = &work;
    thread::scope(|scope| {
        let threads: Vec<_> = chunks
            .into_iter()
            .map(|chunk| scope.spawn(move || work(chunk)))
            .collect();
        let joined = threads.into_iter().map(|thread| match thread.join() {
            Ok(result) => result,
            // The handler of crashes tells the user.
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.collect()
    })
}
