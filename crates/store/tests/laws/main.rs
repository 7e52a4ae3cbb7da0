//! What every store promises, held against those in memory and on disk; `tests/etcd` does the same with etcd.

mod concurrent;
mod laws;
mod model;
#[path = "../stores/mod.rs"]
mod stores;
