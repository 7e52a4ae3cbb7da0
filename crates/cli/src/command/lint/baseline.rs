//! `--baseline` and `--write-baseline`: findings that are known already.

use std::path::Path;

use kindsmith_lint::Baseline;
use kindsmith_source::{Diagnostic, SourceMap};

use crate::error::Error;
use crate::terminal::Terminal;

pub(super) fn write(
    terminal: &Terminal,
    path: &Path,
    sources: &SourceMap,
    findings: &[Diagnostic],
) -> Result<(), Error> {
    let text = Baseline::of(sources, findings).text();
    std::fs::write(path, text)
        .map_err(|error| Error::environment(format!("cannot write {}: {error}", path.display())))?;
    terminal.say(&format!(
        "wrote {} findings to {}",
        findings.len(),
        path.display()
    ));
    Ok(())
}

pub(super) fn new_ones(
    terminal: &Terminal,
    path: &Path,
    sources: &SourceMap,
    findings: Vec<Diagnostic>,
) -> Result<Vec<Diagnostic>, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::reading(path, &error))?;
    let known = Baseline::parse(&text).map_err(|problem| {
        let error = Error::input(format!("{}: {problem}", path.display()));
        error.hint("write it again with --write-baseline")
    })?;
    let (new, known) = known.new_ones(sources, findings);
    if known > 0 {
        terminal.say(&format!("{known} known findings left out"));
    }
    Ok(new)
}
