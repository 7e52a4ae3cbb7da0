//! `--fix`: makes fixes until there is nothing left to fix.

use kindsmith_lint::{Config, Fixes, fixed};

use super::Args;
use crate::error::Error;
use crate::go_path;
use crate::terminal::Terminal;

/// A fix may make another one possible, but never endlessly.
const ROUNDS: usize = 10;

pub(super) fn apply(args: &Args, terminal: &Terminal, config: &Config) -> Result<(), Error> {
    let fixes = if args.all_fixes { Fixes::All } else { Fixes::Safe };
    let mut made = 0;
    for _ in 0..ROUNDS {
        let mut read = args.input.read(terminal)?;
        let findings = args.findings(&mut read, config);
        let files = fixed(&read.sources, &findings, fixes);
        if files.is_empty() {
            break;
        }
        for file in files {
            let path = go_path::to_path(read.sources.file(file.file).name());
            std::fs::write(&path, &file.text)
                .map_err(|error| Error::environment(format!("cannot write {}: {error}", path.display())))?;
            made += file.count;
        }
    }
    if made > 0 {
        terminal.say(&format!(
            "fixed {made} finding{}",
            if made == 1 { "" } else { "s" }
        ));
    }
    Ok(())
}
