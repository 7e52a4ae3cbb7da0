//! Moves an API from one way of stating its rules to another, and proves that nothing changed.
//!
//! | I want to | Start at |
//! |---|---|
//! | have Go types for CRDs | [`crd::types`] |
//! | replace kubebuilder's markers by `+k8s:` tags, or the other way round | [`markers::candidates`], [`markers::settle`] |
//! | have tags for hand-written validation | [`validation::read`] |
//! | know whether tags and functions agree | [`proof::judge`] |
//! | write tags and marks | [`edit::inserts`], [`edit::marks`] |
//! | know where two CRDs differ | [`difference::compare`] |
//!
//! Must not know files, processes, clocks or the command line.

pub mod crd;
pub mod difference;
pub mod edit;
pub mod markers;
pub mod proof;
pub mod validation;
