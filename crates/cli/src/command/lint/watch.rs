//! `--watch`: lints again whenever a source or the settings change.

use std::path::{Path, PathBuf};

use super::Args;
use crate::Outcome;
use crate::error::Error;
use crate::project;
use crate::terminal::Terminal;
use crate::watch::{self, Sources};

pub(super) fn run(args: &Args, terminal: &Terminal) -> Result<Outcome, Error> {
    let settings = settings(args);
    let beside: Vec<&Path> = [Some(&*settings), args.baseline.as_deref()]
        .into_iter()
        .flatten()
        .collect();
    let sources = Sources::packages(args.input.paths(), &beside);
    watch::repeat(terminal, &sources, |watch| {
        let (_, read) = args.once(terminal)?;
        watch.add(&read);
        Ok(())
    })
}

/// The file with the settings, or where one would be.
fn settings(args: &Args) -> PathBuf {
    let found = args.config.clone().or_else(project::nearest);
    found.unwrap_or_else(|| PathBuf::from(project::FILE))
}
