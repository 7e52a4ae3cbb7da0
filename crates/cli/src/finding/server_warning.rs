//! `server-warning`: a warning that the API server sends with its answer.

use kindsmith_source::{Finding, Tool};

/// A warning that the API server sends with its answer.
pub static SERVER_WARNING: Finding = Finding::new(
    "server-warning",
    Tool::KubeApiserver,
    include_str!("server_warning.md"),
);
