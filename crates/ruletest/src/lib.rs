//! Tests for the rules of an API: objects and the API server's expected answers, as YAML tables.
//!
//! | I want to | Start at |
//! |---|---|
//! | read a suite, openshift/api's or ours | [`suite::read`] |
//! | run a case in this process | [`run()`] on a [`Subject`] |
//! | know what no case touched | [`coverage::Coverage`] |
//! | have cases proposed | [`generate::generate`] |
//! | compare two descriptions of an API | [`equivalence::compare`] |
//!
//! Must not know files, threads, clocks or the command line.

pub mod coverage;
pub mod diff;
pub mod equivalence;
pub mod explore;
pub mod generate;
pub mod report;
pub mod run;
pub mod sample;
pub mod subject;
pub mod suite;
pub mod update;
pub mod variant;

mod compare;
mod yaml_text;

pub use run::run;
pub use subject::Subject;

/// The JSON schema of suites, for editors.
pub const SCHEMA: &str = include_str!("suite.schema.json");
