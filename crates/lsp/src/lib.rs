//! What editors ask about Go API types and manifests: documents in, answers out.
//!
//! [`Workspace`] holds the open documents and answers requests of the Language Server Protocol. Knows no stream, thread
//! or clock: the caller reads messages, decides when to look for findings, and gives it files to read.

mod answer;
mod documents;
mod finding;
mod go;
mod manifest;
mod markdown;
mod overlay;
mod settings;
mod text;
mod uri;
mod workspace;

pub use answer::{Answer, capabilities};
pub use settings::{CheckCrds, CheckManifest, Checked, Settings};
pub use text::Encoding;
pub use workspace::Workspace;

/// The findings of one document, for the editor.
pub use lsp_types::PublishDiagnosticsParams as Published;

/// The path of a `file:` address.
#[must_use]
pub fn path_of(address: &str) -> Option<String> {
    uri::path(&address.parse().ok()?)
}
