//! Derive macros for Kubernetes API types in Rust.
