//! The project that a directory is part of: its `kindsmith.toml`.

use std::path::{Path, PathBuf};

use kindsmith_lint::Config;

use crate::error::Error;

/// The name of the file.
pub(crate) const FILE: &str = "kindsmith.toml";

/// The file in this directory or the closest above it. Above the root of a repository is another project.
pub(crate) fn nearest() -> Option<PathBuf> {
    nearest_to(&std::env::current_dir().ok()?)
}

/// The settings of the project that a directory is part of.
pub(crate) fn of_project(directory: &Path) -> Result<Config, Error> {
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

/// The settings in a file.
pub(crate) fn parse(path: &Path) -> Result<Config, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::reading(path, &error))?;
    Config::parse(&text).map_err(|errors| {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        Error::input(format!("{}: {}", path.display(), lines.join("\n  ")))
            .hint("`kindsmith rules CODE` shows the settings of a rule")
    })
}
