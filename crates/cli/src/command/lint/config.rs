//! The settings of a run: the nearest `kindsmith.toml`, then the command line.

use std::path::{Path, PathBuf};

use kindsmith_lint::{Config, is_known_selector};

use super::Args;
use crate::error::Error;
use crate::registry;

pub(super) const FILE: &str = "kindsmith.toml";

pub(super) fn read(args: &Args) -> Result<Config, Error> {
    let file = args.config.clone().or_else(nearest);
    let mut config = file.map_or_else(|| Ok(Config::default()), |path| parse(&path))?;
    for selector in args.select.iter().chain(&args.extend_select).chain(&args.ignore) {
        check(selector)?;
    }
    let in_file = [&config.select, &config.extend_select, &config.ignore];
    for selector in in_file.into_iter().flatten() {
        check(selector)?;
    }
    if !args.select.is_empty() {
        config.select.clone_from(&args.select);
    }
    config.extend_select.extend_from_slice(&args.extend_select);
    config.ignore.extend_from_slice(&args.ignore);
    Ok(config)
}

/// The file in this directory or the closest above it. Above the root of a repository is another project.
pub(super) fn nearest() -> Option<PathBuf> {
    nearest_to(&std::env::current_dir().ok()?)
}

/// The settings of the project that a directory is part of.
pub(in crate::command) fn of_project(directory: &Path) -> Result<Config, Error> {
    nearest_to(directory).map_or_else(|| Ok(Config::default()), |path| parse(&path))
}

fn nearest_to(here: &Path) -> Option<PathBuf> {
    for directory in here.ancestors() {
        let file = directory.join(FILE);
        if file.is_file() {
            return Some(file);
        }
        if directory.join(".git").exists() {
            break;
        }
    }
    None
}

fn parse(path: &Path) -> Result<Config, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::reading(path, &error))?;
    Config::parse(&text).map_err(|errors| {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        Error::input(format!("{}: {}", path.display(), lines.join("\n  ")))
            .hint("`kindsmith rules CODE` shows the settings of a rule")
    })
}

fn check(selector: &str) -> Result<(), Error> {
    if is_known_selector(selector) || registry::find(selector).is_some() {
        return Ok(());
    }
    let hint = match registry::nearest(selector) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`kindsmith rules` lists all codes".to_owned(),
    };
    Err(Error::input(format!("no rule `{selector}`")).hint(hint))
}
