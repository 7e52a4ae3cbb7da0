//! `--fix`: makes safe fixes until there is nothing left to fix.

use kindsmith_source::{Safety, edit};

use super::Args;
use super::examine::Examined;
use crate::error::Error;
use crate::manifest::STANDARD_INPUT;
use crate::terminal::Terminal;

/// A value that is put right may let another mistake be seen, but never endlessly.
const ROUNDS: usize = 10;

pub(super) fn apply(args: &Args, examined: &mut Examined, terminal: &Terminal) -> Result<(), Error> {
    let mut made = 0;
    for _ in 0..ROUNDS {
        let count = write(examined)?;
        if count == 0 {
            break;
        }
        made += count;
        *examined = args.examine_all(terminal)?;
    }
    if made > 0 {
        let plural = if made == 1 { "" } else { "s" };
        terminal.say(&format!("fixed {made} finding{plural}"));
    }
    Ok(())
}

/// Makes the safe fixes in all files; returns how many.
fn write(examined: &Examined) -> Result<usize, Error> {
    let findings = examined.findings.all(false);
    let sources = &examined.read.sources;
    let mut made = 0;
    for &id in &examined.wanted {
        let file = sources.file(id);
        let fixes = findings.iter().filter(|finding| finding.span.file == id);
        let fixes = fixes.filter_map(|finding| finding.fix.as_ref());
        let safe = fixes.filter(|fix| fix.safety == Safety::Safe);
        let (text, count) = edit::apply(id, file, safe);
        if count == 0 || file.name() == STANDARD_INPUT {
            continue;
        }
        std::fs::write(file.name(), text)
            .map_err(|error| Error::environment(format!("cannot write {}: {error}", file.name())))?;
        made += count;
    }
    Ok(made)
}
