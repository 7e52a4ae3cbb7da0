//! `decode`: an object that cannot be decoded into its type.

use kindsmith_source::{Finding, Tool};

/// An object that cannot be decoded into its type.
pub static DECODE: Finding = Finding::new("decode", Tool::KubeApiserver, include_str!("decode.md"));
