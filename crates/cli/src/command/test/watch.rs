//! Runs something again whenever a file changes.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::Outcome;
use crate::error::Error;
use crate::terminal::Terminal;

/// How often files are looked at.
const PAUSE: Duration = Duration::from_millis(200);

/// Runs, waits for a change, and runs again, until the process is stopped. Errors are shown and do not end it.
pub(super) fn repeat(
    paths: &[PathBuf],
    terminal: &Terminal,
    run: impl Fn() -> Result<Outcome, Error>,
) -> Result<Outcome, Error> {
    loop {
        let seen = newest(paths);
        if let Err(error) = run() {
            terminal.complain(&error);
        }
        terminal.say("waiting for changes; stop with Ctrl-C");
        while newest(paths) == seen {
            std::thread::sleep(PAUSE);
        }
    }
}

/// The number of files at the paths, and when the last of them changed.
fn newest(paths: &[PathBuf]) -> (usize, Option<SystemTime>) {
    let mut state = (0, None);
    paths.iter().for_each(|path| visit(path, &mut state));
    state
}

fn visit(path: &Path, state: &mut (usize, Option<SystemTime>)) {
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    if name.starts_with('.') && name.len() > 1 {
        return;
    }
    let Ok(about) = std::fs::metadata(path) else {
        return;
    };
    if !about.is_dir() {
        state.0 += 1;
        state.1 = state.1.max(about.modified().ok());
        return;
    }
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    entries.for_each(|entry| visit(&entry.path(), state));
}
