//! What a workspace needs from its caller.

use kindsmith::Kinds;
use kindsmith_go::Read;
use kindsmith_go::package::{Files, Options};
use kindsmith_lint::Config;
use kindsmith_source::{Diagnostic, SourceMap};

use crate::text::Encoding;

/// What a check of a manifest found, with the files that its findings point to.
#[derive(Debug, Default)]
pub struct Checked {
    /// The files; the manifest is one of them, under its path.
    pub sources: SourceMap,
    /// The findings.
    pub findings: Vec<Diagnostic>,
}

/// Checks a manifest: its path and text, against the known kinds.
pub type CheckManifest = dyn Fn(&str, &str, &Kinds) -> Checked;

/// Finds what the API server will say about the CRDs of packages.
pub type CheckCrds = dyn Fn(&Read, &Config) -> Vec<Diagnostic>;

/// What a workspace needs from its caller.
pub struct Settings {
    /// Files on disk.
    pub files: Box<dyn Files>,
    /// How Go packages are found.
    pub packages: Options,
    /// The directories that are open in the editor.
    pub roots: Vec<String>,
    /// What columns count.
    pub encoding: Encoding,
    /// Which lint rules run, and how.
    pub lint: Config,
    /// Checks manifests as `kindsmith check` does.
    pub check_manifest: Box<CheckManifest>,
    /// Checks CRDs as `kindsmith lint` does.
    pub check_crds: Box<CheckCrds>,
}
