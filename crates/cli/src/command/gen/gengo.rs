//! Options that deepcopy-gen, defaulter-gen and validation-gen share (gengo and code-generator).

use std::path::PathBuf;

use super::flow::Flow;
use super::go::LogFlags;

/// The packages, and what every generated file gets.
#[derive(Debug, clap::Args)]
pub(super) struct Gengo {
    /// Import paths or directories of packages; `/...` includes all below
    #[arg(value_name = "PACKAGE")]
    pub(super) packages: Vec<String>,
    /// File with a comment to put above each file; `YEAR` in it becomes the current year
    #[arg(long = "go-header-file", value_name = "FILE")]
    pub(super) header_file: Option<PathBuf>,
    #[command(flatten)]
    log: LogFlags,
    #[command(flatten)]
    pub(super) flow: Flow,
}
