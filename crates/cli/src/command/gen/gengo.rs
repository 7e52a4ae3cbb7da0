//! Options that deepcopy-gen, defaulter-gen, openapi-gen and validation-gen share (gengo and code-generator).

use std::path::PathBuf;

use super::flow::Flow;
use super::go::{LogFlags, current_year};
use crate::error::Error;

/// The packages, and what every generated file gets.
#[derive(Debug, clap::Args)]
pub(super) struct Gengo {
    /// Import paths or directories of packages; `/...` includes all below
    #[arg(value_name = "PACKAGE", value_parser = crate::go_path::parser())]
    pub(super) packages: Vec<String>,
    /// File with a comment to put above each file; `YEAR` in it becomes the current year
    #[arg(long = "go-header-file", value_name = "FILE")]
    pub(super) header_file: Option<PathBuf>,
    #[command(flatten)]
    log: LogFlags,
    #[command(flatten)]
    pub(super) flow: Flow,
}

impl Gengo {
    /// The text of the header file, with the year in place.
    pub(super) fn header(&self) -> Result<String, Error> {
        let Some(path) = &self.header_file else {
            return Ok(String::new());
        };
        let text = std::fs::read_to_string(path).map_err(|error| Error::reading(path, &error))?;
        Ok(text.replace("YEAR", &current_year()))
    }
}
