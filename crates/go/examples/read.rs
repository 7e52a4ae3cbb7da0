//! Reads every Go file below the given directories and prints their errors and the time it took.

#![allow(clippy::disallowed_methods, reason = "an example reads what it shows")]
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use kindsmith_go::syntax::parse;
use kindsmith_source::SourceMap;

/// Later rounds find the text in the processor's caches.
const ROUNDS: usize = 20;

fn main() {
    let mut sources = Vec::new();
    for root in std::env::args().skip(1) {
        collect(Path::new(&root), &mut sources);
    }
    let bytes: usize = sources.iter().map(|(_, text)| text.len()).sum();
    let mut map = SourceMap::default();
    let started = Instant::now();
    let ids: Vec<_> = sources
        .iter()
        .map(|(name, text)| map.add(name.clone(), Arc::clone(text)))
        .collect();
    let mapped = started.elapsed();
    let started = Instant::now();
    let files: Vec<_> = ids
        .iter()
        .zip(&sources)
        .map(|(id, (_, text))| parse(*id, text))
        .collect();
    let parsed = started.elapsed();
    let rounds = (0..ROUNDS).map(|_| {
        let started = Instant::now();
        for (id, (_, text)) in ids.iter().zip(&sources) {
            std::hint::black_box(parse(*id, text));
        }
        started.elapsed()
    });
    let best = rounds.min().unwrap_or(parsed);
    let mut findings = 0;
    for diagnostic in files.iter().flat_map(|file| &file.diagnostics) {
        let place = map.position(diagnostic.span);
        let name = map.file(diagnostic.span.file).name();
        println!("{name}:{}:{}: {}", place.line, place.column, diagnostic.message);
        findings += 1;
    }
    let count = |of: fn(&kindsmith_go::syntax::File) -> usize| files.iter().map(of).sum::<usize>();
    println!(
        "{} files, {bytes} bytes, {} types, {} constants, {} functions, {findings} findings; line tables {mapped:?}, parsing {parsed:?}, best of {ROUNDS} more {best:?}",
        files.len(),
        count(|file| file.types.len()),
        count(|file| file.consts.len()),
        count(|file| file.funcs.len()),
    );
}

fn collect(path: &Path, sources: &mut Vec<(String, Arc<str>)>) {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        entries.for_each(|entry| collect(&entry.path(), sources));
    } else if path.extension().is_some_and(|extension| extension == "go")
        && let Ok(text) = std::fs::read_to_string(path)
    {
        sources.push((path.display().to_string(), text.into()));
    }
}
