//! An operator for gates of a park, written with kube-rs. Its types are Kindsmith's, too: their rules are in the CRD, and the
//! tests run against an API server in the same process.

pub mod gate;
pub mod operator;
