//! `client-tag`: a tag of client-gen that it does not know.

use kindsmith_source::{Finding, Tool};

/// A tag of client-gen that it does not know.
pub static CLIENT_TAG: Finding = Finding::new("client-tag", Tool::ClientGen, include_str!("client_tag.md"));
