//! `--watch`: lints again whenever a file changes, until it is interrupted.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use kindsmith_go::Read;

use super::{Args, config};
use crate::Outcome;
use crate::error::Error;
use crate::native;
use crate::terminal::Terminal;

/// How often files are looked at: below what a person notices.
const PAUSE: Duration = Duration::from_millis(200);

pub(super) fn run(args: &Args, terminal: &Terminal) -> Result<Outcome, Error> {
    loop {
        // A file that is being written may not be readable for a moment, and settings may be wrong.
        let watched = match args.once(terminal) {
            Ok((_, read)) => watched(args, &read),
            Err(error) => {
                terminal.say(&error.to_string());
                settings(args)
            }
        };
        terminal.say("watching for changes; press Ctrl-C to stop");
        let before = times(&watched);
        while times(&watched) == before {
            std::thread::sleep(PAUSE);
        }
    }
}

/// The files that were read, their directories and the settings.
fn watched(args: &Args, read: &Read) -> BTreeSet<PathBuf> {
    let mut paths = settings(args);
    for (_, file) in read.sources.files() {
        let path = native::to_path(file.name());
        paths.extend(path.parent().map(Path::to_owned));
        paths.insert(path.into_owned());
    }
    paths
}

fn settings(args: &Args) -> BTreeSet<PathBuf> {
    let file = args.config.clone().or_else(config::nearest);
    let mut paths: BTreeSet<PathBuf> = file.into_iter().collect();
    paths.insert(PathBuf::from("."));
    paths
}

fn times(paths: &BTreeSet<PathBuf>) -> Vec<Option<SystemTime>> {
    let time = |path: &PathBuf| std::fs::metadata(path).and_then(|about| about.modified()).ok();
    paths.iter().map(time).collect()
}
